#include "core/layout/enumerate.hpp"

#include <algorithm>
#include <cmath>

namespace gpuplan {
namespace {

std::int64_t experts_of(const Architecture& a) {
  std::int64_t most = 0;
  for (const Layer& l : a.kinds) most = std::max(most, l.mlp.experts);
  return most;
}

/// Expert-parallel degrees worth trying: none, or powers of two that share out the experts of one copy of the model.
Few<std::int32_t, 16> expert_degrees(const Job& job, const LayoutWish& wish, std::int64_t group) {
  Few<std::int32_t, 16> out;
  out.add(static_cast<std::int32_t>(wish.ep.value_or(1)));
  const std::int64_t experts = experts_of(*job.model);
  if (wish.ep || experts == 0 || job.software->max_ep <= 1) return out;
  for (std::int64_t ep = 2; ep <= group; ep *= 2) {
    if (group % ep == 0 && experts % ep == 0) out.add(static_cast<std::int32_t>(ep));
  }
  return out;
}

template <class T>
bool wanted(const std::optional<T>& wish, T value) { return !wish || *wish == value; }

/// ZeRO stages to try: those that the software has and that shard something.
bool zero_open(const Job& job, const LayoutWish& wish, const Layout& l, int zero) {
  if (wish.zero) return zero == *wish.zero;
  return zero == 0 || (zero <= job.software->max_zero && l.dp * l.cp > 1);
}

Families serving_families(const Job& job, const LayoutWish& wish, Layout l) {
  Families out;
  const Software& s = *job.software;
  // A layer split spreads whole layers over devices without running them at once; it is what engines without tensor parallelism do.
  const bool by_layer = wish.split ? *wish.split == ModelSplit::layer : l.by_device() || (s.layer_split && (!s.tensor_split || s.max_tp <= 1));
  if (by_layer) l.split = ModelSplit::layer;
  for (const std::int32_t ep : expert_degrees(job, wish, std::int64_t{l.tp} * l.dp)) {
    l.ep = ep;
    for (const bool attention_dp : {false, true}) {
      const bool open = attention_dp ? wish.attention_dp.value_or(ep > 1 && s.attention_dp) : wanted(wish.attention_dp, false);
      if (!open) continue;
      l.attention_dp = attention_dp;
      out.add(l);
    }
  }
  return out;
}

Families training_families(const Job& job, const LayoutWish& wish, Layout l) {
  Families out;
  if (wish.split) l.split = *wish.split;
  l.virtual_stages = static_cast<std::int32_t>(wish.virtual_stages.value_or(1));
  l.sequence_parallel = wish.sequence_parallel.value_or(l.tp > 1);
  l.shard_group = static_cast<std::int32_t>(wish.shard_group.value_or(0));
  l.zero_bubble = wish.zero_bubble.value_or(false);
  for (const std::int32_t ep : expert_degrees(job, wish, std::int64_t{l.tp} * l.dp * l.cp)) {
    for (int zero = 0; zero <= 3; ++zero) {
      if (!zero_open(job, wish, l, zero)) continue;
      l.ep = ep;
      l.zero = static_cast<std::int8_t>(zero);
      out.add(l);
    }
  }
  return out;
}

}  // namespace

Degrees divisors(std::int64_t gpus, std::int64_t limit, const std::optional<std::int64_t>& wish) {
  Degrees out;
  if (wish) {
    if (gpus % *wish == 0) out.add(static_cast<std::int32_t>(*wish));
    return out;
  }
  const std::int64_t most = std::min(gpus, limit);
  for (std::int64_t d = 1; d <= most; ++d) {
    if (gpus % d == 0) out.add(static_cast<std::int32_t>(d));
  }
  return out;
}

namespace {

/// Layers of each card in proportion to its weight, as llama.cpp assigns them: a layer goes to the first card whose share of the weights so far
/// lies beyond the layer's place.
std::array<std::int16_t, most_devices> divided(const std::vector<double>& weights, std::int64_t units) {
  std::array<std::int16_t, most_devices> out{};
  double sum = 0.0, so_far = 0.0;
  for (const double w : weights) sum += w;
  std::int64_t given = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    so_far += weights[i];
    const auto until = std::min(units, static_cast<std::int64_t>(std::ceil(so_far / sum * static_cast<double>(units) - 1e-9)));
    out[i] = static_cast<std::int16_t>(until - given);
    given = until;
  }
  return out;
}

}  // namespace

std::vector<Layout> device_layouts(const Job& job, const Machine& machine, const LayoutWish& wish) {
  std::vector<Layout> out;
  const std::vector<Device>& all = *machine.devices;
  const auto count = static_cast<std::int64_t>(all.size());
  if (wish.tp.value_or(1) != 1 || wish.dp.value_or(1) != 1 || wish.cp.value_or(1) != 1 || wish.pp.value_or(count) != count) return out;
  const std::int64_t layers = job.model->layer_count();
  const std::int64_t units = std::min(layers + 1, job.workload.gpu_layers.value_or(layers + 1));
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return all[a].gpu->memory_bandwidth > all[b].gpu->memory_bandwidth; });
  for (std::size_t used = 1; used <= order.size() && units > 0; ++used) {
    for (const bool by_speed : {false, true}) {
      std::vector<double> weights(all.size(), 0.0);
      for (std::size_t i = 0; i < used; ++i) weights[order[i]] = by_speed ? all[order[i]].gpu->memory_bandwidth.value : all[order[i]].memory_usable.value;
      Layout l;
      l.pp = static_cast<std::int32_t>(count);
      l.split = ModelSplit::layer;
      l.device_layers = divided(weights, units);
      const bool known = std::any_of(out.begin(), out.end(), [&](const Layout& o) { return o.device_layers == l.device_layers; });
      if (l.by_device() && !known) out.push_back(l);
    }
  }
  return out;
}

Families families(const Job& job, const LayoutWish& wish, const Layout& degrees) {
  return is_training(job.task) ? training_families(job, wish, degrees) : serving_families(job, wish, degrees);
}

Ladder ladder(const Job& job, const LayoutWish& wish) {
  Ladder out;
  const bool training = is_training(job.task);
  for (const Recompute r : {Recompute::none, Recompute::selective, Recompute::full}) {
    if (wanted(wish.recompute, r) && (training || r == Recompute::none)) out.recompute.add(r);
  }
  for (const Offload o : {Offload::none, Offload::optimizer, Offload::parameters}) {
    if (wanted(wish.offload, o) && (training || o == Offload::none) && (o == Offload::none || job.software->offload || wish.offload)) out.offload.add(o);
  }
  return out;
}

}  // namespace gpuplan
