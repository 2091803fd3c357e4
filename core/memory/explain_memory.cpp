#include "core/memory/explain_memory.hpp"

#include <string>

#include "core/memory/kv_cache.hpp"
#include "core/memory/serving.hpp"
#include "core/memory/stages.hpp"
#include "core/memory/training.hpp"

namespace gpuplan::memory {
namespace {

double d(std::int64_t n) { return static_cast<double>(n); }

/// Adds terms in bytes.
class Terms {
 public:
  explicit Terms(Explanation& why) : why_(why) {}
  void add(const char* term, const char* formula, std::vector<Input> inputs, double value, std::string source) {
    if (value == 0.0) return;
    why_.terms.push_back({term, formula, std::move(inputs), value, "B", std::move(source)});
  }
  void note(const char* code, Severity severity, std::string text) { why_.notes.push_back({code, severity, std::move(text)}); }

 private:
  Explanation& why_;
};

void note_moment(Terms& t, Moment m) {
  switch (m) {
    case Moment::loss: return t.note("memory-peak-loss", Severity::info, "The peak is at the loss, with every activation kept and logits alive.");
    case Moment::backward: return t.note("memory-peak-backward", Severity::info, "The peak is at the backward pass of a layer.");
    case Moment::generation: return t.note("memory-peak-generation", Severity::info, "The peak is at generation, while the policy's training memory is free.");
    case Moment::step: return t.note("memory-peak-step", Severity::info, "The peak is at the optimizer step.");
  }
}

void explain_state(Terms& t, const PreparedMemory& p, const TrainingPeak& peak, const Sums& s, const Ranks& r, const Layout& l) {
  const TrainingRecipe& row = recipe_for(p, l);
  const double trained = share(s, trained_at, r), frozen = share(s, weights_at, r), zero = l.zero;
  t.add("weights", "trained × bytes + frozen in its format, ÷ ranks where sharded (ZeRO 3)",
        {{"trained", trained, ""}, {"bytes", row.weights, "B"}, {"frozen", frozen, "B"}, {"ZeRO", zero, ""}, {"ranks", r.dense_group, ""}},
        peak.parts.weights.value, "[M-memory-state]");
  t.add("gradients", "trained × bytes, ÷ ranks from ZeRO 2 on; 0 where the peak comes before they exist",
        {{"trained", trained, ""}, {"bytes", row.gradients, "B"}, {"ZeRO", zero, ""}, {"ranks", r.dense_group, ""}}, peak.parts.gradients.value,
        "[M-memory-state]");
  t.add("master_weights", "trained × bytes, ÷ ranks from ZeRO 1 on", {{"trained", trained, ""}, {"bytes", row.master, "B"}, {"ranks", r.dense_group, ""}},
        peak.parts.master_weights.value, "[M-memory-state]");
  t.add("optimizer", "trained × moments × bytes, ÷ ranks from ZeRO 1 on",
        {{"trained", trained, ""}, {"moments", p.optimizer->moments, ""}, {"bytes", p.optimizer->moment_bytes > 0 ? p.optimizer->moment_bytes : row.moment, "B"},
         {"ranks", r.dense_group, ""}},
        peak.parts.optimizer.value, "[M-memory-state]");
  t.add("adapters", "elements × bytes", {{"elements", share(s, adapters_at, r), ""}, {"bytes", row.adapter_fp32 ? 4.0 : row.weights, "B"}},
        peak.parts.adapters.value, "[M-memory-adapters]");
}

void explain_training(Explanation& why, const Job& job, const PreparedMemory& p, const Layout& l, const Memory& answer) {
  Terms t(why);
  const TrainingPeak peak = training_peak(job, p, l, answer.worst_stage);
  const Sums s = stage_sums(p, l, answer.worst_stage);
  const Ranks r = ranks_of(p, l);
  const Coefficients& c = coefficients_for(p, l);
  const std::string family = recipe_for(p, l).family;
  explain_state(t, p, peak, s, r, l);
  t.add("activations", "kept for backward (tokens × saved bytes × micro-batches in flight) + working set of one layer",
        {{"tokens", peak.tokens, "tokens"}, {"micro-batches", peak.micro_batches, ""}, {"kept", peak.saved, "B"}, {"working", peak.working, "B"},
         {family + ".working_share", c.working_share, ""}},
        peak.parts.activations.value, "[M-memory-activations]");
  t.add("logits", "tokens × vocabulary × bytes per logit", {{"tokens", peak.tokens, "tokens"}, {"V", p.vocab, ""}, {family + ".bytes_per_logit", c.logit_bytes, "B"}},
        peak.parts.logits.value, "[M-memory-logits]");
  t.add("kv_cache", "cache of the generation engine on the same GPU", {{"cache", peak.rollout_cache, "B"}}, peak.parts.kv_cache.value, "[M-kv]");
  t.add("workspace", "whole layers gathered beside their shards + stand-ins of weight gradients + temporaries of the step + fixed floor",
        {{"gathered", peak.gathered, "B"}, {"stand-ins", peak.state.dummies, "B"}, {"step", peak.moment == Moment::step ? peak.state.step : 0.0, "B"}, {family + ".floor_bytes", c.floor_bytes, "B"}},
        peak.parts.workspace.value, "[M-memory-state]");
  t.add("communication", "gradient buckets + communicators", {{"buckets", peak.state.buckets, "B"}, {"train.communicator_bytes", c.communicator_bytes, "B"}},
        peak.parts.communication.value, "[M-memory-reserve]");
  t.add("context", "driver context of one process", {{"train.context_bytes", c.context_bytes, "B"}}, peak.parts.context.value, "[M-memory-reserve]");
  t.add("fragmentation", "min(share × bytes that come and go, what is free)", {{family + ".fragmentation", c.fragmentation, ""}}, answer.parts.fragmentation.value,
        "[M-memory-reserve]");
  note_moment(t, peak.moment);
}

void explain_pool(Terms& t, Explanation& why, const PreparedMemory& p, const Machine& machine, const ServingPeak& peak, const Memory& answer) {
  const char* formula = "";
  switch (p.engine->pool) {
    case Pool::total_share: formula = "share × usable − weights − peak of a step − communicators"; break;
    case Pool::static_share: formula = "share × (usable − context − communicators) − weights"; break;
    case Pool::free_share: formula = "share × (usable − weights − peak of a step − communicators − context)"; break;
    case Pool::upfront: formula = "the cache of the context, allocated at start"; break;
    case Pool::growing: formula = "what is free; grows with the sequences"; break;
  }
  t.add("kv_pool", formula,
        {{"share", peak.settings.share, ""}, {"usable", machine.memory_usable.value, "B"}, {"weights", peak.parts.weights.value, "B"},
         {"peak of a step", peak.step.activations + peak.step.logits + peak.step.workspace, "B"}, {"communicators", peak.parts.communication.value, "B"}},
        peak.pool, "[M-memory-pool]");
  why.terms.push_back({"kv_tokens", "floor(pool ÷ (block × bytes per token)) × block",
                       {{"pool", answer.kv.capacity.value, "B"}, {"block", d(answer.kv.block_size), "tokens"}, {"bytes per token", answer.kv.bytes_per_token.value, "B"}},
                       answer.kv.tokens.value, "tokens", "[M-memory-pool]"});
}

void explain_serving(Explanation& why, const Job& job, const PreparedMemory& p, const Machine& machine, const Layout& l, const Memory& answer) {
  Terms t(why);
  const ServingPeak peak = serving_peak(job, p, device_of(machine, answer.worst_stage), l, engine_settings(job, p, machine, l), answer.worst_stage);
  const Coefficients& c = p.coefficient;
  const std::string family = p.engine->family;
  const Workload& w = job.workload;
  t.add("weights", "sum over tensors of stored bytes ÷ ranks that divide them", {{"tp", d(l.tp), ""}, {"pp", d(l.pp), ""}, {"ep", d(l.ep), ""}},
        peak.parts.weights.value, "[M-weights]");
  t.add("activations", "tokens of the largest step × widest layer × factor",
        {{"tokens", peak.settings.step_tokens, "tokens"}, {"width", share(p.largest, width_at, ranks_of(p, l)), "B"}, {family + ".prefill_factor", c.prefill_factor, ""}},
        peak.parts.activations.value, "[M-memory-pool]");
  t.add("logits", "rows × vocabulary × bytes per logit",
        {{"rows", p.engine->full_logits ? peak.settings.step_tokens : peak.settings.sequences, ""}, {"V", p.vocab, ""}, {family + ".bytes_per_logit", c.logit_bytes, "B"}},
        peak.parts.logits.value, "[M-memory-pool]");
  t.add("kv_cache", "max(requests × tokens each, one context) × bytes per token",
        {{"requests", peak.settings.replica_sequences, ""}, {"tokens each", d(w.input_tokens + w.output_tokens), "tokens"}, {"context", d(w.context), "tokens"},
         {"bytes per token", answer.kv.bytes_per_token.value, "B"}},
        peak.parts.kv_cache.value, "[M-kv]");
  t.add("state_cache", "requests × state", {{"requests", peak.settings.replica_sequences, ""}, {"state", answer.kv.bytes_per_sequence.value, "B"}},
        peak.parts.state_cache.value, "[M-kv]");
  t.add("workspace", "fixed floor + sines and cosines of every position (llama.cpp: compute buffer)", {{family + ".floor_bytes", c.floor_bytes, "B"}, {"rotation table", p.rotation_bytes, "B"}}, peak.parts.workspace.value, "[M-memory-pool]");
  t.add("cuda_graphs", "layers × bytes", {{p.engine->graph_coefficient, c.graph_bytes, "B"}}, peak.parts.cuda_graphs.value, "[M-memory-reserve]");
  t.add("communication", "fixed part + bytes per peer",
        {{family + ".communicator_bytes", c.communicator_bytes, "B"}, {family + ".peer_bytes", c.peer_bytes, "B"}, {"GPUs", d(l.gpus()), ""}},
        peak.parts.communication.value, "[M-memory-reserve]");
  t.add("context", "driver context of one process", {{"reserve.context_bytes", c.context_bytes, "B"}}, peak.parts.context.value, "[M-memory-reserve]");
  explain_pool(t, why, p, machine, peak, answer);
}

}  // namespace

void explain_memory(Explanation& why, const Job& job, const PreparedMemory& p, const Machine& machine, const Layout& l, const Memory& answer) {
  if (p.trains) explain_training(why, job, p, l, answer);
  else explain_serving(why, job, p, machine, l, answer);
  Terms t(why);
  if (answer.host_short) t.note("host-memory-short", Severity::problem, "The host memory of a node does not hold what is offloaded to it.");
  if (!answer.fits && !answer.host_short) t.note("gpu-memory-short", Severity::problem, "The memory of one GPU does not hold this layout.");
}

}  // namespace gpuplan::memory
