#include "core/compute/training_behaviour.hpp"

#include <limits>

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

namespace {

/// The field of that name; null for none.
double* training_field(TrainingCoefficients& c, std::string_view name) {
  double* found = nullptr;
  each_training_field(c, [&](std::string_view field, double& value) {
    if (field == name) found = &value;
  });
  return found;
}

/// Calls `f(generation, field, value)` for each coefficient "<head><field>".
template <class F>
void each_under(const Calibration& calibration, const std::string& head, F f) {
  for (auto c = calibration.from(head); c != calibration.all().end() && std::string_view(c->name).substr(0, head.size()) == head; ++c) {
    f(std::string_view(c->name).substr(head.size()), c->value);
  }
}

/// Lays the coefficients under `head` over the table: those of all generations, then each generation's own.
void lay(TrainingTable& table, const Calibration& calibration, const std::string& head) {
  each_under(calibration, head, [&](std::string_view field, double value) {
    for (TrainingCoefficients& c : table) {
      if (double* at = training_field(c, field)) *at = value;
    }
  });
  for (std::size_t g = 0; g < table.size(); ++g) {
    each_under(calibration, head + name(static_cast<Generation>(g)) + ".", [&](std::string_view field, double value) {
      if (double* at = training_field(table[g], field)) *at = value;
    });
  }
}

}  // namespace

TrainingTable training_table(const Calibration& calibration, const std::string& software, std::string_view version) {
  TrainingTable table;
  for (TrainingCoefficients& c : table) {
    each_training_field(c, [](const char*, double& value) { value = std::numeric_limits<double>::quiet_NaN(); });
  }
  lay(table, calibration, "train.other.");
  const std::string like = training_behaviour(software).like, era(training_era(software, version));
  if (!like.empty()) lay(table, calibration, "train." + like + ".");
  lay(table, calibration, "train." + software + ".");
  if (!era.empty()) lay(table, calibration, "train." + software + "." + era + ".");
  for (std::size_t g = 0; g < table.size(); ++g) {
    each_under(calibration, "train.generation." + std::string(name(static_cast<Generation>(g))) + ".", [&](std::string_view field, double factor) {
      if (double* at = training_field(table[g], field)) *at *= factor;
    });
  }
  return table;
}

}  // namespace gpuplan
