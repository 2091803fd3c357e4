/// The Pareto front over offers and layouts: nobody's choice is missing, nothing on it is beaten.
#include <algorithm>

#include "core/layout/enumerate.hpp"
#include "core/plan/rank.hpp"
#include "core/plan/search.hpp"
#include "knowledge_fixture.hpp"

using namespace gpuplan;

namespace {

Scenario serving(const char* instance) {
  Scenario s;
  s.model.id = "meta-llama/Llama-3.1-8B";
  s.workload.concurrency = 64;
  if (instance) s.hardware.instance = instance;
  return s;
}

Search front_of(const Scenario& s) {
  auto found = search(shipped_context().knowledge, s, "2026-12-01", Fit::with_headroom, Breadth::front);
  REQUIRE(found);
  return *std::move(found);
}

bool at_least(const Time& a, const Time& b) { return a.tokens_per_s >= b.tokens_per_s && a.total <= b.total; }

}  // namespace

TEST_CASE("every layout of a machine that fits is beaten or matched by one of the front") {
  const Scenario s = serving("aws:p5.48xlarge");
  const Search found = front_of(s);
  REQUIRE_FALSE(found.options.empty());
  std::int64_t refusals[refusal_count] = {};
  const Machine& machine = found.offers.front().machine;
  int looked_at = 0;
  for (const Candidate* c : candidates_for(found.candidates, machine, refusals)) {
    for_each_layout(c->job, machine, s.layout, [&](const Layout& l) {
      if (check_layout(c->job, machine, l) != Refusal::none) return;
      const Memory memory = estimate_memory(c->job, *c->memory, machine, l);
      if (!memory.fits || memory.used > memory.usable * (1.0 - s.policy.headroom)) return;
      const Time time = estimate_time(c->job, *c->time, machine, l, memory);
      ++looked_at;
      CHECK(std::any_of(found.options.begin(), found.options.end(), [&](const Option& o) { return at_least(o.time, time); }));
    });
  }
  CHECK(looked_at > 3);
}

TEST_CASE("the front holds the fastest, the soonest and the cheapest of all") {
  const Search found = front_of(serving(nullptr));
  for (const Objective objective : {Objective::cost, Objective::throughput, Objective::latency}) {
    Scenario s = serving(nullptr);
    s.policy.objective = objective;
    const auto best = search(shipped_context().knowledge, s, "2026-12-01", Fit::with_headroom);
    REQUIRE(best);
    const Option& first = best->options.front();
    const auto reached = [&](const Option& o) {
      switch (objective) {
        case Objective::cost: return o.cost.known && o.cost.usd_per_million_tokens <= first.cost.usd_per_million_tokens;
        case Objective::throughput: return o.time.tokens_per_s >= first.time.tokens_per_s;
        case Objective::latency: return o.time.total <= first.time.total;
      }
      return false;
    };
    CHECK(std::any_of(found.options.begin(), found.options.end(), [&](const Option& o) { return o.pareto && reached(o); }));
  }
}

TEST_CASE("nothing on the front is beaten in cost, throughput and latency at once") {
  const Search found = front_of(serving(nullptr));
  for (const Option& a : found.options) {
    if (!a.pareto || !a.cost.known) continue;
    for (const Option& b : found.options) {
      const bool beaten = b.cost.known && b.cost.usd_per_million_tokens < a.cost.usd_per_million_tokens && b.time.tokens_per_s > a.time.tokens_per_s && b.time.total < a.time.total;
      CHECK_FALSE(beaten);
    }
  }
}
