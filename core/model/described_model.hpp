#pragma once
/// A model that a person brings: a config.json, a GGUF or safetensors header, or the core's own description.
#include <optional>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/dtype.hpp"
#include "core/explain.hpp"
#include "core/model/architecture.hpp"
#include "core/result.hpp"

namespace gpuplan {

/// What was read, how its weights are stored, and each thing that the source did not say.
struct DescribedModel {
  Architecture architecture;
  std::optional<WeightFormat> weights;  ///< storage of the file or checkpoint, none when it does not say
  std::vector<Note> assumptions;        ///< codes "model-…"
};

/// Reads the object under `/model/<kind>` of a scenario; kind is hf_config, gguf, safetensors or architecture.
Result<DescribedModel> read_described_model(std::string_view kind, const nlohmann::json& body, std::string_view pointer);

}  // namespace gpuplan
