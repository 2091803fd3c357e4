#pragma once
/// Logits, their fp32 copy and gradient at the loss [M-memory-logits].
#include "core/layout/layout.hpp"
#include "core/memory/prepared.hpp"

namespace gpuplan::memory {

/// The loss kernel in use: the scenario's, or the recipe's own.
LossKernel loss_kernel(const Job&, const TrainingRecipe&);

/// Peak bytes around the loss for `tokens` of one micro-batch on the last stage.
double loss_bytes(const Job&, const PreparedMemory&, const Layout&, double tokens);

}  // namespace gpuplan::memory
