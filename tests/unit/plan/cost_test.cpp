#include "core/plan/cost.hpp"

#include <catch2/catch.hpp>

using namespace gpuplan;

namespace {

Machine two_nodes_of_four() {
  Machine m;
  m.gpus_per_node = Gpus{4};
  m.nodes = Nodes{2};
  return m;
}

Time ten_hours(double goodput) {
  Time t;
  t.total = Seconds{36000.0};
  t.tokens_per_s = TokensPerSecond{1e6 / 3600.0};
  t.goodput = goodput;
  return t;
}

Job training() {
  Job job;
  job.task = Task::full_finetune;
  return job;
}

}  // namespace

TEST_CASE("a run costs its hours on all nodes, and keeping two checkpoints") {
  Time t = ten_hours(1.0);
  t.checkpoint = Bytes{1e12};
  const Cost c = estimate_cost(training(), two_nodes_of_four(), t, 3.0);
  CHECK(c.usd_per_hour == Approx(6.0));
  CHECK(c.gpu_hours == Approx(80.0));
  CHECK(c.storage_usd == Approx(2 * 1000 * 0.023 * 10 / 730.5));
  CHECK(c.total_usd == Approx(60.0 + c.storage_usd));
}

TEST_CASE("tokens that failures take are paid for") {
  CHECK(estimate_cost(training(), two_nodes_of_four(), ten_hours(1.0), 3.0).usd_per_million_tokens == Approx(6.0));
  CHECK(estimate_cost(training(), two_nodes_of_four(), ten_hours(0.5), 3.0).usd_per_million_tokens == Approx(12.0));
}

TEST_CASE("without a price nothing is free: the cost is unknown") {
  CHECK_FALSE(estimate_cost(training(), two_nodes_of_four(), ten_hours(1.0), 0.0).known);
}
