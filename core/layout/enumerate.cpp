#include "core/layout/enumerate.hpp"

#include <algorithm>

namespace gpuplan {
namespace {

void push(Variants& out, const Layout& l) {
  if (out.count < static_cast<int>(std::size(out.values))) out.values[out.count++] = l;
}

bool sparse(const Architecture& a) {
  return std::any_of(a.kinds.begin(), a.kinds.end(), [](const Layer& l) { return l.mlp.experts > 0; });
}

std::int64_t experts_of(const Architecture& a) {
  std::int64_t most = 0;
  for (const Layer& l : a.kinds) most = std::max(most, l.mlp.experts);
  return most;
}

/// Expert-parallel degrees worth trying: none, or the whole group that holds one copy of the experts.
Degrees expert_degrees(const Job& job, const LayoutWish& wish, std::int64_t group) {
  Degrees out;
  if (wish.ep) {
    out.values[out.count++] = static_cast<std::int32_t>(*wish.ep);
    return out;
  }
  out.values[out.count++] = 1;
  if (!sparse(*job.model) || job.software->max_ep <= 1) return out;
  for (std::int64_t ep = 2; ep <= group && out.count < 12; ep *= 2) {
    if (group % ep == 0 && experts_of(*job.model) % ep == 0) out.values[out.count++] = static_cast<std::int32_t>(ep);
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

}  // namespace

Degrees divisors(std::int64_t gpus, std::int64_t limit, const std::optional<std::int64_t>& wish) {
  Degrees out;
  if (wish) {
    if (gpus % *wish == 0) out.values[out.count++] = static_cast<std::int32_t>(*wish);
    return out;
  }
  for (std::int64_t d = 1; d <= gpus && d <= limit && out.count < static_cast<int>(std::size(out.values)); ++d) {
    if (gpus % d == 0) out.values[out.count++] = static_cast<std::int32_t>(d);
  }
  return out;
}

void serving_variants(const Job& job, const LayoutWish& wish, const Layout& degrees, Variants& out) {
  const Software& s = *job.software;
  // A layer split spreads whole layers over devices without running them at once; it is what engines without tensor parallelism do.
  const bool by_layer = wish.split ? *wish.split == ModelSplit::layer : (s.layer_split && (!s.tensor_split || s.max_tp <= 1));
  Layout l = degrees;
  l.virtual_stages = 1;
  if (by_layer) l.split = ModelSplit::layer;
  if (l.cp > 1 && !wish.cp) return;
  for (const std::int32_t ep : expert_degrees(job, wish, std::int64_t{l.tp} * l.dp)) {
    l.ep = ep;
    for (const bool attention_dp : {false, true}) {
      if (!wanted(wish.attention_dp, attention_dp)) continue;
      if (attention_dp && (ep == 1 || !s.attention_dp) && !wish.attention_dp) continue;
      l.attention_dp = attention_dp;
      push(out, l);
    }
  }
}

void training_variants(const Job& job, const LayoutWish& wish, const Layout& degrees, Variants& out) {
  Layout l = degrees;
  if (wish.split) l.split = *wish.split;
  l.virtual_stages = static_cast<std::int32_t>(wish.virtual_stages.value_or(1));
  l.sequence_parallel = wish.sequence_parallel.value_or(l.tp > 1 && job.software->max_tp > 1);
  for (const std::int32_t ep : expert_degrees(job, wish, std::int64_t{l.tp} * l.dp * l.cp)) {
    l.ep = ep;
    for (int zero = 0; zero <= 3; ++zero) {
      if (!zero_open(job, wish, l, zero)) continue;
      l.zero = static_cast<std::int8_t>(zero);
      for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
        if (!wanted(wish.recompute, recompute)) continue;
        l.recompute = recompute;
        for (const Offload offload : {Offload::none, Offload::optimizer, Offload::parameters}) {
          if (!wanted(wish.offload, offload) || (offload != Offload::none && !job.software->offload && !wish.offload)) continue;
          l.offload = offload;
          push(out, l);
        }
      }
    }
  }
}

}  // namespace gpuplan
