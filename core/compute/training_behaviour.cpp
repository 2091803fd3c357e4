#include "core/compute/training_behaviour.hpp"

#include <vector>

#include "core/memory/version.hpp"

namespace gpuplan {
namespace {

// Gradient types: Megatron accumulates and reduces fp32 main gradients, FSDP's default mixed policy reduces in fp32, DeepSpeed in the
// training type. selective_forward: torchtitan's "selective op" repeats every second product, Megatron only the attention core.
constexpr TrainingBehaviour rows[] = {
    // software, like   grad  each   over-g over-pp over-p heads  apart  selective
    {"transformers", "", 2.0, true, true, false, false, true, true, 0.0},
    {"deepspeed", "", 2.0, true, true, false, true, true, true, 0.0},
    {"ms-swift", "transformers", 2.0, true, true, false, false, true, true, 0.0},
    {"unsloth", "transformers", 2.0, true, true, false, false, false, false, 0.0},
    {"torchtune", "torchtitan", 2.0, true, true, true, true, false, false, 0.0},
    {"fsdp", "", 4.0, true, true, true, true, false, true, 0.0},
    {"llm-foundry", "", 4.0, true, true, true, true, false, false, 0.0},
    {"torchtitan", "", 4.0, true, true, true, true, false, false, 0.5},
    {"megatron", "", 4.0, false, true, true, true, false, false, 0.0},
    {"paddle", "megatron", 2.0, false, true, false, false, false, false, 0.0},
};

/// Megatron rows name NeMo containers (year.month); Megatron-Core's own numbers (0.x) belong to none and take the mean of all.
struct Era {
  const char* software;
  const char* name;
  std::int64_t since, before;  ///< versions
};
constexpr Era eras[] = {{"megatron", "until_26_04", memory::version(23, 1), memory::version(26, 5)},
                        {"megatron", "from_26_06", memory::version(26, 5), memory::newest_version}};

}  // namespace

const TrainingBehaviour& training_behaviour(std::string_view software) {
  for (const TrainingBehaviour& row : rows) {
    if (software == row.software) return row;
  }
  return rows[0];
}

std::string_view training_era(std::string_view software, std::string_view version) {
  const std::int64_t code = version.empty() ? memory::newest_version : memory::parse_version(version);
  if (code == memory::newest_version) return {};
  for (const Era& era : eras) {
    if (software == era.software && code >= era.since && code < era.before) return era.name;
  }
  return {};
}

TrainingTable training_table(const Calibration& calibration, const std::string& software, std::string_view version) {
  TrainingTable table;
  const std::string era(training_era(software, version));
  for (int g = 0; g < generation_count; ++g) {
    const std::string generation = std::string(name(static_cast<Generation>(g))) + ".";
    std::vector<std::string> heads;
    if (!era.empty()) {
      heads.push_back("train." + software + "." + era + "." + generation);
      heads.push_back("train." + software + "." + era + ".");
    }
    for (const std::string& who : {software, std::string(training_behaviour(software).like), std::string("other")}) {
      if (who.empty()) continue;
      heads.push_back("train." + who + "." + generation);
      heads.push_back("train." + who + ".");
    }
    each_training_field(table[static_cast<std::size_t>(g)], [&](const char* field, double& value) {
      const Coefficient* found = nullptr;
      for (const std::string& head : heads) {
        if (!found) found = calibration.find(head + field);
      }
      value = found ? found->value : calibration.value(std::string("train.other.") + field);
      if (const Coefficient* factor = calibration.find("train.generation." + generation + field)) value *= factor->value;
    });
  }
  return table;
}

}  // namespace gpuplan
