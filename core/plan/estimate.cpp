#include "core/plan/estimate.hpp"

#include <algorithm>

#include "core/layout/rules.hpp"

namespace gpuplan {
namespace {

/// Refusals of the whole job on a GPU, whatever the layout.
bool of_job(Refusal r) {
  return r == Refusal::vendor || r == Refusal::compute_capability || r == Refusal::weight_format || r == Refusal::gpu_type || r == Refusal::kv_format ||
         r == Refusal::context || r == Refusal::task || r == Refusal::devices;
}

/// What hinders, most often first. Where some GPU can run the job, only what hinders its layouts counts.
std::vector<std::pair<Refusal, std::int64_t>> by_count(const SearchStatistics& s) {
  std::vector<std::pair<Refusal, std::int64_t>> out;
  for (std::size_t i = 0; i < s.refusals.size(); ++i) {
    if (s.refusals[i] > 0 && !(s.machines > 0 && of_job(static_cast<Refusal>(i)))) out.emplace_back(static_cast<Refusal>(i), s.refusals[i]);
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
  return out;
}

/// The field that a person changes to lift a refusal, and what hinders in plain words.
struct Reason { const char* pointer; const char* text; };
Reason reason_of(Refusal r) {
  switch (r) {
    case Refusal::vendor: return {"/software", "the software does not run on GPUs of this maker"};
    case Refusal::compute_capability: return {"/software", "the software needs a newer GPU generation"};
    case Refusal::weight_format: return {"/numerics/weights", "the software does not load this weight format"};
    case Refusal::gpu_type: return {"/numerics/weights", "the GPU has no arithmetic for this number format"};
    case Refusal::kv_format: return {"/numerics/kv_cache", "the software does not keep the KV cache in this format"};
    case Refusal::heads: return {"/layout/tp", "tp must divide the number of attention heads"};
    case Refusal::kv_heads: return {"/layout/tp", "tp and the number of KV heads must divide one another"};
    case Refusal::width: return {"/layout/tp", "tp must divide the feed-forward width"};
    case Refusal::degree: return {"/layout", "the software does not have so large a parallel degree"};
    case Refusal::domain: return {"/layout/tp", "tp would leave the GPUs of one scale-up domain"};
    case Refusal::layers: return {"/layout/pp", "there are more pipeline stages than layers"};
    case Refusal::experts: return {"/layout/ep", "ep must divide the number of experts and the GPUs"};
    case Refusal::batch: return {"/workload/global_batch", "global_batch must be a multiple of dp × micro_batch, and serving takes no more replicas than concurrency"};
    case Refusal::sequence: return {"/layout/cp", "cp must divide the sequence length"};
    case Refusal::context: return {"/workload/context", "the model has fewer learned positions than the context asks for"};
    case Refusal::split: return {"/layout/split", "the software does not split a model this way"};
    case Refusal::zero: return {"/layout/zero", "the software has no such ZeRO stage (beside pipeline stages), or there is nothing to shard over; shard_group needs ZeRO and must divide dp × cp"};
    case Refusal::offload: return {"/layout/offload", "the software cannot offload, or offloading parameters needs ZeRO-3"};
    case Refusal::task: return {"/task", "the model or the chip cannot do this task"};
    case Refusal::network: return {"/hardware/scale_out_gbps_per_node", "several nodes need a network, and no speed is known for it; give scale_out_gbps_per_node"};
    case Refusal::engines: return {"/workload/prefill_engines", "it must leave one of the dp replicas for answers, and none may share its attention (attention_dp)"};
    case Refusal::devices: return {"/hardware/gpus", "cards that differ share a model only layer by layer, which llama.cpp and transformers do when serving"};
    case Refusal::none: break;
  }
  return {"/layout", "tp × pp × dp × cp must equal the number of GPUs (nodes × gpus_per_node)"};
}

}  // namespace

Problem nothing_possible(const Scenario&, const Search& search) {
  const auto reasons = by_count(search.statistics);
  if (search.offers.empty()) {
    return {"/policy", ProblemCode::conflict, "No offer of the catalog passes the policy's providers, regions, classes and price age; widen one of them.", {}};
  }
  const Reason r = reason_of(reasons.empty() ? Refusal::none : reasons.front().first);
  return {r.pointer, ProblemCode::unsupported, std::string(r.pointer) + ": no layout is possible here, " + r.text + ".", {}};
}

Result<Estimate> estimate(const Knowledge& k, const Scenario& scenario, const std::string& now) {
  const bool named = scenario.hardware.named();
  auto found = search(k, scenario, now, named ? Fit::just_fits : Fit::with_headroom);
  if (!found) return found.problem();
  auto owned = std::make_shared<Search>(*std::move(found));
  if (owned->options.empty() && owned->near_misses.empty()) return nothing_possible(scenario, *owned);
  Estimate e;
  e.option = owned->options.empty() ? owned->near_misses.front() : owned->options.front();
  e.search = owned;
  e.resolved = filled(k, scenario, *owned, e.option);
  const Candidate& c = *e.option.candidate;
  e.why.notes = owned->candidates.model.notes;
  if (!e.option.cost.known && scenario.policy.pricing != Pricing::on_demand) {
    e.why.notes.push_back({"price-missing", Severity::warning, std::string("/policy/pricing ") + missing_rate(scenario.policy.pricing)});
  }
  e.option.memory = estimate_memory(c.job, *c.memory, e.option.machine, e.option.layout, &e.why);
  e.option.time = estimate_time(c.job, *c.time, e.option.machine, e.option.layout, e.option.memory, &e.why);
  e.parameters_total = count_parameters(*c.job.model).total;
  return e;
}

}  // namespace gpuplan
