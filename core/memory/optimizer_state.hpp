#pragma once
/// Weights, gradients, master weights and optimizer state of one rank in training [M-memory-state].
#include "core/layout/layout.hpp"
#include "core/memory/prepared.hpp"

namespace gpuplan::memory {

/// Bytes of one rank.
struct State {
  double weights = 0.0, gradients = 0.0, master = 0.0, optimizer = 0.0, adapters = 0.0;
  double gathered = 0.0;   ///< whole layers alive beside their shards
  double gathered_ends = 0.0;  ///< the same at the loss: embedding or head
  double buckets = 0.0;    ///< communication buckets of gradients
  double dummies = 0.0;    ///< stand-ins for weight gradients that fused accumulation leaves behind
  double head_gradient = 0.0;  ///< of the head (or tied embedding) at the loss, where it is formed chunk by chunk
  double step = 0.0;       ///< held only while the optimizer steps
  double host = 0.0;       ///< in host memory
  double kept() const { return weights + master + optimizer + adapters; }
};

/// The row of the recipe table that holds for this layout.
const TrainingRecipe& recipe_for(const PreparedMemory&, const Layout&);
/// Its coefficients.
const Coefficients& coefficients_for(const PreparedMemory&, const Layout&);

/// The loss kernel in use: the scenario's, or the recipe's own.
LossKernel loss_kernel(const Job&, const TrainingRecipe&);

/// State of one rank of a stage (`last`: it holds the head): what ZeRO stage `layout.zero` leaves of it, and what offloading moves to the host.
State training_state(const Job&, const PreparedMemory&, const Sums& stage, const Ranks&, const Layout&, bool last);

}  // namespace gpuplan::memory
