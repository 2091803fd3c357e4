#pragma once
/// The answer of inspect as lines for a terminal, in the person's language.
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/view/strings.hpp"

namespace gpuplan {

/// For answers that describe a model; empty for a profile and for an index of parts, which stay JSON.
std::string inspect_text(const nlohmann::json& answer, const Strings&);

}  // namespace gpuplan
