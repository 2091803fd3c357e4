#pragma once
/// Hugging Face config.json of any dialect, to an architecture.
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/model/described_model.hpp"

namespace gpuplan {

/// Reads a config.json object. Missing sizes are problems; everything else that no key says is an assumption.
Result<DescribedModel> read_hf_config(const nlohmann::json& config, std::string_view pointer);

}  // namespace gpuplan
