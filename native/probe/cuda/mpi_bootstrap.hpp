#pragma once
/// The one thing that MPI does here: carry NCCL's id from rank 0 to all others.
#include <cstddef>

#include "native/probe/world.hpp"

namespace gpuplan::probe {

/// Starts MPI where needed. False when MPI sees another world than the launcher's variables say.
bool broadcast_by_mpi(void* data, std::size_t bytes, const World&);

}  // namespace gpuplan::probe
