#pragma once
/// A scenario: what a person wants to run, and what of it is already decided. Empty optionals mean "choose for me" (api.md).
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/gpu.hpp"
#include "core/catalog/instance.hpp"
#include "core/dtype.hpp"
#include "core/model/architecture.hpp"

namespace gpuplan {

struct Profile;  // core/catalog/profile.hpp

enum class Task : std::uint8_t { inference, pretraining, full_finetune, lora, qlora, dpo, ppo, grpo };
enum class Recompute : std::uint8_t { none, selective, full };
enum class Offload : std::uint8_t { none, optimizer, parameters };
enum class ModelSplit : std::uint8_t { tensor, layer };
enum class LossKernel : std::uint8_t { automatic, plain, chunked, fused };
enum class Objective : std::uint8_t { cost, throughput, latency };
enum class TierScheme : std::uint8_t { llm, classic };

const char* name(Task);
const char* name(Recompute);
const char* name(Offload);
const char* name(ModelSplit);
const char* name(LossKernel);
const char* name(Objective);
const char* name(Pricing);
const char* name(TierScheme);
inline bool is_training(Task t) { return t != Task::inference; }
inline bool is_adapter(Task t) { return t == Task::lora || t == Task::qlora; }
inline bool is_preference(Task t) { return t == Task::dpo || t == Task::ppo || t == Task::grpo; }

/// Either a catalog id or an architecture that the person brought.
struct ModelRef {
  std::string id;
  std::shared_ptr<const Architecture> custom;  ///< read from hf_config, gguf, safetensors or architecture
  std::string custom_kind, custom_json;        ///< "hf_config" … and its canonical text, for the link
};

struct Numerics {
  std::optional<WeightFormat> weights;
  KvFormat kv_cache = KvFormat::automatic;
  PlainType activations = PlainType::automatic;
  Optimizer optimizer = Optimizer::adamw;
  PlainType gradients = PlainType::automatic;
  PlainType master_weights = PlainType::automatic;
};

struct Workload {
  std::int64_t context = 8192;        ///< longest sequence the engine must hold, tokens
  std::int64_t input_tokens = 1024, output_tokens = 256;
  std::int64_t concurrency = 16;      ///< requests at once
  double prefix_hit_rate = 0.0;
  std::optional<std::int64_t> max_batched_tokens, max_sequences, micro_batch_tokens, gpu_layers, image_tokens;
  std::optional<std::int64_t> prefill_engines;  ///< of the dp replicas, those that only compute prompts (disaggregated serving)
  std::optional<double> memory_utilization, speculative_acceptance;
  bool eager = false, flash_attention = true;
  std::int64_t images_per_request = 0;
  std::int64_t sequence = 4096;       ///< training sequence length, tokens
  std::int64_t micro_batch = 1;       ///< sequences per GPU and micro-step
  std::int64_t global_batch = 256;    ///< sequences per optimizer step
  double tokens = 1e9;                ///< of the whole run
  double epochs = 1.0;                ///< passes over those tokens
  std::optional<std::int64_t> sample_tokens;  ///< mean length of a training sample; empty = every sequence is one full sample
  bool packed = true;                 ///< several samples share a sequence; else each is padded to it
  std::optional<double> checkpoint_GBps;      ///< storage bandwidth that a checkpoint is written at, whole job
  std::optional<double> node_mtbf_hours;      ///< mean time between failures of one node; empty = nothing fails
  double restart_minutes = 10.0;      ///< from a failure to the first step after it
  LossKernel loss = LossKernel::automatic;
  std::int64_t lora_rank = 16;
  std::vector<std::string> lora_targets{"all-linear"};
  std::vector<std::string> trainable;  ///< empty = auto
  bool dora = false;                  ///< adapters with a magnitude vector per adapted matrix (DoRA)
  bool adapters = false;              ///< dpo, ppo, grpo train low-rank adapters instead of all weights
  bool reference_model = true;        ///< dpo, grpo keep a reference; else its log probabilities are computed beforehand
  bool rollout_sleeps = false;        ///< the generation engine gives its memory back while the policy trains
  bool compiled = false;              ///< layers are compiled (torch.compile): norms and activations fused
  bool optimizer_in_backward = false; ///< each parameter steps as soon as its gradient is there
  bool activation_offload = false;    ///< recomputation keeps the layers' inputs in host memory
  std::optional<std::int64_t> trained_layers;    ///< layers that train at once (LISA, freezing); empty = all
  std::optional<std::int64_t> recompute_layers;  ///< layers per pipeline stage that recompute = full covers; empty = all
  std::optional<std::int64_t> galore_rank;       ///< rank of GaLore's projections; empty = its default
  std::optional<std::int64_t> live_parameters;   ///< stage 3: parameters that stay gathered (stage3_max_live_parameters)
  std::optional<std::int64_t> bucket_elements;   ///< elements of a gradient bucket (reduce_bucket_size)
};

/// Low-rank adapters train, not the weights: LoRA and QLoRA, or preference and reinforcement learning with adapters.
inline bool trains_adapters(Task t, const Workload& w) { return is_adapter(t) || (is_preference(t) && w.adapters); }

/// A card described by the person.
struct GpuSpec {
  double memory_gib = 0.0, bandwidth_GBps = 0.0, link_GBps = 0.0, pcie_GBps = 0.0;
  std::optional<double> tflops_fp32, tflops_fp16, tflops_bf16, tflops_fp8, tflops_int8, tflops_fp4;
};

struct Hardware {
  std::optional<std::string> gpu, instance;
  std::vector<std::string> gpus;  ///< one box whose cards differ: an id for each card, the main one first
  std::optional<GpuSpec> gpu_spec;
  std::optional<std::int64_t> gpus_per_node, nodes;
  std::optional<double> memory_gib, scale_up_GBps, scale_out_gbps_per_node, host_memory_gib;
  std::shared_ptr<const Profile> profile;
  std::string profile_json;  ///< canonical text, for the link

