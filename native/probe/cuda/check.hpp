#pragma once
/// Statuses of CUDA, cuBLASLt and NCCL as failures of the probe.
#include <optional>
#include <string>

#include <cublasLt.h>
#include <cuda_runtime_api.h>

#include "native/probe/outcome.hpp"

namespace gpuplan::probe {

using Trouble = std::optional<Failure>;  ///< nothing = well

/// Which fault an error of the runtime is; after a "lost" one the context is unusable.
Fault fault_of(cudaError_t);
Trouble check(cudaError_t, const char* what);
Trouble check(cublasStatus_t, const char* what);
/// The error that an asynchronous launch left behind.
inline Trouble launched(const char* what) { return check(cudaGetLastError(), what); }

/// Raised when a call did not return in time: the device may still be at work, so nothing is freed or waited for any more.
bool& device_hangs();

}  // namespace gpuplan::probe
