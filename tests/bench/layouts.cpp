#include "tests/bench/layouts.hpp"

#include <cstdlib>

#include "core/layout/enumerate.hpp"
#include "core/layout/rules.hpp"
#include "core/plan/cost.hpp"

namespace gpuplan::bench {
namespace {

/// Appends the possible layouts of the wish on one machine.
void add_places(std::vector<Place>& out, const Candidate& c, const Machine& machine, double usd_per_hour, const LayoutWish& wish, std::int32_t micro_batch, std::size_t most) {
  for_each_layout(c.job, machine, wish, [&](Layout layout) {
    if (micro_batch > 0) layout.micro_batch = micro_batch;
    const bool possible = check_layout(c.job, machine, layout) == Refusal::none && check_savers(c.job, layout) == Refusal::none;
    if (possible && out.size() < most) out.push_back({&c, machine, usd_per_hour, layout});
  });
}

template <class T>
T must(Result<T> result) {
  if (!result) std::abort();  // a benchmark of nothing would look fast
  return *std::move(result);
}

}  // namespace

const Context& context() {
  static const Context made = must(make_context());
  return made;
}

Layouts::Layouts(Task task, const char* model) {
  Scenario scenario;
  scenario.model.id = model;
  scenario.task = task;
  candidates_ = must(make_candidates(context().knowledge, scenario));
  offers_ = must(resolve_offers(context().knowledge, scenario, "2026-12-01"));
  std::int64_t refusals[refusal_count] = {};
  for (const Offer& offer : offers_) {
    for (const Candidate* c : candidates_for(candidates_, offer.machine, refusals)) {
      add_places(places_, *c, offer.machine, offer.usd_per_hour, scenario.layout, 0, SIZE_MAX);
    }
  }
}

Layouts Layouts::classic(std::int64_t gpus, std::size_t most) {
  Layouts out;
  Scenario s;
  s.model.id = "nvidia/megatron-turing-nlg-530b";
  s.task = Task::pretraining;
  s.software = "megatron";
  s.workload.sequence = 2048;
  s.workload.global_batch = gpus / 2;
  s.hardware.gpu = "nvidia-a100-sxm-80gb";
  s.hardware.gpus_per_node = 8;
  s.hardware.nodes = gpus / 8;
  out.candidates_ = must(make_candidates(context().knowledge, s));
  out.offers_ = must(resolve_offers(context().knowledge, s, "2026-12-01"));
  std::int64_t refusals[refusal_count] = {};
  const Offer& offer = out.offers_.front();
  for (const Candidate* c : candidates_for(out.candidates_, offer.machine, refusals)) {
    for (const std::int32_t micro_batch : {1, 2, 4, 8}) {
      for (const std::int64_t chunks : {1, 2, 4, 8}) {
        for (const bool sequence_parallel : {false, true}) {
          LayoutWish wish;
          wish.virtual_stages = chunks;
          wish.sequence_parallel = sequence_parallel;
          add_places(out.places_, *c, offer.machine, offer.usd_per_hour, wish, micro_batch, most);
        }
      }
    }
  }
  return out;
}

double Layouts::evaluate() const {
  double sum = 0.0;
  for (const Place& p : places_) {
    const Job& job = p.candidate->job;
    const Memory memory = estimate_memory(job, *p.candidate->memory, p.machine, p.layout);
    const Time time = estimate_time(job, *p.candidate->time, p.machine, p.layout, memory);
    sum += estimate_cost(job, p.machine, time, p.usd_per_hour).total_usd;
  }
  return sum;
}

}  // namespace gpuplan::bench
