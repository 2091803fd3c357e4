#pragma once
#include <nlohmann/json_fwd.hpp>

#include "core/model/described_model.hpp"

namespace gpuplan {

/// The answer of inspect for a model: architecture, parameters, cache per token, bytes in each format, assumptions.
/// `model` is what a scenario's /model takes to use it.
nlohmann::json inspect_answer(const char* kind, const DescribedModel&, nlohmann::json model);

}  // namespace gpuplan
