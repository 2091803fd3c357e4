#include "core/memory/recipes.hpp"

namespace gpuplan::memory {
namespace {

// Bytes per trained parameter. Mixed precision is 16-bit weights and gradients with fp32 master and moments (Rajbhandari et al., ZeRO,
// arXiv:1910.02054); Megatron keeps fp32 main gradients; FSDP keeps fp32 shards and gathers 16-bit layers; single-GPU Hugging Face and
// torchtune runs load 16-bit weights and let Adam follow that type.
constexpr TrainingRecipe training[] = {
    // software, since, when sharded: weights gradients master moment | step temporary and its elements | gathered live bucket kernels
    // vocab-parallel stay adapter32 checkpoints-on-host loss | kbit unsharded selective | dummies low-bit copies and inputs fused-logits expands-kv | family
    {"transformers", 0, "deepspeed", 2, 2, 0, 2, 0, 0, 1, 0, 0, Kernels::eager,  // before PyTorch 2: gradients set to zero, not freed
     false, true, true, false, LossKernel::plain, false, false, 1.0, 0, 0, false, 0, false, "train.eager"},
    {"transformers", version(4, 30), "deepspeed", 2, 2, 0, 2, 2, 0, 1, 0, 0, Kernels::eager,
     false, false, true, false, LossKernel::plain, false, false, 1.0, 0, 0, false, 0, false, "train.eager"},
    {"deepspeed", 0, "", 2, 2, 4, 4, 10, 1e9, 2, 1e9, 0, Kernels::eager,
     false, true, false, false, LossKernel::plain, false, false, 1.0, 0, 0, false, 0, false, "train.deepspeed"},
    {"ms-swift", 0, "deepspeed", 2, 2, 0, 2, 2, 0, 1, 0, 0, Kernels::eager,
     false, false, true, false, LossKernel::plain, true, false, 1.0, 0, 0, false, 0, false, "train.swift2"},
    {"ms-swift", version(3, 0), "deepspeed", 2, 2, 0, 2, 2, 0, 1, 0, 0, Kernels::eager,
     false, false, true, false, LossKernel::plain, false, false, 1.0, 0, 0, false, 0, false, "train.eager"},
    {"unsloth", 0, "", 2, 2, 0, 2, 2, 0, 1, 0, 0, Kernels::fused,
     false, false, true, true, LossKernel::fused, false, false, 1.0, 0, 0, false, 0, false, "train.fused"},
    {"torchtune", 0, "", 2, 2, 0, 2, 0, 0, 2, 0, 0, Kernels::eager,
     false, false, false, false, LossKernel::chunked, false, false, 1.0, 0, 0, false, 0, true, "train.torchtune"},
    {"fsdp", 0, "", 4, 4, 0, 4, 4, 0, 2, 0, 0, Kernels::eager,
     false, true, true, false, LossKernel::plain, false, false, 1.0, 0, 0, false, 0, false, "train.fsdp"},
    {"torchtitan", 0, "", 4, 4, 0, 4, 4, 0, 2, 0, 0, Kernels::fused,
     true, true, true, false, LossKernel::plain, false, true, 0.5, 0, 0, false, 0, false, "train.torch"},
    {"torchtitan", version(0, 1), "", 4, 4, 0, 4, 4, 0, 2, 0, 0, Kernels::fused,
     true, true, true, false, LossKernel::plain, false, true, 0.5, 0, 0, false, 0, false, "train.titan"},
    {"llm-foundry", 0, "", 4, 4, 0, 4, 4, 0, 2, 0, 0, Kernels::fused,
     false, true, true, false, LossKernel::plain, false, false, 1.0, 0, 0, false, 0, false, "train.torch"},
    {"megatron", 0, "", 2, 4, 4, 4, 0, 0, 1, 0, 0, Kernels::paper,
     true, true, false, false, LossKernel::plain, false, false, 1.0, 2, 2, true, 2, false, "train.megatron"},
    {"paddle", 0, "", 2, 4, 4, 4, 0, 0, 1, 0, 0, Kernels::eager,
     true, true, false, false, LossKernel::plain, false, false, 1.0, 0, 0, false, 0, false, "train.paddle"},
};

constexpr TaskRecipe tasks[] = {
    {Task::inference, 0, 0, 1, false}, {Task::pretraining, 1, 0, 1, false}, {Task::full_finetune, 1, 0, 1, false},
    {Task::lora, 1, 0, 1, false},      {Task::qlora, 1, 0, 1, false},       {Task::dpo, 1, 1, 2, false},
    {Task::ppo, 2, 2, 1, true},        {Task::grpo, 1, 1, 1, true},
};

constexpr EngineRecipe engines[] = {
    // software       since             pool                share  block seqs  batched large      chunk  long   row graphs context logits slide  mla  host   towers unties (awq, gptq) fp4  family graphs rotations capability
    {"vllm", 0, Pool::total_share, 0.90, 16, 256, 2048, 256, 2048, false, 0, 0, 0, false, false, false, false, false, false, true, false, false, 256, "vllm", "vllm.v0_graph_bytes_per_layer", true, 0},
    {"vllm", version(0, 5, 4), Pool::total_share, 0.90, 16, 256, 2048, 256, 2048, false, 32768, 512, 0, false, false, false, false, false, false, true, false, false, 256, "vllm", "vllm.v0_graph_bytes_per_layer", true, 0},
    {"vllm", version(0, 6, 4), Pool::total_share, 0.90, 16, 256, 2048, 256, 2048, false, 32768, 512, 0, false, true, false, false, false, false, true, false, false, 256,
     "vllm", "vllm.v0_graph_bytes_per_layer", true, 0},
    {"vllm", version(0, 6, 5), Pool::total_share, 0.90, 16, 256, 2048, 256, 2048, false, 32768, 2048, 0, false, false, false, false, true, false, true, false, false, 256,
     "vllm", "vllm.v0_graph_bytes_per_layer", true, 0},
    {"vllm", version(0, 8, 0), Pool::total_share, 0.90, 16, 256, 2048, 256, 8192, true, 0, 0, 0, false, false, false, false, true, false, true, false, false, 256,
     "vllm", "vllm.v1_graph_bytes_per_layer", true, 8},
    {"vllm", version(0, 9, 0), Pool::total_share, 0.90, 16, 256, 2048, 1024, 8192, true, 0, 0, 0, false, false, false, false, true, false, true, false, false, 256,
     "vllm", "vllm.v1_graph_bytes_per_layer", true, 8},
    {"vllm", version(0, 10, 2), Pool::total_share, 0.90, 16, 256, 2048, 1024, 8192, true, 0, 0, 0, false, false, false, true, true, false, true, false, false, 256,
     "vllm", "vllm.graph_bytes_per_layer", true, 0},
    {"vllm", version(0, 15, 0), Pool::total_share, 0.90, 16, 256, 2048, 1024, 8192, true, 0, 0, 0, true, false, false, true, true, false, true, false, false, 256,
     "vllm2", "vllm.graph_bytes_per_layer", true, 0},
    {"vllm", version(0, 27, 0), Pool::total_share, 0.92, 16, 256, 2048, 1024, 8192, true, 0, 0, 0, true, false, false, true, true, false, true, false, false, 256,
     "vllm2", "vllm.graph_bytes_per_layer", true, 0},
    {"sglang", 0, Pool::static_share, 0.88, 1, 2048, 8192, 2048, 8192, true, 0, 0, 4, false, false, false, false, true, false, true, false, false, 0, "sglang", "sglang.graph_bytes_per_layer", true, 0},
    {"tensorrt-llm", 0, Pool::free_share, 0.90, 64, 256, 8192, 2048, 8192, true, 0, 0, 0, false, true, false, true, true, false, true, false, false, 0, "trtllm", "trtllm.graph_bytes_per_layer"},
    {"lmdeploy", 0, Pool::free_share, 0.80, 64, 128, 8192, 128, 8192, true, 0, 0, 0, false, true, false, false, true, false, true, false, false, 0, "lmdeploy", "lmdeploy.graph_bytes_per_layer"},
    {"paddle", 0, Pool::total_share, 0.90, 64, 256, 8192, 256, 8192, true, 0, 0, 0, true, true, false, false, true, false, true, false, false, 0, "fastdeploy", "fastdeploy.graph_bytes_per_layer"},
    {"llama.cpp", 0, Pool::upfront, 1.0, 1, 1, 512, 1, 512, true, 0, 0, 0, false, true, false, false, false, true, false, false, false, 0, "llamacpp", "llamacpp.graph_bytes_per_layer"},
    {"llama.cpp", version(5131, 0), Pool::upfront, 1.0, 1, 1, 512, 1, 512, true, 0, 0, 0, false, true, false, false, true, true, false, false, false, 0, "llamacpp", "llamacpp.graph_bytes_per_layer"},
    {"llama.cpp", version(5427, 0), Pool::upfront, 1.0, 1, 1, 512, 1, 512, true, 0, 0, 0, false, true, false, true, true, true, false, false, false, 0, "llamacpp", "llamacpp.graph_bytes_per_layer"},
    {"transformers", 0, Pool::growing, 1.0, 1, 1, 1048576, 1, 1048576, false, 0, 0, 0, false, true, true, true, false, false, false, true, true, 0, "transformers", "transformers.graph_bytes_per_layer"},
    {"transformers", version(4, 45, 0), Pool::growing, 1.0, 1, 1, 1048576, 1, 1048576, false, 0, 0, 0, false, true, false, true, false, false, false, true, false, 0,
     "transformers", "transformers.graph_bytes_per_layer"},
};

// 8-bit moments carry one fp32 scale per 256 values (Dettmers et al. 2022, arXiv:2110.02861).
constexpr double byte_moment = 1.0 + 4.0 / 256.0;
constexpr OptimizerRecipe optimizers[] = {
    {Optimizer::adamw, 2, 0, -1, false, false, false},
    {Optimizer::adamw_8bit, 2, byte_moment, -1, false, false, false},
    {Optimizer::paged_adamw_8bit, 2, byte_moment, -1, false, false, true},
    {Optimizer::adafactor, 0, 0, -1, true, false, false},
    {Optimizer::lion, 1, 0, -1, false, false, false},
    {Optimizer::sgd, 1, 0, -1, false, false, false},
    {Optimizer::muon, 2, 0, 1, false, false, false},
    {Optimizer::galore, 2, 0, -1, false, true, false},
};

}  // namespace

const TrainingRecipe& training_recipe(std::string_view software, std::int64_t version_code) {
  const TrainingRecipe* found = nullptr;
  for (const TrainingRecipe& row : training) {
    if (software == row.software && row.since <= version_code) found = &row;
  }
  return found ? *found : training[0];
}

double low_bit_bytes(PlainType type) {
  if (type == PlainType::fp8) return 1.0;
  return type == PlainType::nvfp4 ? 0.5 + 1.0 / 16.0 : 0.0;  // one FP8 scale per 16
}

const TaskRecipe& task_recipe(Task task) {
  for (const TaskRecipe& row : tasks) {
    if (task == row.task) return row;
  }
  return tasks[0];
}

const EngineRecipe& engine_recipe(std::string_view software, std::int64_t version_code) {
  const EngineRecipe* found = nullptr;
  for (const EngineRecipe& row : engines) {
    if (software == row.software && row.since <= version_code) found = &row;
  }
  return found ? *found : engines[0];
}

const OptimizerRecipe& optimizer_recipe(Optimizer optimizer) {
  for (const OptimizerRecipe& row : optimizers) {
    if (optimizer == row.optimizer) return row;
  }
  return optimizers[0];
}

}  // namespace gpuplan::memory
