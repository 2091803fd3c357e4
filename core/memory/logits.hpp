#pragma once
/// Logits, their fp32 copy and gradient at the loss [M-memory-logits].
#include "core/layout/layout.hpp"
#include "core/memory/prepared.hpp"

namespace gpuplan::memory {

/// Peak bytes around the loss for `tokens` of one micro-batch on the last stage.
double loss_bytes(const Job&, const PreparedMemory&, const Layout&, double tokens);

}  // namespace gpuplan::memory
