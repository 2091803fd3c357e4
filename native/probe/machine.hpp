#pragma once
/// The small interface between measurement logic (host code, tested against a simulated machine) and a real machine with CUDA.
#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "core/catalog/profile.hpp"
#include "native/probe/outcome.hpp"

namespace gpuplan::probe {

/// Pieces of work that can be timed. Sizes in bytes or elements; every buffer holds random data and rotates beyond the L2 cache.
struct MemoryWork { MemoryOperation operation; std::int64_t bytes; };  ///< bytes touched: copy = read + write
struct GemmWork { Arithmetic type; std::int64_t m, n, k; };
/// Batched products as in attention. Prefill: QKᵀ then PV with `queries` = `keys`; decode: one query row per sequence and head.
struct AttentionWork { Arithmetic type; std::int64_t batch, heads, head_dim, queries, keys; };
/// 4-bit weights N × K with one scale per `group` expanded to fp16; m > 0: followed by the fp16 product.
struct DequantiseWork { std::int64_t m, n, k, group; };
enum class LaunchKind { enqueue, round_trip, graph };
/// enqueue: host time per queued empty kernel; round_trip: launch and wait; graph: one launch of a graph of `kernels` empty kernels.
struct LaunchWork { LaunchKind kind; int kernels; };
struct HostCopyWork { HostDirection direction; bool pinned; std::int64_t bytes; };  ///< both_ways: bytes of the two directions together
struct PeerCopyWork { int from, to; bool direct; std::int64_t bytes; };
/// `ranks` GPUs spread evenly over the first `nodes` nodes; nccl-tests size.
struct CollectiveWork { Collective kind; int ranks, nodes; std::int64_t bytes; };

using Work = std::variant<MemoryWork, GemmWork, AttentionWork, DequantiseWork, LaunchWork, HostCopyWork, PeerCopyWork, CollectiveWork>;

/// Work with its buffers in place.
class Prepared {
 public:
  virtual ~Prepared() = default;
  /// Runs once and compares with a reference.
  virtual Outcome<Done> verify() = 0;
  /// Device time of `iterations` runs in a row, in seconds; gives up after `timeout_seconds`.
  virtual Outcome<double> time(int iterations, double timeout_seconds) = 0;
};

/// What the machine says about itself while it works. Fields are false or 0 when unknown.
struct Health {
  bool known = false;
  bool power_throttled = false, thermal_throttled = false, hardware_slowdown = false;
  double clock_limit_hz = 0.0;  ///< what an administrator locked the clock to, 0 = not locked
  int other_processes = 0;
  std::int64_t uncorrected_ecc_errors = 0;
};

struct Facts {
  MeasuredGpu gpu;          ///< memory_usable not yet filled in
  MeasuredMachine machine;
  int device = 0;
  bool mixed_gpus = false;  ///< the node holds GPUs of more than one kind
  bool display_attached = false;
};

/// A machine with one chosen GPU; under MPI, Slurm or torchrun one of several processes with one GPU each.
class Machine {
 public:
  virtual ~Machine() = default;
  virtual Outcome<Facts> facts() = 0;
  /// Largest sum that this empty process can allocate on the chosen GPU.
  virtual Outcome<double> usable_bytes() = 0;
  virtual Health health() = 0;
  /// Host, user and device names; asked for only with --identify.
  virtual Identity identity() = 0;
  /// Why this work cannot run here, "" when it can.
  virtual std::string cannot(const Work&) = 0;
  virtual Outcome<std::unique_ptr<Prepared>> prepare(const Work&) = 0;
  /// Monotonic seconds.
  virtual double now() = 0;
  /// The largest of the processes' values, the same in all of them; with one process the value itself.
  virtual double agree(double value) { return value; }
};

}  // namespace gpuplan::probe
