#include "core/scenario/fields.hpp"

#include <type_traits>

#include <nlohmann/json.hpp>

#include "core/scenario/field_types.hpp"

namespace gpuplan {
namespace {

constexpr double max_tokens = 1e8;                // longest sequence that we look at

using Fields = std::vector<Field>;

void add_numerics(Fields& f) {
  f.push_back(word<&Scenario::numerics, &Numerics::weights>("/numerics/weights", "w"));
  f.push_back(word<&Scenario::numerics, &Numerics::kv_cache>("/numerics/kv_cache", "kv"));
  f.push_back(word<&Scenario::numerics, &Numerics::activations>("/numerics/activations", "act"));
  f.push_back(word<&Scenario::numerics, &Numerics::optimizer>("/numerics/optimizer", "opt"));
  f.push_back(word<&Scenario::numerics, &Numerics::gradients>("/numerics/gradients", "grad"));
  f.push_back(word<&Scenario::numerics, &Numerics::master_weights>("/numerics/master_weights", "master"));
}

void add_serving(Fields& f) {
  f.push_back(number<&Scenario::workload, &Workload::context>("/workload/context", "ctx", 1, max_tokens));
  f.push_back(number<&Scenario::workload, &Workload::input_tokens>("/workload/input_tokens", "in", 0, max_tokens));
  f.push_back(number<&Scenario::workload, &Workload::output_tokens>("/workload/output_tokens", "out", 0, max_tokens));
  f.push_back(number<&Scenario::workload, &Workload::concurrency>("/workload/concurrency", "c", 1, 1e6));
  f.push_back(number<&Scenario::workload, &Workload::prefix_hit_rate>("/workload/prefix_hit_rate", "hit", 0, 1));
  f.push_back(number<&Scenario::workload, &Workload::max_batched_tokens>("/workload/max_batched_tokens", "mbt", 1, max_tokens));
  f.push_back(number<&Scenario::workload, &Workload::max_sequences>("/workload/max_sequences", "mseq", 1, 1e6));
  f.push_back(number<&Scenario::workload, &Workload::memory_utilization>("/workload/memory_utilization", "util", 0.01, 1));
  f.push_back(number<&Scenario::workload, &Workload::eager>("/workload/eager", "eager", 0, 1));
  f.push_back(number<&Scenario::workload, &Workload::micro_batch_tokens>("/workload/micro_batch_tokens", "ub", 1, 1e6));
  f.push_back(number<&Scenario::workload, &Workload::gpu_layers>("/workload/gpu_layers", "ngl", 0, 1e5));
  f.push_back(number<&Scenario::workload, &Workload::flash_attention>("/workload/flash_attention", "fa", 0, 1));
  f.push_back(number<&Scenario::workload, &Workload::speculative_acceptance>("/workload/speculative_acceptance", "spec", 0, 1));
  f.push_back(number<&Scenario::workload, &Workload::prefill_engines>("/workload/prefill_engines", "pfe", 1, 1e6));
  f.push_back(number<&Scenario::workload, &Workload::images_per_request>("/workload/images_per_request", "img", 0, 1e4));
  f.push_back(number<&Scenario::workload, &Workload::image_tokens>("/workload/image_tokens", "imgt", 1, 1e6));
}

void add_training(Fields& f) {
  f.push_back(number<&Scenario::workload, &Workload::sequence>("/workload/sequence", "seq", 1, max_tokens));
  f.push_back(number<&Scenario::workload, &Workload::micro_batch>("/workload/micro_batch", "mb", 1, 65536));
  f.push_back(number<&Scenario::workload, &Workload::global_batch>("/workload/global_batch", "gb", 1, 1e8));
  f.push_back(number<&Scenario::workload, &Workload::tokens>("/workload/tokens", "tok", 1, 1e18));
  f.push_back(number<&Scenario::workload, &Workload::epochs>("/workload/epochs", "epochs", 0.001, 1e6));
  f.push_back(number<&Scenario::workload, &Workload::sample_tokens>("/workload/sample_tokens", "smp", 1, max_tokens));
  f.push_back(number<&Scenario::workload, &Workload::packed>("/workload/packed", "packed", 0, 1));
  f.push_back(number<&Scenario::workload, &Workload::checkpoint_GBps>("/workload/checkpoint_GBps", "ck", 1e-6, 1e6));
  f.push_back(number<&Scenario::workload, &Workload::node_mtbf_hours>("/workload/node_mtbf_hours", "mtbf", 0.001, 1e9));
  f.push_back(number<&Scenario::workload, &Workload::restart_minutes>("/workload/restart_minutes", "rst", 0, 1e5));
  f.push_back(word<&Scenario::workload, &Workload::loss>("/workload/loss", "loss"));
  f.push_back(number<&Scenario::workload, &Workload::lora_rank>("/workload/lora_rank", "r", 1, 65536));
  f.push_back(list<&Scenario::workload, &Workload::lora_targets>("/workload/lora_targets", "lt", nullptr));
  f.push_back(list<&Scenario::workload, &Workload::trainable>("/workload/trainable", "train", nullptr));
}

/// How a training run saves memory.
void add_training_memory(Fields& f) {
  f.push_back(number<&Scenario::workload, &Workload::dora>("/workload/dora", "dora", 0, 1));
  f.push_back(number<&Scenario::workload, &Workload::adapters>("/workload/adapters", "peft", 0, 1));
  f.push_back(number<&Scenario::workload, &Workload::reference_model>("/workload/reference_model", "ref", 0, 1));
  f.push_back(number<&Scenario::workload, &Workload::rollout_sleeps>("/workload/rollout_sleeps", "sleep", 0, 1));
  f.push_back(number<&Scenario::workload, &Workload::compiled>("/workload/compiled", "tc", 0, 1));
  f.push_back(number<&Scenario::workload, &Workload::optimizer_in_backward>("/workload/optimizer_in_backward", "oib", 0, 1));
  f.push_back(number<&Scenario::workload, &Workload::activation_offload>("/workload/activation_offload", "aoff", 0, 1));
  f.push_back(number<&Scenario::workload, &Workload::trained_layers>("/workload/trained_layers", "tl", 1, 1e5));
  f.push_back(number<&Scenario::workload, &Workload::recompute_layers>("/workload/recompute_layers", "rcl", 0, 1e5));
  f.push_back(number<&Scenario::workload, &Workload::galore_rank>("/workload/galore_rank", "gr", 1, 65536));
  f.push_back(number<&Scenario::workload, &Workload::live_parameters>("/workload/live_parameters", "live", 0, 1e13));
  f.push_back(number<&Scenario::workload, &Workload::bucket_elements>("/workload/bucket_elements", "bkt", 1, 1e12));
}

void add_hardware(Fields& f) {
  f.push_back(text<&Scenario::hardware, &Hardware::gpu>("/hardware/gpu", "gpu"));
  f.push_back(list<&Scenario::hardware, &Hardware::gpus>("/hardware/gpus", "gpus", nullptr));
  f.push_back(text<&Scenario::hardware, &Hardware::instance>("/hardware/instance", "i"));
  f.push_back(number<&Scenario::hardware, &Hardware::gpus_per_node>("/hardware/gpus_per_node", "g", 1, 1024));
  f.push_back(number<&Scenario::hardware, &Hardware::nodes>("/hardware/nodes", "n", 1, 65536));
  f.push_back(number<&Scenario::hardware, &Hardware::memory_gib>("/hardware/memory_gib", "mem", 0.001, 65536));
  f.push_back(number<&Scenario::hardware, &Hardware::scale_up_GBps>("/hardware/scale_up_GBps", "up", 0.001, 1e6));
  f.push_back(number<&Scenario::hardware, &Hardware::scale_out_gbps_per_node>("/hardware/scale_out_gbps_per_node", "net", 0.001, 1e7));
  f.push_back(number<&Scenario::hardware, &Hardware::host_memory_gib>("/hardware/host_memory_gib", "host", 0.001, 1e7));
}

void add_layout(Fields& f) {
  f.push_back(number<&Scenario::layout, &LayoutWish::tp>("/layout/tp", "tp", 1, 4096));
  f.push_back(number<&Scenario::layout, &LayoutWish::pp>("/layout/pp", "pp", 1, 4096));
  f.push_back(number<&Scenario::layout, &LayoutWish::dp>("/layout/dp", "dp", 1, 1e6));
  f.push_back(number<&Scenario::layout, &LayoutWish::cp>("/layout/cp", "cp", 1, 4096));
  f.push_back(number<&Scenario::layout, &LayoutWish::ep>("/layout/ep", "ep", 1, 4096));
  f.push_back(number<&Scenario::layout, &LayoutWish::sequence_parallel>("/layout/sequence_parallel", "sp", 0, 1));
  f.push_back(number<&Scenario::layout, &LayoutWish::virtual_stages>("/layout/virtual_stages", "vs", 1, 1024));
  f.push_back(number<&Scenario::layout, &LayoutWish::attention_dp>("/layout/attention_dp", "adp", 0, 1));
  f.push_back(number<&Scenario::layout, &LayoutWish::zero>("/layout/zero", "z", 0, 3));
  f.push_back(number<&Scenario::layout, &LayoutWish::shard_group>("/layout/shard_group", "sg", 2, 1e6));
  f.push_back(number<&Scenario::layout, &LayoutWish::zero_bubble>("/layout/zero_bubble", "zb", 0, 1));
  f.push_back(word<&Scenario::layout, &LayoutWish::offload>("/layout/offload", "off"));
  f.push_back(word<&Scenario::layout, &LayoutWish::recompute>("/layout/recompute", "rc"));
  f.push_back(word<&Scenario::layout, &LayoutWish::split>("/layout/split", "split"));
}

void add_policy(Fields& f) {
  f.push_back(number<&Scenario::policy, &Policy::headroom>("/policy/headroom", "hr", 0, 0.95));
  f.push_back(word<&Scenario::policy, &Policy::objective>("/policy/objective", "by"));
  f.push_back(list<&Scenario::policy, &Policy::providers>("/policy/providers", "prov", nullptr));
  f.push_back(list<&Scenario::policy, &Policy::regions>("/policy/regions", "reg", nullptr));
  f.push_back(list<&Scenario::policy, &Policy::provider_classes>("/policy/provider_classes", "pc", provider_class_words));
  f.push_back(number<&Scenario::policy, &Policy::max_usd_per_hour>("/policy/max_usd_per_hour", "maxh", 0.0001, 1e9));
  f.push_back(number<&Scenario::policy, &Policy::min_tokens_per_s>("/policy/min_tokens_per_s", "mint", 0, 1e12));
  f.push_back(number<&Scenario::policy, &Policy::max_ttft_s>("/policy/max_ttft_s", "ttft", 1e-6, 1e6));
  f.push_back(number<&Scenario::policy, &Policy::max_tpot_s>("/policy/max_tpot_s", "tpot", 1e-6, 1e6));
  f.push_back(number<&Scenario::policy, &Policy::deadline_hours>("/policy/deadline_hours", "dl", 1e-3, 1e7));
  f.push_back(number<&Scenario::policy, &Policy::max_usd>("/policy/max_usd", "maxusd", 0.0001, 1e12));
  f.push_back(word<&Scenario::policy, &Policy::pricing>("/policy/pricing", "pr"));
  f.push_back(number<&Scenario::policy, &Policy::purchase_usd>("/policy/purchase_usd", "buy", 1, 1e9));
  f.push_back(number<&Scenario::policy, &Policy::years>("/policy/years", "yrs", 0.1, 50));
  f.push_back(number<&Scenario::policy, &Policy::power_kw>("/policy/power_kw", "kw", 0.001, 1e5));
  f.push_back(number<&Scenario::policy, &Policy::usd_per_kwh>("/policy/usd_per_kwh", "kwh", 0, 100));
  f.push_back(number<&Scenario::policy, &Policy::reserved_discount>("/policy/reserved_discount", "rd", 0, 0.99));
  f.push_back(text<&Scenario::policy, &Policy::currency>("/policy/currency", "cur", currency_words));
  f.push_back(number<&Scenario::policy, &Policy::usd_per_cny>("/policy/usd_per_cny", "cny", 0.01, 10));
  f.push_back(number<&Scenario::policy, &Policy::max_price_age_days>("/policy/max_price_age_days", "age", 0, 36500));
  f.push_back(number<&Scenario::policy, &Policy::undated_prices>("/policy/undated_prices", "und", 0, 1));
  f.push_back(word<&Scenario::policy, &Policy::tiers>("/policy/tiers", "tiers"));
}

Fields make_fields() {
  Fields f;
  f.push_back(top_word<&Scenario::task>("/task", "t"));
  f.push_back(top_text<&Scenario::software>("/software", "s"));
  f.push_back(top_text<&Scenario::software_version>("/software_version", "sv"));
  add_numerics(f);
  add_serving(f);
  add_training(f);
  add_training_memory(f);
  add_hardware(f);
  add_layout(f);
  add_policy(f);
  return f;
}

}  // namespace

const std::vector<Field>& fields() {
  static const Fields all = make_fields();
  return all;
}

const Field* field_at(std::string_view pointer) {
  for (const Field& f : fields()) {
    if (pointer == f.pointer) return &f;
  }
  return nullptr;
}

}  // namespace gpuplan
