#pragma once
/// A machine whose rates are known, with noise, outliers and faults on demand, on a virtual clock: the probe's logic runs on it in milliseconds.
#include <atomic>
#include <functional>
#include <limits>
#include <map>
#include <random>

#include "native/probe/machine.hpp"

namespace gpuplan::probe {

struct SimulatedLine { double latency_s, per_s; };

struct SimulatedTruth {
  Facts facts;
  double usable_bytes = 0.0;
  std::map<MemoryOperation, SimulatedLine> memory;
  std::map<Arithmetic, GemmSurface> gemm;                      ///< types that are absent are unsupported
  SimulatedLine prefill{}, decode{}, dequantise{};
  double enqueue_s = 0.0, round_trip_s = 0.0, graph_launch_s = 0.0, graph_kernel_s = 0.0;
  std::map<std::pair<HostDirection, bool>, SimulatedLine> host;
  std::function<SimulatedLine(int from, int to, bool direct)> peer;
  std::function<TransferFit(const CollectiveWork&)> collective; ///< α and bus bandwidth by message size
  bool peer_access = true, nccl = true;

  double noise = 0.01;                                         ///< relative standard deviation of a sample
  double outlier_share = 0.03, outlier_factor = 6.0;           ///< now and then something else takes the machine
  double prepare_seconds = 2e-3;
  double memory_limit_bytes = std::numeric_limits<double>::infinity();
  double throttle_after_s = std::numeric_limits<double>::infinity(), throttle_factor = 0.6;
  double interrupt_after_s = std::numeric_limits<double>::infinity();
  int other_processes = 0;
  std::function<bool(const Work&)> hangs, wrong, lost;         ///< work that never returns, returns wrong numbers, takes the device with it
};

/// An invented GPU of round figures: 3 TB/s, 700 TFLOPS bf16, four to a node.
SimulatedTruth example_truth();

class SimulatedMachine : public Machine {
 public:
  /// `stop` is raised at truth.interrupt_after_s, as Ctrl-C would.
  explicit SimulatedMachine(SimulatedTruth truth, std::atomic<bool>* stop = nullptr) : truth_(std::move(truth)), stop_(stop) {}

  Outcome<Facts> facts() override { return truth_.facts; }
  Outcome<double> usable_bytes() override { return truth_.usable_bytes; }
  Health health() override;
  Identity identity() override { return {"example-host", "example-user", {"GPU-example"}, {"12345"}}; }
  std::string cannot(const Work&) override;
  Outcome<std::unique_ptr<Prepared>> prepare(const Work&) override;
  double now() override { return clock_; }
  double agree(double value) override { return agreement ? agreement(value) : value; }

  /// Joins several simulated processes: gives each the largest of their values.
  std::function<double(double)> agreement;

  /// Seconds that the work takes on average when nothing goes wrong.
  double ideal_seconds(const Work&) const;
  /// The same with noise, outliers and throttling; moves the clock.
  double run(const Work&, int iterations);
  void pass(double seconds);
  const SimulatedTruth& truth() const { return truth_; }

 private:
  SimulatedTruth truth_;
  std::atomic<bool>* stop_;
  double clock_ = 0.0;
  std::mt19937_64 random_{20261201};
};

}  // namespace gpuplan::probe
