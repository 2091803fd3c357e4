// Several processes measure collectives together: each with its own clock and noise, none may wait for a decision that the others never make.
#include <condition_variable>
#include <mutex>
#include <thread>

#include <catch2/catch.hpp>

#include "native/probe/assemble.hpp"
#include "native/probe/measure/measure.hpp"
#include "native/probe/runner.hpp"
#include "tests/probe/sim/simulated_machine.hpp"

using namespace gpuplan;
using namespace gpuplan::probe;

namespace {

/// Gives every process the largest value once all have come; a process that stays away makes the others fail after a second.
class Agreement {
 public:
  explicit Agreement(int processes) : processes_(processes) {}
  double operator()(double value) {
    std::unique_lock<std::mutex> lock(mutex_);
    const int round = round_;
    next_ = arrived_ == 0 ? value : std::max(next_, value);
    if (++arrived_ == processes_) {
      result_ = next_;
      arrived_ = 0;
      ++round_;
      all_here_.notify_all();
      return result_;
    }
    if (!all_here_.wait_for(lock, std::chrono::seconds(5), [&] { return round_ != round; })) missed = true;
    return result_;
  }
  std::atomic<bool> missed{false};

 private:
  std::mutex mutex_;
  std::condition_variable all_here_;
  int processes_, arrived_ = 0, round_ = 0;
  double next_ = 0.0, result_ = 0.0;
};

struct Processes {
  std::vector<Profile> profiles;
  bool missed = false;
};

Processes run(int count, double budget, double interrupt_one_after = std::numeric_limits<double>::infinity()) {
  Agreement agreement(count);
  Processes out;
  out.profiles.resize(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      SimulatedTruth truth = example_truth();
      truth.facts.machine.gpus_per_node = Gpus{2};
      truth.facts.machine.nodes = Nodes{count / 2};
      truth.noise = 0.01 * (rank + 1);
      truth.prepare_seconds = 1e-3 * (rank + 1);  // clocks run apart
      if (rank == count - 1) truth.interrupt_after_s = interrupt_one_after;
      std::atomic<bool> stop{false};
      SimulatedMachine machine(truth, &stop);
      machine.agreement = [&agreement](double v) { return agreement(v); };
      machine.pass(0.3 * rank);
      const Settings settings{Effort::quick, budget};
      Profile& profile = out.profiles[static_cast<std::size_t>(rank)];
      start_profile(profile, truth.facts, Effort::quick, "2026-12-01");
      Context ctx(machine, profile, settings, stop);
      ctx.facts = truth.facts;
      run_measurements(ctx, all_measurements(), rank, nullptr);
    });
  }
  for (std::thread& t : threads) t.join();
  out.missed = agreement.missed;
  return out;
}

}  // namespace

TEST_CASE("all processes decide alike and measure the same groups") {
  const Processes p = run(4, 30.0);
  CHECK_FALSE(p.missed);
  REQUIRE(p.profiles[0].collectives.size() == 14);  // four kinds: 2 in the node, 2 and 4 over nodes; send-recv: in the node and between nodes
  for (const Profile& other : p.profiles) CHECK(other.collectives.size() == p.profiles[0].collectives.size());
  for (const CollectiveFit& c : p.profiles[0].collectives) CHECK(c.fit.segments.back().bandwidth.value == Approx(c.nodes.n > 1 ? 60e9 : 360e9).epsilon(0.06));
  CHECK(p.profiles[0].gemm.size() >= 5);
  CHECK(p.profiles[1].gemm.empty());  // rank 0 alone measures its GPU
}

TEST_CASE("they stop together when the budget is used") { CHECK_FALSE(run(4, 2.0).missed); }

TEST_CASE("Ctrl-C in one process stops all of them") {
  const Processes p = run(2, 30.0, 0.35);
  CHECK_FALSE(p.missed);
  CHECK(p.profiles[0].collectives.size() < 9);
  CHECK_FALSE(p.profiles[0].complete);
}
