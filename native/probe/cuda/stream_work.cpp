#include "native/probe/cuda/stream_work.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

namespace gpuplan::probe {
namespace {

constexpr int most_queued = 100;         ///< a stream takes about a thousand launches before the next one blocks, and a run may be several
constexpr double busy_wait_seconds = 2e-3;

}  // namespace

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this != &other) {
    release();
    data_ = other.data_;
    device_ = other.device_;
    other.data_ = nullptr;
  }
  return *this;
}
Trouble Buffer::allocate(std::size_t bytes) {
  release();
  cudaGetDevice(&device_);
  return check(cudaMalloc(&data_, std::max<std::size_t>(bytes, 16)), "device memory");
}
void Buffer::release() {
  if (data_ != nullptr && !device_hangs()) {
    int current = 0;
    cudaGetDevice(&current);
    cudaSetDevice(device_);
    cudaFree(data_);
    cudaSetDevice(current);
  }
  data_ = nullptr;
}

PinnedBuffer::~PinnedBuffer() {
  if (data_ != nullptr && !device_hangs()) cudaFreeHost(data_);
}
Trouble PinnedBuffer::allocate(std::size_t bytes) { return check(cudaHostAlloc(&data_, bytes, cudaHostAllocPortable), "pinned host memory"); }

Event::~Event() {
  if (event_ != nullptr && !device_hangs()) cudaEventDestroy(event_);
}

int Board::rotation(double bytes) const {
  return static_cast<int>(std::clamp(std::ceil(3.0 * static_cast<double>(l2_bytes) / std::max(bytes, 1.0)), 1.0, 64.0));
}

Trouble wait_for(cudaEvent_t event, double timeout_seconds) {
  const auto start = HostClock::now();
  for (;;) {
    const cudaError_t e = cudaEventQuery(event);
    if (e == cudaSuccess) return {};
    if (e != cudaErrorNotReady) return check(e, "running on the device");
    const double waited = seconds_since(start);
    if (waited > timeout_seconds) {
      device_hangs() = true;
      return Failure{Fault::timed_out, "the device did not answer within " + std::to_string(static_cast<int>(timeout_seconds)) + " s"};
    }
    if (waited > busy_wait_seconds) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

Outcome<double> StreamWork::time(int iterations, double timeout_seconds) {
  if (Trouble t = check(cudaSetDevice(board_.device), "device")) return *t;
  double seconds = 0.0;
  for (int left = iterations; left > 0; left -= most_queued) {
    Outcome<double> chunk = time_chunk(std::min(left, most_queued), timeout_seconds);
    if (!chunk) return chunk.failure();
    seconds += *chunk;
    if (seconds > timeout_seconds) return Failure{Fault::failed, "slower than the time-out allows"};
  }
  return seconds;
}

Outcome<double> StreamWork::time_chunk(int runs, double timeout_seconds) {
  const bool held = may_hold() && runs > 1;
  volatile int* flag = board_.hold_flag;
  if (held) {
    *flag = 0;
    hold(board_.hold_flag, board_.stream);
  }
  cudaEventRecord(start_.get(), board_.stream);
  Trouble trouble;
  for (int i = 0; i < runs && !trouble; ++i) trouble = queue(next_++);
  cudaEventRecord(stop_.get(), board_.stream);
  *flag = 1;
  if (Trouble late = wait_for(stop_.get(), timeout_seconds)) return *late;
  if (trouble) return *trouble;
  float milliseconds = 0.0f;
  if (Trouble t = check(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()), "event time")) return *t;
  return static_cast<double>(milliseconds) * 1e-3;
}

Trouble StreamWork::run_once() {
  if (Trouble t = check(cudaSetDevice(board_.device), "device")) return t;
  if (Trouble t = queue(0)) return t;
  cudaEventRecord(stop_.get(), board_.stream);
  return wait_for(stop_.get(), 20.0);
}

Outcome<Done> verify_dots(Board& board, const std::vector<DotCheck>& checks, Element operands, double tolerance) {
  Buffer given, found;
  const std::size_t count = checks.size();
  if (Trouble t = given.allocate(count * sizeof(DotCheck))) return *t;
  if (Trouble t = found.allocate(count * sizeof(DotFound))) return *t;
  if (Trouble t = check(cudaMemcpy(given.get(), checks.data(), count * sizeof(DotCheck), cudaMemcpyHostToDevice), "checks")) return *t;
  check_dots(given.as<DotCheck>(), static_cast<int>(count), operands, found.as<DotFound>(), board.stream);
  if (Trouble t = launched("check")) return *t;
  std::vector<DotFound> results(count);
  if (Trouble t = check(cudaStreamSynchronize(board.stream), "check")) return *t;
  if (Trouble t = check(cudaMemcpy(results.data(), found.get(), count * sizeof(DotFound), cudaMemcpyDeviceToHost), "check")) return *t;
  for (const DotFound& r : results) {
    if (!(std::abs(r.found - r.expected) <= tolerance * r.magnitude)) {
      return Failure{Fault::wrong_result, "a product is " + std::to_string(r.found) + ", but should be " + std::to_string(r.expected)};
    }
  }
  return Done{};
}

}  // namespace gpuplan::probe