  /// The person says which machine: nothing else is searched.
  bool named() const { return instance || gpu || gpu_spec || profile || !gpus.empty(); }
};

/// Fixed degrees of the layout; empty = search.
struct LayoutWish {
  std::optional<std::int64_t> tp, pp, dp, cp, ep, virtual_stages, zero, shard_group;
  std::optional<bool> sequence_parallel, attention_dp, zero_bubble;
  std::optional<Offload> offload;
  std::optional<Recompute> recompute;
  std::optional<ModelSplit> split;
};

struct Policy {
  double headroom = 0.2;  ///< share of usable memory that recommendations leave free
  Objective objective = Objective::cost;
  std::vector<std::string> providers, regions, provider_classes;
  std::optional<double> max_usd_per_hour, min_tokens_per_s, max_ttft_s, max_tpot_s, deadline_hours, max_usd, max_price_age_days;
  Pricing pricing = Pricing::on_demand;
  std::optional<double> purchase_usd, years, power_kw, usd_per_kwh;  ///< pricing = owned: of one node, as Ownership has them [M-owned]
  std::optional<double> reserved_discount;  ///< pricing = reserved: share of the on-demand price that a commitment takes off, for offers without a reserved price
  std::string currency = "USD";  ///< prices are shown in this currency
  std::optional<double> usd_per_cny;  ///< replaces the catalog's dated rate
  bool undated_prices = true;
  TierScheme tiers = TierScheme::llm;
};

/// Every field with its default; the readers and both user interfaces take the defaults from here.
struct Scenario {
  ModelRef model;
  Task task = Task::inference;
  std::optional<std::string> software, software_version;
  Numerics numerics;
  Workload workload;
  Hardware hardware;
  LayoutWish layout;
  Policy policy;
};

}  // namespace gpuplan
