#include "core/memory/optimizer_state.hpp"

namespace gpuplan::memory {
namespace {

/// Bytes per trained parameter after the person's own choices of types.
struct PerParameter {
  double weights, gradients, master, moment, step;
};

PerParameter per_parameter(const Job& job, const TrainingRecipe& r) {
  PerParameter out{r.weights, r.gradients, r.master, r.moment, r.step_temporary};
  if (job.gradients != PlainType::automatic) out.gradients = bytes_per_element(job.gradients);
  if (job.master_weights == PlainType::none) {
    out.master = 0.0;
    out.weights = r.weights < 2.0 ? r.weights : 2.0;
    out.moment = 2.0;
  } else if (job.master_weights == PlainType::fp32) {
    out.moment = 4.0;
    if (out.weights < 4.0) out.master = 4.0;
  }
  if (job.activations == PlainType::fp32) {
    out.weights = out.gradients = out.moment = 4.0;
    out.master = 0.0;
  }
  return out;
}

/// Optimizer bytes of all moments, `elements` trained parameters on this rank out of `whole` in the stage.
double moment_bytes(const PreparedMemory& p, const Sums& stage, const PerParameter& b, double elements, double whole) {
  const OptimizerRecipe& o = *p.optimizer;
  const double moment = o.moment_bytes > 0.0 ? o.moment_bytes : b.moment;
  const double part = whole > 0.0 ? elements / whole : 0.0;
  if (o.factored) return 4.0 * stage[factored_at] * part;
  if (o.low_rank) return moment * part * (stage[vectors_at] * o.moments + stage[galore_at] * p.coefficient.galore_rank);
  const double matrices = o.matrix_moments < 0.0 ? o.moments : o.matrix_moments;
  return moment * part * (stage[vectors_at] * o.moments + (whole - stage[vectors_at]) * matrices);
}

double whole(const Sums& s, int slot) {
  double out = 0.0;
  for (int i = 0; i < divide_count; ++i) out += s[slot + i];
  return out;
}

/// What one rank holds of the trained elements that start at `slot`: all, or its ZeRO share.
double held(const Sums& s, int slot, const Ranks& r, bool divided) { return divided ? sharded(s, slot, r) : share(s, slot, r); }

void add_adapters(State& out, const PreparedMemory& p, const TrainingRecipe& r, const Sums& stage, const Ranks& ranks, int zero) {
  const bool fp32 = r.adapter_fp32;
  const double weight = fp32 ? 4.0 : r.weights, gradient = fp32 ? 4.0 : r.gradients, master = fp32 ? 0.0 : r.master, moment = fp32 ? 4.0 : r.moment;
  const double moments = p.optimizer->factored ? 0.0 : p.optimizer->moments;
  const double size = p.optimizer->moment_bytes > 0.0 ? p.optimizer->moment_bytes : moment;
  const double optimizer = held(stage, adapters_at, ranks, zero >= 1);
  out.adapters += held(stage, adapters_at, ranks, zero >= 3) * weight;
  out.gradients += held(stage, adapters_at, ranks, zero >= 2) * gradient;
  out.master += optimizer * master;
  (p.optimizer->paged ? out.host : out.optimizer) += optimizer * moments * size;
}

/// Whole weights beside their shards: the layers in use and what stays for reuse, and the larger of embedding and head.
void add_gathered(State& out, const PreparedMemory& p, const TrainingRecipe& r, const Sums& stage, const Ranks& ranks) {
  const double layer = share(p.largest, params_at, ranks) * r.gathered_layers, all = share(stage, params_at, ranks);
  const double live = r.live_elements < all ? r.live_elements : all;
  const double first = share(p.first, params_at, ranks), last = share(p.last, params_at, ranks);
  out.gathered = (layer < live ? live : layer) * p.largest_bytes_per_element + (first < last ? last : first) * p.element;
}

void move_to_host(State& out, const PreparedMemory& p, const Layout& layout) {
  if (layout.offload == Offload::none) return;
  out.host += (out.master + out.optimizer + (layout.zero >= 2 ? out.gradients : 0.0)) * p.coefficient.host_factor;
  out.master = out.optimizer = out.step = 0.0;
  if (layout.zero >= 2) out.gradients = 0.0;
  if (layout.offload != Offload::parameters) return;
  out.host += (out.weights + out.adapters) * p.coefficient.host_factor;
  out.weights = 0.0;
}

}  // namespace

const TrainingRecipe& recipe_for(const PreparedMemory& p, const Layout& layout) { return layout.zero > 0 ? *p.sharded_training : *p.training; }

const Coefficients& coefficients_for(const PreparedMemory& p, const Layout& layout) { return layout.zero > 0 ? p.sharded_coefficient : p.coefficient; }

State training_state(const Job& job, const PreparedMemory& p, const Sums& stage, const Ranks& ranks, const Layout& layout) {
  const TrainingRecipe& r = recipe_for(p, layout);
  const PerParameter b = per_parameter(job, r);
  const int zero = layout.zero;
  const double copies = p.task->trained_copies;
  const double trained = whole(stage, trained_at) * copies;
  State out;
  // Fully sharded fp32 weights keep their shard and, up to stage 2, a gathered 16-bit copy beside it.
  const bool fp32_shards = b.weights > p.element && zero >= 1;
  const double weights = held(stage, trained_at, ranks, zero >= 3 || (fp32_shards && zero == 2)) * b.weights;
  const double copy = fp32_shards && zero == 2 ? held(stage, trained_at, ranks, false) * p.element : 0.0;
  out.weights = (weights + copy) * copies + held(stage, weights_at, ranks, zero >= 3);
  out.weights += held(stage, params_at, ranks, zero >= 3) * p.element * p.task->frozen_copies;
  const bool whole_in_pipeline = r.unsharded_in_pipeline && layout.pp > 1 && zero >= 2;
  if (whole_in_pipeline) out.weights += held(stage, trained_at, ranks, false) * p.element;
  out.gradients = held(stage, trained_at, ranks, zero >= 2 && !whole_in_pipeline) * b.gradients * copies;
  const double stepped = held(stage, trained_at, ranks, zero >= 1) * copies;
  out.master = stepped * b.master;
  const double moments = moment_bytes(p, stage, b, stepped, trained);
  (p.optimizer->paged ? out.host : out.optimizer) += moments;
  out.step = (r.step_elements > 0.0 && r.step_elements < stepped ? r.step_elements : stepped) * b.step;
  add_adapters(out, p, r, stage, ranks, zero);
  if (zero >= 3 && !(r.unsharded_in_pipeline && layout.pp > 1)) add_gathered(out, p, r, stage, ranks);
  if (zero >= 2) out.buckets = (r.bucket_elements > 0.0 ? r.bucket_elements : p.hidden * p.hidden) * b.gradients;
  move_to_host(out, p, layout);
  return out;
}

}  // namespace gpuplan::memory
