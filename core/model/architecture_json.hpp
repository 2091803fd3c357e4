#pragma once
/// The core's own description of a model as JSON: `{"architecture": {…}}` of a scenario, entries of the catalog, and what inspect answers.
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "core/model/architecture.hpp"
#include "core/result.hpp"

namespace gpuplan {

/// Reads strictly: unknown fields, wrong types, sizes out of range and contradictions are problems at their pointer below `pointer`.
Result<Architecture> read_architecture(const nlohmann::json& object, std::string_view pointer);

/// Writes what read_architecture reads; fields at their default are left out.
nlohmann::json write_architecture(const Architecture&);

/// The first contradiction of an architecture (layers out of range, heads that no group divides), none when it is sound.
std::optional<Problem> check_architecture(const Architecture&, std::string_view pointer);

/// The same for one layer; what is computed from an unchecked layer may overflow.
std::optional<Problem> check_layer(const Layer&, std::string_view pointer);

/// Limits on described models: a size (width, count of heads, vocabulary, context), parameters of one part, layers in all.
inline constexpr std::int64_t largest_size = 100'000'000;
inline constexpr std::int64_t largest_params = 1'000'000'000'000'000;
inline constexpr std::int64_t most_layers = 10'000;

}  // namespace gpuplan
