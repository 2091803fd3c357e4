#pragma once
/// Scenario JSON → Scenario, strictly: unknown fields, wrong types and numbers out of range are problems with their pointer.
#include <nlohmann/json_fwd.hpp>

#include "core/result.hpp"
#include "core/scenario/scenario.hpp"

namespace gpuplan {

/// What must be there: the tables answer without a model, an estimate does not.
enum class Required { nothing, model_and_task };

/// Ids are not looked up here (resolve does that with the catalogs at hand).
Result<Scenario> read_scenario(const nlohmann::json&, Required required = Required::model_and_task);

/// Reads one field that is not a plain one: "/model", "/hardware/gpu_spec", "/hardware/profile". Used by the link codec too.
std::optional<Problem> assign_object(const std::string& pointer, const nlohmann::json& value, Scenario&);

/// Sets one field by its pointer, as a control does: text is read as the field means it, null is the default or "choose for me"
/// (of "/hardware" too: any machine again).
std::optional<Problem> set_value(const std::string& pointer, const nlohmann::json& value, Scenario&);

}  // namespace gpuplan
