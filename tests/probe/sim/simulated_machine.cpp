#include "tests/probe/sim/simulated_machine.hpp"

#include <algorithm>
#include <cmath>

namespace gpuplan::probe {
namespace {

double seconds(const SimulatedLine& line, double amount) { return line.latency_s + amount / line.per_s; }

struct Ideal {
  const SimulatedTruth& t;
  double operator()(const MemoryWork& w) const { return seconds(t.memory.at(w.operation), static_cast<double>(w.bytes)); }
  double operator()(const GemmWork& w) const { return gemm_time(t.gemm.at(w.type), w.m, w.n, w.k).value; }
  double operator()(const AttentionWork& w) const {
    const double elements = static_cast<double>(w.batch * w.heads * w.keys * w.head_dim);
    return w.queries > 1 ? seconds(t.prefill, 4.0 * elements * static_cast<double>(w.queries)) : seconds(t.decode, 4.0 * elements);
  }
  double operator()(const DequantiseWork& w) const {
    const double expand = seconds(t.dequantise, static_cast<double>(w.n) * static_cast<double>(w.k));
    return w.m == 0 ? expand : expand + gemm_time(t.gemm.at(Arithmetic::fp16), w.m, w.n, w.k).value;
  }
  double operator()(const LaunchWork& w) const {
    if (w.kind == LaunchKind::enqueue) return t.enqueue_s;
    return w.kind == LaunchKind::round_trip ? t.round_trip_s : t.graph_launch_s + w.kernels * t.graph_kernel_s;
  }
  double operator()(const HostCopyWork& w) const { return seconds(t.host.at({w.direction, w.pinned}), static_cast<double>(w.bytes)); }
  double operator()(const PeerCopyWork& w) const { return seconds(t.peer(w.from, w.to, w.direct), static_cast<double>(w.bytes)); }
  double operator()(const CollectiveWork& w) const {
    return collective_time({w.kind, Gpus{w.ranks}, Nodes{w.nodes}, t.collective(w)}, Bytes{static_cast<double>(w.bytes)}).value;
  }
};

/// Bytes that the buffers of the work take.
struct Footprint {
  double operator()(const MemoryWork& w) const { return static_cast<double>(w.bytes); }
  double operator()(const GemmWork& w) const { return gemm_bytes(w.type, w.m, w.n, w.k).value; }
  double operator()(const AttentionWork& w) const { return 4.0 * static_cast<double>(w.batch * w.heads * w.keys * (w.head_dim + w.queries)); }
  double operator()(const DequantiseWork& w) const { return 2.5 * static_cast<double>(w.n) * static_cast<double>(w.k); }
  double operator()(const LaunchWork&) const { return 0.0; }
  double operator()(const HostCopyWork& w) const { return static_cast<double>(w.bytes); }
  double operator()(const PeerCopyWork& w) const { return static_cast<double>(w.bytes); }
  double operator()(const CollectiveWork& w) const { return 2.0 * static_cast<double>(w.bytes); }
};

class SimulatedWork : public Prepared {
 public:
  SimulatedWork(SimulatedMachine& machine, Work work) : machine_(machine), work_(std::move(work)) {}
  Outcome<Done> verify() override {
    const SimulatedTruth& t = machine_.truth();
    if (t.wrong && t.wrong(work_)) return Failure{Fault::wrong_result, "the result is not what the reference says"};
    return Done{};
  }
  Outcome<double> time(int iterations, double timeout_seconds) override {
    const SimulatedTruth& t = machine_.truth();
    if (t.lost && t.lost(work_)) return Failure{Fault::lost, "unspecified launch failure"};
    const bool hangs = t.hangs && t.hangs(work_);
    const double seconds = hangs ? timeout_seconds : machine_.run(work_, iterations);
    if (hangs) machine_.pass(timeout_seconds);
    if (std::holds_alternative<CollectiveWork>(work_)) return machine_.agree(seconds);
    if (seconds >= timeout_seconds) return Failure{Fault::timed_out, "no answer within the time-out"};
    return seconds;
  }

 private:
  SimulatedMachine& machine_;
  Work work_;
};

}  // namespace

void SimulatedMachine::pass(double s) {
  clock_ += s;
  if (stop_ != nullptr && clock_ >= truth_.interrupt_after_s) *stop_ = true;
}

double SimulatedMachine::ideal_seconds(const Work& work) const { return std::visit(Ideal{truth_}, work); }

double SimulatedMachine::run(const Work& work, int iterations) {
  double s = ideal_seconds(work) * iterations;
  if (clock_ >= truth_.throttle_after_s) s /= truth_.throttle_factor;
  s *= std::max(0.5, std::normal_distribution<double>(1.0, truth_.noise)(random_));
  if (std::uniform_real_distribution<double>(0.0, 1.0)(random_) < truth_.outlier_share) s *= truth_.outlier_factor;
  pass(s);
  return s;
}

Health SimulatedMachine::health() {
  Health h;
  h.known = true;
  h.power_throttled = clock_ >= truth_.throttle_after_s;
  h.other_processes = truth_.other_processes;
  return h;
}

std::string SimulatedMachine::cannot(const Work& work) {
  if (const auto* w = std::get_if<GemmWork>(&work); w != nullptr && truth_.gemm.count(w->type) == 0) return "the GPU has no units for this type";
  if (const auto* w = std::get_if<PeerCopyWork>(&work); w != nullptr && w->direct && !truth_.peer_access) return "no peer access";
  if (std::holds_alternative<CollectiveWork>(work) && !truth_.nccl) return "built without NCCL";
  return "";
}

Outcome<std::unique_ptr<Prepared>> SimulatedMachine::prepare(const Work& work) {
  pass(truth_.prepare_seconds);
  if (std::visit(Footprint{}, work) > truth_.memory_limit_bytes) return Failure{Fault::out_of_memory, "out of memory"};
  return std::unique_ptr<Prepared>(std::make_unique<SimulatedWork>(*this, work));
}

}  // namespace gpuplan::probe
