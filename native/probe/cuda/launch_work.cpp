#include "native/probe/cuda/works.hpp"

namespace gpuplan::probe {
namespace {

constexpr int queued_at_once = 256;  ///< far below what makes a launch wait for room

/// Times by the host's clock: what is measured is the host.
class HostTimedWork : public Prepared {
 public:
  explicit HostTimedWork(Board& board) : board_(board) {}
  Outcome<Done> verify() override {
    const Outcome<double> once = time(1, 20.0);
    return once ? Outcome<Done>(Done{}) : Outcome<Done>(once.failure());
  }

 protected:
  /// Waits for everything that was queued; the wait itself is watched.
  Trouble drain(double timeout_seconds) {
    cudaEventRecord(event_.get(), board_.stream);
    return wait_for(event_.get(), timeout_seconds);
  }
  Board& board_;

 private:
  Event event_;
};

class EnqueueWork : public HostTimedWork {
 public:
  using HostTimedWork::HostTimedWork;
  Trouble prepare() { return {}; }
  Outcome<double> time(int iterations, double timeout_seconds) override {
    double seconds = 0.0;
    for (int left = iterations; left > 0; left -= queued_at_once) {
      const int now = left < queued_at_once ? left : queued_at_once;
      const auto start = HostClock::now();
      for (int i = 0; i < now; ++i) empty_kernel(board_.stream);
      seconds += seconds_since(start);
      if (Trouble t = launched("empty kernel")) return *t;
      if (Trouble t = drain(timeout_seconds)) return *t;
    }
    return seconds;
  }
};

class RoundTripWork : public HostTimedWork {
 public:
  using HostTimedWork::HostTimedWork;
  Trouble prepare() { return {}; }
  Outcome<double> time(int iterations, double timeout_seconds) override {
    const auto start = HostClock::now();
    for (int i = 0; i < iterations; ++i) {
      empty_kernel(board_.stream);
      if (Trouble t = check(cudaStreamSynchronize(board_.stream), "empty kernel")) return *t;
      if (seconds_since(start) > timeout_seconds) return Failure{Fault::failed, "slower than the time-out allows"};
    }
    return seconds_since(start);
  }
};

/// Launch of an instantiated graph of empty kernels in a chain, and the wait for it.
class GraphWork : public HostTimedWork {
 public:
  GraphWork(Board& board, int kernels) : HostTimedWork(board), kernels_(kernels) {}
  GraphWork(const GraphWork&) = delete;
  GraphWork& operator=(const GraphWork&) = delete;
  ~GraphWork() override {
    if (device_hangs()) return;
    if (runnable_ != nullptr) cudaGraphExecDestroy(runnable_);
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
  }
  Trouble prepare() {
    empty_kernel(board_.stream);  // its code is loaded at the first launch, which must not be inside a capture
    if (Trouble t = check(cudaStreamSynchronize(board_.stream), "empty kernel")) return t;
    if (Trouble t = check(cudaStreamBeginCapture(board_.stream, cudaStreamCaptureModeThreadLocal), "graph capture")) return t;
    for (int i = 0; i < kernels_; ++i) empty_kernel(board_.stream);
    if (Trouble t = check(cudaStreamEndCapture(board_.stream, &graph_), "graph capture")) return t;
    return check(cudaGraphInstantiateWithFlags(&runnable_, graph_, 0), "graph");
  }
  Outcome<double> time(int iterations, double timeout_seconds) override {
    const auto start = HostClock::now();
    for (int i = 0; i < iterations; ++i) {
      if (Trouble t = check(cudaGraphLaunch(runnable_, board_.stream), "graph launch")) return *t;
      if (Trouble t = check(cudaStreamSynchronize(board_.stream), "graph launch")) return *t;
      if (seconds_since(start) > timeout_seconds) return Failure{Fault::failed, "slower than the time-out allows"};
    }
    return seconds_since(start);
  }

 private:
  int kernels_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t runnable_ = nullptr;
};

}  // namespace

Outcome<std::unique_ptr<Prepared>> prepare_launch(Board& board, const LaunchWork& work) {
  if (work.kind == LaunchKind::enqueue) return prepared<EnqueueWork>(board);
  return work.kind == LaunchKind::round_trip ? prepared<RoundTripWork>(board) : prepared<GraphWork>(board, work.kernels);
}

}  // namespace gpuplan::probe
