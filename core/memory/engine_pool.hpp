#pragma once
/// Serving: what a step needs beside weights and cache, and how large the cache may grow [M-memory-pool].
#include "core/layout/layout.hpp"
#include "core/memory/memory.hpp"
#include "core/memory/prepared.hpp"

namespace gpuplan::memory {

/// The engine's settings after its own defaults for this card.
struct EngineSettings {
  double share = 0.0;            ///< of memory that the engine takes
  double sequences = 0.0;        ///< decoded together at most
  double step_tokens = 0.0;      ///< of the largest prefill step
  double replica_sequences = 0.0;///< requests at once on one replica
};
EngineSettings engine_settings(const Job&, const PreparedMemory&, const Machine&, const Layout&);

/// Bytes of one rank beside weights and cache.
struct StepMemory {
  double activations = 0.0;  ///< widest moment of the largest prefill step, when it is the peak
  double logits = 0.0;       ///< sampler or logits, when they are the peak
  double graphs = 0.0, workspace = 0.0;
};
StepMemory step_memory(const Job&, const PreparedMemory&, const Sums& stage, const Ranks&, const Layout&, const EngineSettings&);

/// Bytes left for the cache by the engine's rule; may be negative.
double pool_bytes(const PreparedMemory&, const Machine&, const EngineSettings&, double weights, const StepMemory&, double context, double communication,
                  double needed);

/// What the pool holds, rounded as the engine rounds.
KvCapacity pool_capacity(const Job&, const PreparedMemory&, const Sums& stage, const Layout&, const EngineSettings&, double pool);

/// Bytes that the workload needs: every concurrent request at its length, and one sequence of `context` tokens at least.
double needed_cache(const Job&, const PreparedMemory&, const Sums& stage, const Layout&, const EngineSettings&);

}  // namespace gpuplan::memory
