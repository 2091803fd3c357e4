#pragma once
/// Generating the samples that PPO and GRPO train on, on the same GPUs, before the step [M-step-rollout].
#include "core/compute/training_layer.hpp"

namespace gpuplan {

/// Time to generate `samples` per replica with `output_tokens` each, all decoded together; every token passes all pipeline stages.
KernelTime rollout_time(const PreparedTraining&, const TrainingPlace&, double samples, double output_tokens);

}  // namespace gpuplan
