#pragma once
/// Every layout of a job on a machine that a scenario's wishes leave open, in a fixed order [M-search].
#include "core/layout/job.hpp"
#include "core/layout/layout.hpp"

namespace gpuplan {

/// Calls visit(const Layout&) for each candidate with tp × pp × dp × cp = GPUs of the machine; rules are not applied here.
/// The order is stable: fewer ways of splitting first.
template <class Visit>
void for_each_layout(const Job&, const Machine&, const LayoutWish&, Visit&& visit);

/// The degrees that enumeration tries for one wish: the wished one, or 1, 2, 4 … and every divisor of `gpus` up to `limit`.
struct Degrees {
  std::int32_t values[64];
  int count = 0;
  const std::int32_t* begin() const { return values; }
  const std::int32_t* end() const { return values + count; }
};
Degrees divisors(std::int64_t gpus, std::int64_t limit, const std::optional<std::int64_t>& wish);

/// What a job can vary besides the degrees: recompute, ZeRO, offload, sequence parallelism, expert and attention splits.
struct Variants {
  Layout values[512];
  int count = 0;
};
void training_variants(const Job&, const LayoutWish&, const Layout& degrees, Variants& out);
void serving_variants(const Job&, const LayoutWish&, const Layout& degrees, Variants& out);

template <class Visit>
void for_each_layout(const Job& job, const Machine& machine, const LayoutWish& wish, Visit&& visit) {
  const std::int64_t gpus = machine.gpus().n;
  const bool training = is_training(job.task);
  const std::int64_t tp_limit = machine.scale_up_domain.n > machine.gpus_per_node.n ? machine.scale_up_domain.n : machine.gpus_per_node.n;
  const std::int64_t cp_limit = training && job.workload.sequence >= 16384 ? job.workload.sequence / 4096 : 1;
  Variants variants;
  for (const std::int32_t tp : divisors(gpus, tp_limit, wish.tp)) {
    for (const std::int32_t pp : divisors(gpus / tp, job.model->layer_count(), wish.pp)) {
      for (const std::int32_t cp : divisors(gpus / tp / pp, cp_limit, wish.cp)) {
        if (gpus % (std::int64_t{tp} * pp * cp) != 0) continue;
        Layout l;
        l.tp = tp;
        l.pp = pp;
        l.cp = cp;
        l.dp = static_cast<std::int32_t>(gpus / (std::int64_t{tp} * pp * cp));
        if (wish.dp && *wish.dp != l.dp) continue;
        l.micro_batch = training ? static_cast<std::int32_t>(job.workload.micro_batch) : 1;
        variants.count = 0;
        if (training) training_variants(job, wish, l, variants);
        else serving_variants(job, wish, l, variants);
        for (int i = 0; i < variants.count; ++i) visit(const_cast<const Layout&>(variants.values[i]));
      }
    }
  }
}

}  // namespace gpuplan
