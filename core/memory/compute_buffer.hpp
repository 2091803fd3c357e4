#pragma once
/// llama.cpp's compute buffer: the largest sum of graph tensors alive at once, which its allocator reserves up front [M-memory-pool].
#include "core/layout/layout.hpp"
#include "core/memory/prepared.hpp"

namespace gpuplan::memory {

/// Bytes for micro-batches of `ubatch` tokens at the workload's context, fp32 intermediate tensors.
double compute_buffer_bytes(const Job&, const PreparedMemory&, const Layout&, double ubatch);

}  // namespace gpuplan::memory
