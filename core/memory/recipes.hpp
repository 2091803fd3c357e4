#pragma once
/// How frameworks and engines behave, as rows of tables: the formulas read columns and know no software by name [M-memory-recipes].
#include <cstdint>
#include <string_view>

#include "core/dtype.hpp"
#include "core/memory/version.hpp"
#include "core/scenario/scenario.hpp"

namespace gpuplan::memory {

/// What an implementation of a transformer layer keeps for backward.
enum class Kernels : std::uint8_t {
  paper,     ///< Megatron-LM: 16-bit norms, fused softmax; the lists of Korthikanti et al. 2022 (arXiv:2205.05198)
  eager,     ///< Hugging Face modules: fp32 copies in RMS norms, activation and product kept apart
  fused      ///< fused norms, the gated product is computed again in backward (Liger, Unsloth, torch.compile)
};

/// Bytes of state per trained parameter and how a framework shards, gathers and computes the loss.
struct TrainingRecipe {
  const char* software;
  std::int64_t since;      ///< version() of the first release of this row
  const char* sharded_as;  ///< the row that holds once ZeRO shards anything ("" = this one): Hugging Face trainers hand over to DeepSpeed
  double weights, gradients, master, moment;  ///< bytes per trained parameter; `moment`: of each Adam moment
  double step_temporary;   ///< bytes per trained parameter that the optimizer step holds for a moment …
  double step_elements;    ///< … for at most so many parameters at once (sub-groups of DeepSpeed), 0 = all
  double gathered_layers;  ///< layers whose whole weights are alive at once when parameters are sharded
  double live_elements;    ///< parameters that stay gathered for reuse (DeepSpeed's max_live_parameters), 0 = only those layers
  double bucket_elements;  ///< communication buckets, elements of a gradient; 0 = hidden² (the "auto" of DeepSpeed's integrations)
  Kernels kernels;
  bool vocab_parallel;     ///< the loss is computed on vocabulary shards
  bool gradients_stay;     ///< gradients live in a flat buffer through the whole step
  bool adapter_fp32;       ///< adapters in fp32 even where the base is 16-bit
  bool checkpoints_on_host;///< recomputation keeps layer inputs in host memory
  LossKernel loss;         ///< what `auto` means
  bool kbit_upcast;        ///< QLoRA by bitsandbytes turns what is not quantised into fp32, and with it the residual stream
  bool unsharded_in_pipeline; ///< pipeline stages keep gathered weights and whole gradients through the step (FSDP2)
  double selective_share;  ///< share of saved bytes that selective recomputation keeps beside dropping the attention scores
  double weight_dummies;   ///< bytes per element of each distinct matrix that fused gradient accumulation leaves behind (Transformer Engine)
  double low_bit_copies;   ///< copies of a layer's matrices that FP8 and NVFP4 training keep in that type
  bool low_bit_inputs;     ///< FP8 and NVFP4 training keep the inputs of products in that type
  double fused_logit_bytes;///< what `fused` keeps per logit where it fuses the loss alone; 0: the head too, chunk by chunk (Liger)
  bool expands_kv;         ///< grouped keys and values are repeated to all heads before attention
  const char* family;        ///< prefix of its coefficients: bytes_per_logit, floor_bytes, working_share, fragmentation, used_low, used_high
};

/// The newest row of a framework that is not newer than `version_code` (the first row when unknown).
const TrainingRecipe& training_recipe(std::string_view software, std::int64_t version_code = newest_version);

/// Bytes of one element in a low-bit compute type, scales included; 0 for other types.
double low_bit_bytes(PlainType);

/// What a task trains and keeps beside it.
struct TaskRecipe {
  Task task;
  double trained_copies;   ///< models with gradients and optimizer state (PPO: policy and critic)
  double frozen_copies;    ///< further 16-bit models (reference, reward)
  double sequences;        ///< sequences per sample in one forward pass (DPO: chosen and rejected)
  bool rollout;            ///< an inference engine generates on the same GPUs
};
const TaskRecipe& task_recipe(Task);

/// Who decides how large the KV pool is.
enum class Pool : std::uint8_t {
  total_share,    ///< utilisation × total − everything else, profiled (vLLM)
  static_share,   ///< weights and pool together take a share of what was free at start (SGLang)
  free_share,     ///< share of what is free after loading (TensorRT-LLM, LMDeploy, FastDeploy)
  upfront,        ///< exactly the context asked for (llama.cpp)
  growing         ///< grows with the sequences, no pool (transformers)
};

/// One engine from a version on.
struct EngineRecipe {
  const char* software;
  std::int64_t since;            ///< version() of the first release of this row
  Pool pool;
  double share;                  ///< default of numerics memory_utilization
  std::int64_t block;            ///< tokens per cache block
  std::int64_t sequences, batched_tokens;              ///< defaults of max_sequences and max_batched_tokens
  std::int64_t large_sequences, large_batched_tokens;  ///< the same on cards of at least 70 GiB other than the A100
  bool chunked;                  ///< long prompts are cut into steps of max_batched_tokens
  std::int64_t long_context, long_step;  ///< contexts beyond the first are cut into steps of the second even where `chunked` is off; 0 = never
  std::int64_t request_row;      ///< bytes that the table of requests takes per slot and token of context
  bool graphs_in_budget;         ///< graph memory is taken off the pool
  bool context_in_budget;        ///< driver context and communicators are taken off the pool
  bool full_logits;              ///< logits of the whole prompt, not of its last token
  bool sliding_saves;            ///< sliding-window layers cache only their window
  bool latent_cache;             ///< MLA layers cache the latent, not expanded heads
  bool embedding_on_host;        ///< the token embedding stays in host memory
  bool towers_split;             ///< vision and audio towers are divided by tp
  bool unties_awq, unties_gptq;  ///< AWQ and FP8, GPTQ: checkpoints of tied models hold the head a second time
  std::int64_t fp4_pad;          ///< MXFP4 experts pad their width to a multiple of this, 0 = no padding
  const char* family;            ///< prefix of its coefficients: bytes_per_logit, prefill_factor, floor_bytes, communicator_bytes, …
  const char* graph_coefficient; ///< bytes of captured graphs per layer
  bool rotation_table = false;   ///< sines and cosines of every position up to the model's longest context lie beside the weights
  int chunks_from = 0;           ///< NVIDIA compute capability (major) below which long prompts are not cut
};

/// The newest row of the engine that is not newer than `version_code` (the first row when unknown).
const EngineRecipe& engine_recipe(std::string_view software, std::int64_t version_code);

/// Optimizer state per trained parameter, in moments.
struct OptimizerRecipe {
  Optimizer optimizer;
  double moments;         ///< Adam-like moments per parameter
  double moment_bytes;    ///< bytes of each, 0 = the framework's moment type
  double matrix_moments;  ///< moments per parameter of hidden matrices, −1 = the same
  bool factored;          ///< rows + columns in fp32 instead of moments (Adafactor)
  bool low_rank;          ///< hidden matrices keep moments in a projected space (GaLore)
  bool paged;             ///< states can leave for host memory
};
const OptimizerRecipe& optimizer_recipe(Optimizer);

}  // namespace gpuplan::memory
