#pragma once
/// Memory of the worst rank, part by part [M-memory]. Prepared once per job, then evaluated per layout without allocating.
#include <cstdint>
#include <memory>

#include "core/explain.hpp"
#include "core/layout/job.hpp"
#include "core/layout/layout.hpp"
#include "core/units.hpp"

namespace gpuplan {

/// Bytes per GPU on the worst rank; the names are those of the protocol.
struct MemoryParts {
  Bytes weights, gradients, optimizer, master_weights, adapters, activations, logits, kv_cache, state_cache, workspace, cuda_graphs,
      communication, context, fragmentation;
  Bytes total() const {
    return weights + gradients + optimizer + master_weights + adapters + activations + logits + kv_cache + state_cache + workspace + cuda_graphs +
           communication + context + fragmentation;
  }
};

/// What is left for the KV cache and what it holds (serving only).
struct KvCapacity {
  BytesPerToken bytes_per_token;  ///< per GPU of one replica, growing layers only
  Bytes bytes_per_sequence;       ///< constant part per sequence (states)
  Bytes capacity;                 ///< per GPU
  Tokens tokens;                  ///< that the pool holds, as the engine prints it
  double max_concurrency = 0.0;   ///< sequences of `context` tokens at once (one replica)
  std::int64_t blocks = 0, block_size = 1;
};

struct Memory {
  MemoryParts parts;
  Bytes usable;                ///< per GPU, as the driver reports it
  Bytes used;                  ///< needed: parts.total() with the KV cache that the workload needs (not the whole pool an engine would grab)
  Bytes host;                  ///< per node
  std::int32_t worst_stage = 0;  ///< pipeline stage of the worst rank
  KvCapacity kv;
  bool fits = false;           ///< used ≤ usable, host memory suffices, and serving holds at least one sequence of `context`
  bool host_short = false;     ///< host memory is what binds
  Bytes used_low, used_high;   ///< central 90 % range of `used`
  Tokens tokens_low, tokens_high;
};

/// Sums over the tensors that do not depend on the layout or on the machine. Opaque to callers; cheap to copy by reference.
struct PreparedMemory;
struct PreparedMemoryDeleter { void operator()(PreparedMemory*) const; };
using PreparedMemoryPtr = std::unique_ptr<PreparedMemory, PreparedMemoryDeleter>;
PreparedMemoryPtr prepare_memory(const Job&);

/// Memory of one layout on one machine; with `why`, each part's formula, inputs and coefficient. No allocation when `why` is null.
Memory estimate_memory(const Job&, const PreparedMemory&, const Machine&, const Layout&, Explanation* why = nullptr);

/// What a training layout needs whatever room a machine has: machines that differ in nothing but room share it.
struct MemoryNeed {
  Bytes fixed;          ///< all parts of the worst stage but fragmentation
  Bytes fragmentation;  ///< where there is room for it
  Bytes host;           ///< per rank
};
MemoryNeed training_need(const Job&, const PreparedMemory&, const Layout&);

/// `used`, `host` and `fits` of estimate_memory, from the need of the same training layout.
struct MemoryUse {
  Bytes used, host;
  bool fits = false;
};
MemoryUse memory_use(const MemoryNeed&, const Machine&, const Layout&);

/// A lower bound of `used` over all layouts with these tp × pp (× ep) degrees; monotone, for pruning. Never above estimate_memory(...).used.
Bytes memory_lower_bound(const Job&, const PreparedMemory&, const Machine&, const Layout&);

}  // namespace gpuplan
