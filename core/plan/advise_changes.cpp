#include "core/plan/advise_changes.hpp"

#include <algorithm>

namespace gpuplan {
namespace {

using Values = std::vector<ChangeValue>;

std::int64_t whole(const ChangeValue& v) { return std::get<std::int64_t>(v); }
const std::string& text(const ChangeValue& v) { return std::get<std::string>(v); }

ChangeValue optional_whole(const std::optional<std::int64_t>& v) { return v ? ChangeValue(*v) : ChangeValue(); }

bool listed(const std::vector<std::string>& all, const char* one) { return std::find(all.begin(), all.end(), one) != all.end(); }

/// Formats below the present one that the software loads, largest first.
Values smaller_formats(const std::vector<std::string>& known, double present, const std::vector<std::pair<const char*, double>>& bytes) {
  Values out;
  for (const auto& [id, size] : bytes) {
    if (size < present && listed(known, id)) out.emplace_back(std::string(id));
  }
  return out;
}

void lengths(std::vector<Lever>& out, const Scenario& s) {
  const bool training = is_training(s.task);
  const std::int64_t length = training ? s.workload.sequence : s.workload.context;
  if (training) {
    out.push_back({"/workload/sequence", length, {}, 256, length, 256, [](Scenario& x, const ChangeValue& v) { x.workload.sequence = whole(v); }});
    Values batches;
    for (std::int64_t b = s.workload.micro_batch / 2; b >= 1; b /= 2) batches.emplace_back(b);
    out.push_back({"/workload/micro_batch", s.workload.micro_batch, batches, 0, 0, 1, [](Scenario& x, const ChangeValue& v) { x.workload.micro_batch = whole(v); }});
    return;
  }
  const std::int64_t shortest = round_up(s.workload.output_tokens + 1, 256);
  out.push_back({"/workload/context", length, {}, shortest, length, 256, [](Scenario& x, const ChangeValue& v) {
                   x.workload.context = whole(v);
                   x.workload.input_tokens = std::min(x.workload.input_tokens, std::max<std::int64_t>(1, whole(v) - x.workload.output_tokens));
                 }});
  out.push_back({"/workload/concurrency", s.workload.concurrency, {}, 1, s.workload.concurrency, 1,
                 [](Scenario& x, const ChangeValue& v) { x.workload.concurrency = whole(v); }});
}

void serving_settings(std::vector<Lever>& out, const Scenario& s, const Software& software) {
  const Values kv = smaller_formats(software.kv_formats, bytes_per_element(s.numerics.kv_cache), {{"fp8", 1.0}, {"int8", 1.0}, {"q8_0", 1.0625}, {"int4", 0.5}, {"q4_0", 0.5625}});
  out.push_back({"/numerics/kv_cache", std::string(name(s.numerics.kv_cache)), kv, 0, 0, 1,
                 [](Scenario& x, const ChangeValue& v) { x.numerics.kv_cache = *parse_kv_format(text(v)); }});
  const WeightFormat now = s.numerics.weights.value_or(WeightFormat::bf16);
  const double bytes = now == WeightFormat::fp32 ? 4.0 : !is_quantized(now) ? 2.0 : now == WeightFormat::fp8 || now == WeightFormat::int8 || now == WeightFormat::q8_0 ? 1.0 : 0.6;
  const Values weights = smaller_formats(software.weight_formats, bytes, {{"bf16", 2.0}, {"fp8", 1.0}, {"gptq-8bit", 1.02}, {"q8_0", 1.06}, {"awq", 0.52}, {"q4_k_m", 0.6}, {"nf4", 0.56}, {"q2_k", 0.42}});
  out.push_back({"/numerics/weights", std::string(name(now)), weights, 0, 0, 1,
                 [](Scenario& x, const ChangeValue& v) { x.numerics.weights = parse_weight_format(text(v)); }});
  out.push_back({"/workload/max_sequences", optional_whole(s.workload.max_sequences), Values{std::int64_t{256}, std::int64_t{64}, std::int64_t{16}}, 0, 0, 1,
                 [](Scenario& x, const ChangeValue& v) { x.workload.max_sequences = whole(v); }});
  out.push_back({"/workload/max_batched_tokens", optional_whole(s.workload.max_batched_tokens), Values{std::int64_t{4096}, std::int64_t{2048}, std::int64_t{512}}, 0, 0, 1,
                 [](Scenario& x, const ChangeValue& v) { x.workload.max_batched_tokens = whole(v); }});
  if (!s.workload.eager) {
    out.push_back({"/workload/eager", false, Values{true}, 0, 0, 1, [](Scenario& x, const ChangeValue& v) { x.workload.eager = std::get<bool>(v); }});
  }
  const std::optional<double> share = s.workload.memory_utilization;
  if (!share || *share < 0.95) {
    out.push_back({"/workload/memory_utilization", share ? ChangeValue(*share) : ChangeValue(), Values{0.95}, 0, 0, 1,
                   [](Scenario& x, const ChangeValue& v) { x.workload.memory_utilization = std::get<double>(v); }});
  }
}

void training_settings(std::vector<Lever>& out, const Scenario& s, const Software& software) {
  const Recompute recompute = s.layout.recompute.value_or(Recompute::none);
  Values more;
  if (recompute == Recompute::none) more.emplace_back(std::string(name(Recompute::selective)));
  if (recompute != Recompute::full) more.emplace_back(std::string(name(Recompute::full)));
  out.push_back({"/layout/recompute", std::string(name(recompute)), more, 0, 0, 1, [](Scenario& x, const ChangeValue& v) {
                   x.layout.recompute = text(v) == name(Recompute::full) ? Recompute::full : Recompute::selective;
                 }});
  Values stages;
  for (std::int64_t z = s.layout.zero.value_or(0) + 1; z <= software.max_zero; ++z) stages.emplace_back(z);
  out.push_back({"/layout/zero", s.layout.zero.value_or(0), stages, 0, 0, 1, [](Scenario& x, const ChangeValue& v) { x.layout.zero = whole(v); }});
  const Offload offload = s.layout.offload.value_or(Offload::none);
  Values away;
  if (software.offload && offload == Offload::none) away.emplace_back(std::string(name(Offload::optimizer)));
  if (software.offload && offload != Offload::parameters) away.emplace_back(std::string(name(Offload::parameters)));
  out.push_back({"/layout/offload", std::string(name(offload)), away, 0, 0, 1, [](Scenario& x, const ChangeValue& v) {
                   x.layout.offload = text(v) == name(Offload::parameters) ? Offload::parameters : Offload::optimizer;
                 }});
  if (!s.workload.flash_attention) {
    out.push_back({"/workload/flash_attention", false, Values{true}, 0, 0, 1, [](Scenario& x, const ChangeValue& v) { x.workload.flash_attention = std::get<bool>(v); }});
  }
  out.push_back({"/workload/loss", std::string("auto"), Values{std::string("chunked"), std::string("fused")}, 0, 0, 1, [](Scenario& x, const ChangeValue& v) {
                   x.workload.loss = text(v) == "fused" ? LossKernel::fused : LossKernel::chunked;
                 }});
  Values optimizers;
  for (const char* id : {"adamw-8bit", "adafactor", "paged-adamw-8bit", "galore"}) {
    if (listed(software.optimizers, id) && id != std::string(name(s.numerics.optimizer))) optimizers.emplace_back(std::string(id));
  }
  if (s.numerics.optimizer != Optimizer::adamw) optimizers.clear();
  out.push_back({"/numerics/optimizer", std::string(name(s.numerics.optimizer)), optimizers, 0, 0, 1,
                 [](Scenario& x, const ChangeValue& v) { x.numerics.optimizer = *parse_optimizer(text(v)); }});
  Values tasks;
  if (!is_adapter(s.task) && listed(software.tasks, "lora") && s.task == Task::full_finetune) tasks.emplace_back(std::string("lora"));
  if (s.task != Task::qlora && (is_adapter(s.task) || s.task == Task::full_finetune) && listed(software.tasks, "qlora")) tasks.emplace_back(std::string("qlora"));
  out.push_back({"/task", std::string(name(s.task)), tasks, 0, 0, 1, [](Scenario& x, const ChangeValue& v) {
                   x.task = text(v) == "qlora" ? Task::qlora : Task::lora;
                   if (x.task == Task::qlora) x.numerics.weights = WeightFormat::nf4;
                 }});
}

/// A degree doubled at the expense of data parallelism, the GPUs staying the same.
void degrees(std::vector<Lever>& out, const Scenario& s) {
  const auto add = [&](const char* pointer, std::optional<std::int64_t> LayoutWish::*field) {
    Values more;
    const std::int64_t now = (s.layout.*field).value_or(1), dp = s.layout.dp.value_or(1);
    for (std::int64_t k = 2; k <= dp && k <= 16; k *= 2) {
      if (dp % k == 0) more.emplace_back(now * k);
    }
    out.push_back({pointer, now, more, 0, 0, 1, [field](Scenario& x, const ChangeValue& v) {
                     const std::int64_t before = (x.layout.*field).value_or(1), factor = whole(v) / before;
                     x.layout.*field = whole(v);
                     x.layout.dp = x.layout.dp.value_or(1) / factor;
                   }});
  };
  add("/layout/tp", &LayoutWish::tp);
  add("/layout/pp", &LayoutWish::pp);
}

/// Next larger GPUs of the same maker, and twice the GPUs.
void hardware(std::vector<Lever>& out, const Knowledge& k, const Scenario& s, const Option& option) {
  if (s.hardware.gpu_spec || s.hardware.profile) return;
  const Gpu& now = *option.machine.gpu;
  std::vector<const Gpu*> larger;
  for (const Gpu& g : k.catalog.gpus) {
    if (g.vendor == now.vendor && !g.announced_only && !g.unified_memory && g.memory_usable > option.machine.memory_usable && g.year >= now.year) larger.push_back(&g);
  }
  std::sort(larger.begin(), larger.end(), [](const Gpu* a, const Gpu* b) { return a->memory_usable != b->memory_usable ? a->memory_usable < b->memory_usable : a->id < b->id; });
  Values ids;
  for (const Gpu* g : larger) ids.emplace_back(g->id);
  const std::int64_t per_node = option.machine.gpus_per_node.n, nodes = option.machine.nodes.n;
  out.push_back({"/hardware/gpu", now.id, ids, 0, 0, 1, [per_node, nodes](Scenario& x, const ChangeValue& v) {
                   x.hardware = Hardware{};
                   x.hardware.gpu = text(v);
                   x.hardware.gpus_per_node = per_node;
                   x.hardware.nodes = nodes;
                 }});
  const auto free_layout = [](Scenario& x) { x.layout.tp.reset(), x.layout.pp.reset(), x.layout.dp.reset(), x.layout.ep.reset(); };
  if (!s.hardware.instance && per_node < 8) {
    out.push_back({"/hardware/gpus_per_node", per_node, Values{per_node * 2, per_node * 4}, 0, 0, 1, [free_layout](Scenario& x, const ChangeValue& v) {
                     x.hardware.gpus_per_node = whole(v);
                     free_layout(x);
                   }});
  }
  out.push_back({"/hardware/nodes", nodes, Values{nodes * 2, nodes * 4}, 0, 0, 1, [free_layout](Scenario& x, const ChangeValue& v) {
                   x.hardware.nodes = whole(v);
                   free_layout(x);
                 }});
}

}  // namespace

std::vector<Lever> levers(const Knowledge& k, const Scenario& s, const Option& option) {
  std::vector<Lever> out;
  const Software& software = *option.candidate->job.software;
  lengths(out, s);
  if (is_training(s.task)) training_settings(out, s, software);
  else serving_settings(out, s, software);
  degrees(out, s);
  hardware(out, k, s, option);
  out.erase(std::remove_if(out.begin(), out.end(), [](const Lever& l) { return l.values.empty() && l.lowest >= l.highest; }), out.end());
  return out;
}

}  // namespace gpuplan
