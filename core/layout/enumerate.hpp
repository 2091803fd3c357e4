#pragma once
/// Every layout of a job on a machine that a scenario's wishes leave open, in a fixed order [M-search].
/// Three steps: degrees (tp × pp × cp × dp), families (ZeRO, ep, attention-dp), and on each family a ladder of memory savers.
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "core/layout/job.hpp"
#include "core/layout/layout.hpp"

namespace gpuplan {

/// A short list without allocation.
template <class T, std::size_t N>
struct Few {
  std::array<T, N> values{};
  std::size_t count = 0;
  void add(const T& v) {
    if (count < N) values[count++] = v;
  }
  const T* begin() const { return values.data(); }
  const T* end() const { return values.data() + count; }
};

/// Divisors of `gpus` up to `limit`, ascending; only the wished one where there is a wish.
using Degrees = Few<std::int32_t, 64>;
Degrees divisors(std::int64_t gpus, std::int64_t limit, const std::optional<std::int64_t>& wish);

/// Layouts of the same degrees that differ in ZeRO stage, expert parallelism or attention-dp; recompute and offload still none.
using Families = Few<Layout, 64>;
Families families(const Job&, const LayoutWish&, const Layout& degrees);

/// What a family can give up time for, cheapest first: each step saves memory and never makes a step faster.
struct Ladder {
  Few<Recompute, 3> recompute;
  Few<Offload, 3> offload;
};
Ladder ladder(const Job&, const LayoutWish&);

/// Layouts of a box whose cards differ: whole layers per card in proportion to memory or to speed, over all cards or the fastest few.
std::vector<Layout> device_layouts(const Job&, const Machine&, const LayoutWish&);

/// Calls visit(const Layout&) for all degrees with tp × pp × dp × cp = GPUs of the machine. The order is stable.
template <class Visit>
void for_each_degrees(const Job& job, const Machine& machine, const LayoutWish& wish, Visit&& visit) {
  if (machine.devices) {
    for (const Layout& l : device_layouts(job, machine, wish)) visit(l);
    return;
  }
  const std::int64_t gpus = machine.gpus().n;
  const bool training = is_training(job.task);
  const std::int64_t tp_limit = machine.scale_up_domain.n > machine.gpus_per_node.n ? machine.scale_up_domain.n : machine.gpus_per_node.n;
  // Below 16 Ki tokens a sequence fits one GPU's attention; context parallelism then only adds messages.
  constexpr std::int64_t long_sequence = 16384, tokens_per_cp_rank = 4096;
  const std::int64_t cp_limit = training && job.workload.sequence >= long_sequence ? job.workload.sequence / tokens_per_cp_rank : 1;
  // Nobody trains with stages of one or two layers: the first and last stage, which hold the embedding and the head, would set the pace.
  constexpr std::int64_t fewest_layers_per_stage = 3;
  const std::int64_t pp_limit = std::max<std::int64_t>(1, job.model->layer_count() / (training ? fewest_layers_per_stage : 1));
  for (const std::int32_t tp : divisors(gpus, tp_limit, wish.tp)) {
    for (const std::int32_t pp : divisors(gpus / tp, pp_limit, wish.pp)) {
      for (const std::int32_t cp : divisors(gpus / tp / pp, cp_limit, wish.cp)) {
        Layout l;
        l.tp = tp;
        l.pp = pp;
        l.cp = cp;
        l.dp = static_cast<std::int32_t>(gpus / (std::int64_t{tp} * pp * cp));
        if (wish.dp && *wish.dp != l.dp) continue;
        l.micro_batch = training ? static_cast<std::int32_t>(job.workload.micro_batch) : 1;
        visit(const_cast<const Layout&>(l));
      }
    }
  }
}

/// Calls visit(const Layout&) for every layout, none skipped: what the search must agree with.
template <class Visit>
void for_each_layout(const Job& job, const Machine& machine, const LayoutWish& wish, Visit&& visit) {
  const Ladder steps = ladder(job, wish);
  for_each_degrees(job, machine, wish, [&](const Layout& degrees) {
    for (Layout l : families(job, wish, degrees)) {
      for (const Offload offload : steps.offload) {
        for (const Recompute recompute : steps.recompute) {
          l.offload = offload;
          l.recompute = recompute;
          visit(const_cast<const Layout&>(l));
        }
      }
    }
  });
}

}  // namespace gpuplan
