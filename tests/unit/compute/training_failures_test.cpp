#include <catch2/catch.hpp>

#include <cmath>

#include "core/compute/training_failures.hpp"

using namespace gpuplan;
using namespace gpuplan::literals;

namespace {
/// Goodput at another interval, by the same formula.
double goodput_at(double interval, double write, double mean, double restart) {
  const double period = interval + write;
  return interval / period * (1.0 - (period / 2.0 + restart) / mean);
}
}  // namespace

TEST_CASE("a 405B model with Adam states saves 14 bytes per parameter") {
  CHECK(checkpoint_bytes(405e9, 2.0, 4.0, 8.0).value == Approx(5.67e12));
}

TEST_CASE("the interval of Young and Daly beats shorter and longer ones") {
  const Reliability r{Seconds{50.0 * 86400.0}, Seconds{300.0}};
  const CheckpointPlan plan = plan_checkpoints(Bytes{5.67e12}, 100_GBps, Nodes{2048}, r);
  const double mean = 50.0 * 86400.0 / 2048.0;
  CHECK(plan.write.value == Approx(56.7));
  CHECK(plan.interval.value == Approx(std::sqrt(2.0 * 56.7 * mean) - 56.7));
  for (const double factor : {0.25, 0.5, 2.0, 4.0}) CHECK(goodput_at(plan.interval.value * factor, 56.7, mean, 300.0) < plan.goodput);
}

TEST_CASE("what never fails needs no checkpoints, and more nodes fail more often") {
  CHECK(plan_checkpoints(1_GB, 1_GBps, Nodes{8}, {}).goodput == 1.0);
  const Reliability r{Seconds{30.0 * 86400.0}, Seconds{300.0}};
  double before = 1.0;
  for (const std::int64_t nodes : {1, 8, 64, 512}) {
    const double goodput = plan_checkpoints(1_GB, 1_GBps, Nodes{nodes}, r).goodput;
    CHECK(goodput < before);
    before = goodput;
  }
  CHECK(plan_checkpoints(Bytes{1e15}, 1_GBps, Nodes{512}, r).goodput == 0.0);
}
