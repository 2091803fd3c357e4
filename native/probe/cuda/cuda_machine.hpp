#pragma once
/// The real machine: CUDA runtime, cuBLASLt, NCCL, NVML.
#include "native/probe/program.hpp"

namespace gpuplan::probe {

/// Opens the device asked for, or the process' own under a launcher, and joins the other processes.
Outcome<std::unique_ptr<Machine>> open_cuda_machine(const OpenRequest&);

}  // namespace gpuplan::probe
