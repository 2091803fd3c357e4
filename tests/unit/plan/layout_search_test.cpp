#include "core/plan/layout_search.hpp"

#include <random>

#include "core/layout/rules.hpp"
#include "core/plan/rank.hpp"
#include "core/scenario/resolve.hpp"
#include "knowledge_fixture.hpp"

using namespace gpuplan;

namespace {

/// A random question about one machine.
struct Question {
  Scenario scenario;
  Machine machine;
};

template <class T>
const T& pick(std::mt19937& random, const std::vector<T>& from) { return from[random() % from.size()]; }

Question random_question(std::mt19937& random) {
  const Knowledge& k = shipped_context().knowledge;
  Question q;
  Scenario& s = q.scenario;
  s.task = pick<Task>(random, {Task::inference, Task::pretraining, Task::full_finetune, Task::lora, Task::qlora});
  s.model.id = pick<std::string>(random, {"Qwen/Qwen2.5-7B", "meta-llama/Llama-3.3-70B-Instruct", "Qwen/Qwen3-235B-A22B", "mistralai/Mistral-7B-v0.1", "Qwen/Qwen3-0.6B"});
  s.workload.context = pick<std::int64_t>(random, {4096, 32768});
  s.workload.concurrency = pick<std::int64_t>(random, {1, 16, 128});
  s.workload.sequence = pick<std::int64_t>(random, {2048, 8192, 65536});
  s.workload.global_batch = pick<std::int64_t>(random, {16, 256, 1024});
  s.policy.objective = pick<Objective>(random, {Objective::cost, Objective::throughput, Objective::latency});
  s.policy.headroom = pick<double>(random, {0.0, 0.2});
  if (random() % 4 == 0) s.policy.max_tpot_s = 0.03;
  if (random() % 4 == 0) s.layout.zero = static_cast<std::int64_t>(random() % 4);
  if (random() % 4 == 0) s.layout.recompute = Recompute::full;
  s.hardware.instance = k.catalog.instances[random() % k.catalog.instances.size()].id;
  const auto offers = resolve_offers(k, s, "");
  REQUIRE(offers);
  q.machine = offers->front().machine;
  if (is_training(s.task)) q.machine.nodes = pick<Nodes>(random, {Nodes{1}, Nodes{2}, Nodes{8}});
  return q;
}

/// The best of all layouts, looked at one by one.
struct Brute {
  bool found = false;
  double best = 0.0;
  Layout layout;
};

Brute brute_force(const Candidate& c, const Question& q) {
  Brute out;
  const bool latency = q.scenario.policy.objective == Objective::latency;
  for_each_layout(c.job, q.machine, q.scenario.layout, [&](const Layout& l) {
    if (check_layout(c.job, q.machine, l) != Refusal::none || check_savers(c.job, l) != Refusal::none) return;
    Option o;
    o.candidate = &c;
    o.machine = q.machine;
    o.layout = l;
    o.memory = estimate_memory(c.job, *c.memory, q.machine, l);
    const bool host_unknown = o.memory.host.value > 0.0 && q.machine.host_memory.value <= 0.0;
    if (!o.memory.fits || host_unknown || o.memory.used > q.machine.memory_usable * (1.0 - q.scenario.policy.headroom)) return;
    o.time = estimate_time(c.job, *c.time, q.machine, l, o.memory);
    if (broken_limit(o, q.scenario.policy)) return;
    const double speed = plainness(l) * (latency ? 1.0 / o.time.total.value : o.time.tokens_per_s.value);
    if (!out.found || speed > out.best) {
      out.best = speed;
      out.layout = l;
    }
    out.found = true;
  });
  return out;
}

}  // namespace

TEST_CASE("the search finds what looking at every layout finds") {
  std::mt19937 random(20261201);
  int found = 0, none = 0;
  for (int i = 0; i < 3000; ++i) {
    const Question q = random_question(random);
    auto candidates = make_candidates(shipped_context().knowledge, q.scenario);
    REQUIRE(candidates);
    std::int64_t refusals[32] = {};
    for (const Candidate* c : candidates_for(*candidates, q.machine, refusals)) {
      SearchStatistics statistics;
      const Best best = LayoutSearch(q.scenario, Fit::with_headroom, Breadth::best, statistics).on(*c, q.machine);
      const Brute brute = brute_force(*c, q);
      CAPTURE(i, q.scenario.model.id, name(q.scenario.task), *q.scenario.hardware.instance, q.machine.nodes.n);
      CAPTURE(brute.layout.tp, brute.layout.pp, brute.layout.dp, int(brute.layout.zero), name(brute.layout.recompute), name(brute.layout.offload), brute.layout.ep);
      CAPTURE(best.option.layout.tp, best.option.layout.pp, int(best.option.layout.zero), name(best.option.layout.recompute), name(best.option.layout.offload));
      REQUIRE(best.found == brute.found);
      (brute.found ? found : none) += 1;
      if (!brute.found) continue;
      const bool latency = q.scenario.policy.objective == Objective::latency;
      const double speed = plainness(best.option.layout) * (latency ? 1.0 / best.option.time.total.value : best.option.time.tokens_per_s.value);
      REQUIRE(speed == Approx(brute.best).epsilon(1e-12));
      CHECK(statistics.evaluated + statistics.refused + statistics.pruned == statistics.candidates);
    }
  }
  CHECK(found > 300);
  CHECK(none > 300);
}
