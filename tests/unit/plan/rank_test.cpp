#include "core/plan/rank.hpp"

#include <random>

#include <catch2/catch.hpp>

using namespace gpuplan;

namespace {

Option option(double usd_per_million_tokens, double tokens_per_s, double seconds) {
  Option o;
  o.cost.known = usd_per_million_tokens > 0.0;
  o.cost.usd_per_million_tokens = o.cost.usd_per_hour = usd_per_million_tokens;
  o.time.tokens_per_s = TokensPerSecond{tokens_per_s};
  o.time.total = Seconds{seconds};
  return o;
}

Option random_option(std::mt19937& random) {
  const auto few = [&] { return 1.0 + static_cast<double>(random() % 4); };  // few values: ties are common
  Option o = option(random() % 5 == 0 ? 0.0 : few(), few(), few());
  o.layout.tp = 1 << random() % 3;
  o.offer = static_cast<int>(random() % 6);
  return o;
}

Layout degrees(std::int32_t tp, std::int32_t pp, Offload offload = Offload::none) {
  Layout l;
  l.tp = tp;
  l.pp = pp;
  l.offload = offload;
  return l;
}

}  // namespace

TEST_CASE("each objective puts its own figure first") {
  const Option cheap = option(1, 10, 10), fast = option(2, 20, 10), soon = option(3, 10, 5);
  CHECK(better(cheap, fast, Objective::cost));
  CHECK(better(fast, cheap, Objective::throughput));
  CHECK(better(soon, fast, Objective::latency));
}

TEST_CASE("what has no price loses on price, and only there") {
  const Option unpriced = option(0, 20, 5), priced = option(100, 10, 10);
  CHECK(better(priced, unpriced, Objective::cost));
  CHECK(better(unpriced, priced, Objective::throughput));
  CHECK(better(unpriced, priced, Objective::latency));
}

TEST_CASE("the order is strict and total: nothing is better than itself, one of two is better, and it is transitive") {
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    const Option a = random_option(random), b = random_option(random), c = random_option(random);
    for (const Objective o : {Objective::cost, Objective::throughput, Objective::latency}) {
      CHECK_FALSE(better(a, a, o));
      CHECK_FALSE((better(a, b, o) && better(b, a, o)));
      if (better(a, b, o) && better(b, c, o)) CHECK(better(a, c, o));
    }
  }
}

TEST_CASE("the Pareto front is what no other beats on cost, speed and latency at once") {
  std::vector<Option> all{option(1, 10, 10), option(2, 20, 10), option(2, 10, 10), option(3, 15, 20), option(3, 10, 5)};
  mark_pareto(all);
  CHECK(all[0].pareto);
  CHECK(all[1].pareto);
  CHECK_FALSE(all[2].pareto);
  CHECK_FALSE(all[3].pareto);
  CHECK(all[4].pareto);
}

TEST_CASE("a plain layout counts with all of its speed, an involved one with less") {
  CHECK(plainness(Layout{}) == 1.0);
  CHECK(plainness(degrees(1, 2)) == Approx(0.98));
  CHECK(plainness(degrees(8, 1)) == Approx(0.97));
  CHECK(plainness(degrees(1, 1, Offload::optimizer)) == Approx(0.97));
  CHECK(plainness(degrees(8, 64, Offload::parameters)) > 0.5);
}

TEST_CASE("a limit that is broken is named with its value and what was allowed") {
  Candidate candidate;
  candidate.job.task = Task::inference;
  Option o = option(1, 10, 10);
  o.candidate = &candidate;
  o.time.ttft = Seconds{2.0};
  Policy policy;
  CHECK_FALSE(broken_limit(o, policy));
  policy.max_ttft_s = 1.0;
  const BrokenLimit b = broken_limit(o, policy);
  REQUIRE(b);
  CHECK(std::string(b.limit) == "max_ttft_s");
  CHECK(b.value == 2.0);
  CHECK(b.allowed == 1.0);
  policy.max_ttft_s = 2.0;
  CHECK_FALSE(broken_limit(o, policy));
}

TEST_CASE("money is no matter of layouts: an option without its price yet breaks a budget, but no limit of speed") {
  Candidate candidate;
  candidate.job.task = Task::full_finetune;
  Option o = option(0, 10, 3600);
  o.candidate = &candidate;
  Policy policy;
  policy.max_usd_per_hour = 5;
  CHECK(broken_limit(o, policy));
  CHECK_FALSE(broken_speed(o, policy));
  policy.deadline_hours = 0.5;
  CHECK(std::string(broken_speed(o, policy).limit) == "deadline_hours");
}

TEST_CASE("the nearest miss exceeds its limit least; no room is further than any limit, an unknown price under a budget further still") {
  Candidate candidate;
  candidate.job.task = Task::inference;
  Policy policy;
  policy.max_usd_per_hour = 1;
  const auto miss = [&](double usd, bool fits) {
    Option o = option(usd, 10, 10);
    o.candidate = &candidate;
    o.memory.used = Bytes{50};
    o.memory.usable = Bytes{100};
    o.memory.fits = fits;
    return missed_by(o, policy);
  };
  CHECK(miss(2, true) == Approx(2.0));
  CHECK(miss(2, true) < miss(3, true));
  CHECK(miss(1000, true) < miss(2, false));
  CHECK(miss(2, false) < miss(0, true));
}
