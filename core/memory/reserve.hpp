#pragma once
/// Memory that is neither model nor data: driver context, communicators, graphs, what the allocator cannot reuse [M-memory-reserve].
#include "core/layout/job.hpp"
#include "core/layout/layout.hpp"
#include "core/memory/prepared.hpp"

namespace gpuplan::memory {

/// Bytes of the driver context of one process.
double context_bytes(const PreparedMemory&);

/// Buffers of the communicators that a layout opens: a fixed part and one per peer; 0 on a single GPU. Where the machine is given, only peers
/// in its scale-up domain count: over PCIe and the network transfers pass through buffers of the host.
double communicator_bytes(const PreparedMemory&, const Layout&, const Machine* = nullptr);

/// What the caching allocator holds beyond what is in use, for `dynamic` bytes that come and go.
double fragmentation_bytes(const Coefficients&, double dynamic);

}  // namespace gpuplan::memory
