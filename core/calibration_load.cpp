#include <nlohmann/json.hpp>

#include "core/calibration.hpp"
#include "core/json/text.hpp"

namespace gpuplan {

using nlohmann::json;

namespace {

Problem wrong(const std::string& name, ProblemCode code, const std::string& message) {
  return Problem{"/calibration/" + name, code, "coefficient " + name + " " + message, {}};
}

}  // namespace

Result<Calibration> load_calibration(std::string_view text) {
  const Result<json> parsed = parse_json(text, "calibration");
  if (!parsed || !parsed->is_object()) return Problem{"/calibration", ProblemCode::syntax, "calibration must be a JSON object of coefficients", {}};
  std::vector<Coefficient> coefficients;
  for (const auto& [name, entry] : parsed->items()) {
    if (!entry.is_object()) return wrong(name, ProblemCode::wrong_type, "must be an object with value and unit");
    const auto value = entry.find("value"), unit = entry.find("unit");
    if (value == entry.end() || !value->is_number()) return wrong(name, ProblemCode::missing_field, "needs a number \"value\"");
    if (unit == entry.end() || !unit->is_string()) return wrong(name, ProblemCode::missing_field, "needs a text \"unit\"");
    coefficients.push_back({name, value->get<double>(), unit->get<std::string>()});
  }
  return Calibration(std::move(coefficients));
}

}  // namespace gpuplan
