#include "core/memory/training.hpp"

#include <cmath>

#include "core/memory/kv_cache.hpp"
#include "core/memory/logits.hpp"
#include "core/memory/reserve.hpp"
#include "core/memory/stages.hpp"

namespace gpuplan::memory {
namespace {

double d(std::int64_t n) { return static_cast<double>(n); }
double larger(double a, double b) { return a < b ? b : a; }

/// Bytes per token that `sums` save for backward on one rank: whole tensors, sequence parallelism divides the replicated ones too.
double saved_per_token(const Sums& s, const Ranks& r, const Layout& l, double keys) {
  const double replica = l.sequence_parallel ? s[saved_at + replicated] / r.divisor[tensor] : s[saved_at + replicated];
  const double divided = s[saved_at + tensor] / r.divisor[tensor] + s[saved_at + kv_a] / r.divisor[kv_a] + s[saved_at + kv_b] / r.divisor[kv_b];
  const double exchanged = l.cp > 1 ? s[attended_at] / r.divisor[tensor] : 0.0;  // the attention output before and after its exchange
  return replica + divided + exchanged + s[scores_at] / r.divisor[tensor] * keys;
}

/// The share of a stage's layers that full recomputation covers.
double recomputed_share(const Job& job, const Sums& s) {
  const auto& wanted = job.workload.recompute_layers;
  if (!wanted || s[layers_at] <= 0.0 || d(*wanted) >= s[layers_at]) return 1.0;
  return d(*wanted) / s[layers_at];
}

double kept_per_token(const Job& job, const TrainingRecipe& recipe, const Sums& s, const Ranks& r, const Layout& l, double keys) {
  const double input = l.sequence_parallel ? s[checkpoint_at] / r.divisor[tensor] : s[checkpoint_at];
  switch (l.recompute) {
    case Recompute::full: {
      const double share = recomputed_share(job, s);
      return share * input + (share < 1.0 ? (1.0 - share) * saved_per_token(s, r, l, keys) : 0.0);
    }
    case Recompute::selective: {
      const double most = saved_per_token(s, r, l, 0.0) * recipe.selective_share;
      return larger(most, input);
    }
    case Recompute::none: break;
  }
  return saved_per_token(s, r, l, keys);
}

void add_activations(TrainingPeak& out, const Job& job, const PreparedMemory& p, const Sums& s, const Ranks& r, const Layout& l, std::int32_t stage) {
  const TrainingRecipe& recipe = recipe_for(p, l);
  const double sequence = p.item_tokens > 0.0 ? p.item_tokens : d(job.workload.sequence);
  out.tokens = l.micro_batch * sequence * p.task->sequences / l.cp;
  out.micro_batches = in_flight(l, stage, micro_batches_per_step(job, l));
  const double kept = out.tokens * kept_per_token(job, recipe, s, r, l, sequence) * out.micro_batches;
  const bool on_host = l.recompute == Recompute::full && (recipe.checkpoints_on_host || job.workload.activation_offload);
  (on_host ? out.host : out.saved) += kept;
  const double share_of_layer = coefficients_for(p, l).working_share;
  const double layer = out.tokens * saved_per_token(p.largest, r, l, sequence);
  out.working = layer * (l.recompute == Recompute::full ? 1.0 + share_of_layer : share_of_layer);
  if (l.sequence_parallel && l.tp > 1) out.working += 2.0 * out.tokens * p.hidden * p.element;  // gathered input and its gradient
  out.working += 8.0 * p.dora_matrix;  // the product of the adapters and its sum with the weight, in fp32
  out.saved += p.activation_elements_per_item * p.element * l.micro_batch;
  if (stage == l.pp - 1) out.loss = loss_bytes(job, p, l, out.tokens);
}

/// A generation engine that shares the GPUs holds 16-bit weights and the cache of the requests of one replica.
void add_rollout(TrainingPeak& out, const Job& job, const PreparedMemory& p, const Sums& s, const Ranks& r, const Layout& l) {
  if (!p.task->rollout) return;
  const Workload& w = job.workload;
  const double requests = std::ceil(d(w.concurrency) / l.dp), tokens = d(w.input_tokens + w.output_tokens);
  out.rollout_weights = share(s, params_at, r) * 2.0;
  out.rollout_cache = requests * sequence_bytes(p, s, l, bytes_per_element(job.kv_cache), tokens, 16.0, 0.0, true);
}

/// Sets the parts to the greatest of the step's moments.
void take_peak(TrainingPeak& out, const PreparedMemory& p, const TrainingRecipe& recipe, const Layout& l, double layers, bool accumulates, bool sleeps) {
  const State& st = out.state;
  const double standing = recipe.gradients_stay || accumulates ? st.gradients : 0.0;
  const double at_loss = out.saved + out.loss + st.head_gradient + standing + st.gathered_ends;
  const double tail = layers > 0.0 ? out.saved / layers : out.saved;
  const double early = out.saved + standing, late = tail + st.gradients;
  const double at_backward = larger(early, late) + out.working + st.gathered;
  const double at_step = st.gradients + st.step;
  MemoryParts& m = out.parts;
  double activations = 0.0, logits = 0.0, gradients = st.gradients, step = 0.0, gathered = 0.0;
  if (at_loss >= at_backward && at_loss >= at_step) {
    out.moment = Moment::loss;
    activations = out.saved, logits = out.loss, gradients = standing + st.head_gradient, gathered = st.gathered_ends;
  } else if (at_backward >= at_step) {
    out.moment = Moment::backward;
    activations = (early >= late ? out.saved : tail) + out.working;
    gradients = early >= late ? standing : st.gradients;
    gathered = st.gathered;
  } else {
    out.moment = Moment::step;
    step = st.step;
  }
  if (sleeps && out.rollout_weights + out.rollout_cache > activations + logits + gradients + gathered + step) {
    out.moment = Moment::generation;
    activations = logits = gradients = gathered = step = 0.0;
  } else if (sleeps) {
    out.rollout_weights = out.rollout_cache = 0.0;
  }
  m.weights = Bytes{st.weights + out.rollout_weights};
  m.gradients = Bytes{gradients};
  m.optimizer = Bytes{st.optimizer};
  m.master_weights = Bytes{st.master};
  out.gathered = gathered;
  m.adapters = Bytes{st.adapters};
  m.activations = Bytes{activations};
  m.logits = Bytes{logits};
  m.kv_cache = Bytes{out.rollout_cache};
  m.workspace = Bytes{gathered + st.dummies + step + coefficients_for(p, l).floor_bytes};
  m.communication = Bytes{st.buckets + communicator_bytes(p, l)};
  m.context = Bytes{context_bytes(p)};
  m.fragmentation = Bytes{fragmentation_bytes(coefficients_for(p, l), activations + logits)};
}

}  // namespace

double micro_batches_per_step(const Job& job, const Layout& l) {
  const double n = std::floor(d(job.workload.global_batch) / (static_cast<double>(l.dp) * l.micro_batch));
  return n < 1.0 ? 1.0 : n;
}

TrainingPeak training_peak(const Job& job, const PreparedMemory& p, const Layout& l, std::int32_t stage) {
  const Sums& s = stage_sums(p, l, stage);
  const Ranks r = ranks_of(p, l);
  TrainingPeak out;
  out.state = training_state(job, p, s, r, l, stage == l.pp - 1);
  add_activations(out, job, p, s, r, l, stage);
  add_rollout(out, job, p, s, r, l);
  out.host += out.state.host;
  const bool accumulates = micro_batches_per_step(job, l) > 1.0 && !job.workload.optimizer_in_backward;
  take_peak(out, p, recipe_for(p, l), l, s[layers_at], accumulates, p.task->rollout && job.workload.rollout_sleeps);
  return out;
}

}  // namespace gpuplan::memory
