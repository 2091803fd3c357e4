#include "core/compute/training_behaviour.hpp"

namespace gpuplan {
namespace {

// Gradient types: Megatron accumulates and reduces fp32 main gradients, FSDP's default mixed policy reduces in fp32, DeepSpeed in the
// training type. selective_forward: torchtitan's "selective op" repeats every second product, Megatron only the attention core.
constexpr TrainingBehaviour rows[] = {
    // software       grad  each   over-g over-p heads  selective
    {"transformers", 2.0, true, true, false, true, 0.0},
    {"deepspeed", 2.0, true, true, true, true, 0.0},
    {"ms-swift", 2.0, true, true, false, true, 0.0},
    {"unsloth", 2.0, true, true, false, false, 0.0},
    {"torchtune", 2.0, true, true, true, false, 0.0},
    {"fsdp", 4.0, true, true, true, false, 0.0},
    {"llm-foundry", 4.0, true, true, true, false, 0.0},
    {"torchtitan", 4.0, true, true, true, false, 0.5},
    {"megatron", 4.0, false, true, true, false, 0.0},
    {"paddle", 2.0, false, true, false, false, 0.0},
};

}  // namespace

const TrainingBehaviour& training_behaviour(std::string_view software) {
  for (const TrainingBehaviour& row : rows) {
    if (software == row.software) return row;
  }
  return rows[0];
}

TrainingCoefficients training_coefficients(const Calibration& calibration, const std::string& software) {
  TrainingCoefficients c;
  each_training_field(c, [&](const char* field, double& value) {
    const Coefficient* own = calibration.find("train." + software + "." + field);
    value = own ? own->value : calibration.value(std::string("train.other.") + field);
  });
  return c;
}

}  // namespace gpuplan
