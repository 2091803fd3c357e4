#pragma once
/// Peak memory of one rank over the moments of a training step [M-memory].
#include "core/memory/memory.hpp"
#include "core/memory/optimizer_state.hpp"
#include "core/memory/prepared.hpp"

namespace gpuplan::memory {

/// Moments of a step that can be the peak.
enum class Moment { loss, backward, step, generation };

/// One rank's training memory, piece by piece.
struct TrainingPeak {
  State state;
  double tokens = 0.0;        ///< of one micro-batch on this rank
  double micro_batches = 1.0; ///< whose activations are alive
  double saved = 0.0;         ///< kept for backward, all micro-batches in flight
  double working = 0.0;       ///< of the layer in backward, with its recomputation
  double loss = 0.0;          ///< logits and their gradient
  double gathered = 0.0;      ///< whole weights beside their shards, at the peak moment
  double rollout_weights = 0.0, rollout_cache = 0.0;  ///< generation engine on the same GPUs
  double host = 0.0;
  Moment moment = Moment::loss;
  MemoryParts parts;          ///< at the peak moment
};

TrainingPeak training_peak(const Job&, const PreparedMemory&, const Layout& staged, std::int32_t stage);

/// Micro-batches per step and replica.
double micro_batches_per_step(const Job&, const Layout&);

}  // namespace gpuplan::memory
