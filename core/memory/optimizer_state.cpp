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
    if (r.master <= 0.0 && r.weights < 4.0 && job.gradients == PlainType::automatic) out.gradients = 4.0;  // autocast: gradients of fp32 modules
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
  if (r.step_elements <= 0.0 && r.step_temporary > 0.0) out.step += optimizer * moment;  // foreach Adam: one more moment
}

/// Whole weights beside their shards: the layers in use or what stays for reuse; at the loss, the larger of embedding and head.
void add_gathered(State& out, const PreparedMemory& p, const TrainingRecipe& r, double live_elements, const Sums& stage, const Ranks& ranks) {
  const double layer = share(p.largest, params_at, ranks) * r.gathered_layers, all = share(stage, params_at, ranks);
  const double live = live_elements < all ? live_elements : all;
  const double first = share(p.first, params_at, ranks), last = share(p.last, params_at, ranks);
  const double ends = (first < last ? last : first) * p.element, reused = live * p.largest_bytes_per_element;
  out.gathered = layer < live ? reused : layer * p.largest_bytes_per_element;
  out.gathered_ends = ends < reused ? reused : ends;
}

/// FP8 copies of the layers' matrices, and stand-ins of one gradient per distinct matrix and for a trained head.
void add_copies(State& out, const Job& job, const PreparedMemory& p, const TrainingRecipe& r, const Sums& stage, const Ranks& ranks, bool last) {
  out.weights += r.low_bit_copies * low_bit_bytes(job.activations) * share(stage, matrices_at, ranks);
  const double head = last ? share(p.last, trained_at, ranks) : 0.0;
  out.dummies = r.weight_dummies * (share(p.largest, shapes_at, ranks) + head);
}

/// With the step inside backward only the gradients of the part in hand are alive.
void step_in_backward(State& out, const PreparedMemory& p, const PerParameter& b, const Ranks& ranks) {
  double most = share(p.largest, trained_at, ranks);
  for (const Sums* outside : {&p.first, &p.last}) {
    const double elements = share(*outside, trained_at, ranks);
    most = most < elements ? elements : most;
  }
  const double gradients = most * b.gradients;
  if (gradients < out.gradients) out.gradients = gradients;
  if (most * b.step < out.step) out.step = most * b.step;
}

/// A chunked loss adds up the head's gradient: the sum and the part of one chunk.
void add_head_gradient(State& out, const Job& job, const PreparedMemory& p, const TrainingRecipe& r, const PerParameter& b, const Ranks& ranks) {
  if (loss_kernel(job, r) != LossKernel::chunked) return;
  const double first = share(p.first, trained_at, ranks), last = share(p.last, trained_at, ranks);
  out.head_gradient = 2.0 * (first < last ? last : first) * b.gradients;
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

LossKernel loss_kernel(const Job& job, const TrainingRecipe& r) {
  return job.workload.loss == LossKernel::automatic ? r.loss : job.workload.loss;
}

State training_state(const Job& job, const PreparedMemory& p, const Sums& stage, const Ranks& ranks, const Layout& layout, bool last) {
  const TrainingRecipe& r = recipe_for(p, layout);
  const PerParameter b = per_parameter(job, r);
  const int zero = layout.zero;
  const double copies = p.trained_copies;
  const double trained = whole(stage, trained_at) * copies;
  State out;
  // Fully sharded fp32 weights keep their shard and, up to stage 2, a gathered 16-bit copy beside it.
  const bool fp32_shards = b.weights > p.element && zero >= 1;
  const double weights = held(stage, trained_at, ranks, zero >= 3 || (fp32_shards && zero == 2)) * b.weights;
  const double copy = fp32_shards && zero == 2 ? held(stage, trained_at, ranks, false) * p.element : 0.0;
  out.weights = (weights + copy) * copies + held(stage, weights_at, ranks, zero >= 3);
  out.weights += held(stage, params_at, ranks, zero >= 3) * p.element * p.frozen_copies;
  const bool whole_in_pipeline = r.unsharded_in_pipeline && layout.pp > 1 && zero >= 2;
  if (whole_in_pipeline) out.weights += held(stage, trained_at, ranks, false) * p.element;
  out.gradients = held(stage, trained_at, ranks, zero >= 2 && !whole_in_pipeline) * b.gradients * copies;
  const double stepped = held(stage, trained_at, ranks, zero >= 1) * copies;
  out.master = stepped * b.master;
  const double moments = moment_bytes(p, stage, b, stepped, trained);
  (p.optimizer->paged ? out.host : out.optimizer) += moments;
  out.step = (r.step_elements > 0.0 && r.step_elements < stepped ? r.step_elements : stepped) * b.step;
  add_adapters(out, p, r, stage, ranks, zero);
  const Workload& w = job.workload;
  const double live = w.live_parameters ? static_cast<double>(*w.live_parameters) : r.live_elements;
  if (zero >= 3 && !(r.unsharded_in_pipeline && layout.pp > 1)) add_gathered(out, p, r, live, stage, ranks);
  const double bucket = w.bucket_elements ? static_cast<double>(*w.bucket_elements) : r.bucket_elements > 0.0 ? r.bucket_elements : p.hidden * p.hidden;
  if (zero >= 2) out.buckets = bucket * b.gradients;
  add_copies(out, job, p, r, stage, ranks, last);
  if (w.optimizer_in_backward) step_in_backward(out, p, b, ranks);
  if (last) add_head_gradient(out, job, p, r, b, ranks);
  move_to_host(out, p, layout);
  return out;
}

}  // namespace gpuplan::memory
