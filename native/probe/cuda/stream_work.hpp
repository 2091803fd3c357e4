#pragma once
/// Buffers, and work that is queued on one stream and timed by events.
#include <chrono>
#include <vector>

#include "native/probe/cuda/check.hpp"
#include "native/probe/cuda/kernels.hpp"
#include "native/probe/machine.hpp"

namespace gpuplan::probe {

/// Device memory that is freed with its owner, on the device on which it was made.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept : data_(other.data_), device_(other.device_) { other.data_ = nullptr; }
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer() { release(); }
  /// On the current device; at least 16 bytes.
  Trouble allocate(std::size_t bytes);
  void* get() const { return data_; }
  template <class T> T* as() const { return static_cast<T*>(data_); }

 private:
  void release();
  void* data_ = nullptr;
  int device_ = 0;
};

/// Pinned host memory.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  ~PinnedBuffer();
  Trouble allocate(std::size_t bytes);
  void* get() const { return data_; }

 private:
  void* data_ = nullptr;
};

class Event {
 public:
  Event() { cudaEventCreate(&event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event();
  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// What every work of one device shares.
struct Board {
  int device = 0;
  cudaStream_t stream = nullptr;
  std::size_t l2_bytes = 0;
  int* hold_flag = nullptr;  ///< pinned, seen by all devices

  /// How many buffers of `bytes` to rotate through so that none is found in the L2 cache: three times its size, at most 64.
  int rotation(double bytes) const;
};

/// Waits until the event has happened; raises device_hangs() when it takes longer than `timeout_seconds`.
Trouble wait_for(cudaEvent_t, double timeout_seconds);

using HostClock = std::chrono::steady_clock;
inline double seconds_since(HostClock::time_point start) { return std::chrono::duration<double>(HostClock::now() - start).count(); }

/// Work that queues one run at a time. Runs are queued behind a hold, so that the host's launch rate does not show in the device's time.
class StreamWork : public Prepared {
 public:
  explicit StreamWork(Board& board) : board_(board) {}
  Outcome<double> time(int iterations, double timeout_seconds) override;

 protected:
  /// Queues run number `run` on board().stream.
  virtual Trouble queue(int run) = 0;
  virtual bool may_hold() const { return true; }
  Board& board() { return board_; }
  /// Queues run 0 and waits for it.
  Trouble run_once();

 private:
  Outcome<double> time_chunk(int runs, double timeout_seconds);
  Board& board_;
  Event start_, stop_;
  int next_ = 0;
};

/// Compares products with dots of their operands: |found − expected| ≤ tolerance × Σ|aᵢ·bᵢ| for each of `checks`.
Outcome<Done> verify_dots(Board&, const std::vector<DotCheck>& checks, Element operands, double tolerance);

}  // namespace gpuplan::probe
