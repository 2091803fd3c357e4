#pragma once
/// Time of one optimizer step of a training job on one layout [M-step]: compute, messages, pipeline bubble, update.
#include "core/compute/time.hpp"
#include "core/compute/training_prepared.hpp"

namespace gpuplan {

/// Step time, throughput, MFU and HFU of the slowest rank; the parts sum to the step. No allocation when `why` is null.
Time estimate_training_time(const Job&, const PreparedTraining&, const Machine&, const Layout&, const Memory&, Explanation* why = nullptr);

/// Micro-batches of one replica per optimizer step.
double training_micro_batches(const Job&, const Layout&);

}  // namespace gpuplan
