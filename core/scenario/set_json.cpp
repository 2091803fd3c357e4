#include <nlohmann/json.hpp>

#include "core/json/text.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/read.hpp"

namespace gpuplan {

std::optional<Problem> set_value(const std::string& pointer, const nlohmann::json& value, Scenario& scenario) {
  static const Scenario defaults;
  if (pointer == "/hardware" && value.is_null()) {
    scenario.hardware = defaults.hardware;
    return std::nullopt;
  }
  const Field* field = field_at(pointer);
  const bool object = pointer == "/model" || pointer == "/hardware/gpu_spec" || pointer == "/hardware/profile";
  if (!field && !object) return Problem{pointer, ProblemCode::unknown_field, "\"" + excerpt(pointer) + "\" is not a field of a scenario.", {}};
  if (!field) return assign_object(pointer, value, scenario);
  // Controls hand over text; the field knows what it means.
  const nlohmann::json meant = value.is_string() ? from_text(*field, value.get<std::string>()) : value;
  return assign(*field, meant.is_null() && !field->nullable ? field->get(defaults) : meant, scenario);
}

}  // namespace gpuplan
