#include "core/calibration.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace gpuplan {

using nlohmann::json;

namespace {

Problem wrong(const std::string& name, ProblemCode code, const std::string& message) {
  return Problem{"/calibration/" + name, code, "coefficient " + name + " " + message, {}};
}

}  // namespace

Calibration::Calibration(std::vector<Coefficient> coefficients) {
  std::stable_sort(coefficients.begin(), coefficients.end(), [](const Coefficient& a, const Coefficient& b) { return a.name < b.name; });
  for (Coefficient& coefficient : coefficients) {
    if (!coefficients_.empty() && coefficients_.back().name == coefficient.name) coefficients_.pop_back();
    coefficients_.push_back(std::move(coefficient));
  }
}

const Coefficient* Calibration::find(std::string_view name) const {
  const auto at = std::lower_bound(coefficients_.begin(), coefficients_.end(), name,
                                   [](const Coefficient& coefficient, std::string_view wanted) { return coefficient.name < wanted; });
  return at != coefficients_.end() && at->name == name ? &*at : nullptr;
}

double Calibration::value(std::string_view name) const {
  const Coefficient* found = find(name);
  return found != nullptr ? found->value : std::numeric_limits<double>::quiet_NaN();
}

Result<Calibration> load_calibration(std::string_view text) {
  const json document = json::parse(text.begin(), text.end(), nullptr, false);
  if (!document.is_object()) return Problem{"/calibration", ProblemCode::syntax, "calibration must be a JSON object of coefficients", {}};
  std::vector<Coefficient> coefficients;
  for (const auto& [name, entry] : document.items()) {
    if (!entry.is_object()) return wrong(name, ProblemCode::wrong_type, "must be an object with value and unit");
    const auto value = entry.find("value"), unit = entry.find("unit");
    if (value == entry.end() || !value->is_number()) return wrong(name, ProblemCode::missing_field, "needs a number \"value\"");
    if (unit == entry.end() || !unit->is_string()) return wrong(name, ProblemCode::missing_field, "needs a text \"unit\"");
    coefficients.push_back({name, value->get<double>(), unit->get<std::string>()});
  }
  return Calibration(std::move(coefficients));
}

Calibration overlay(const Calibration& base, const Calibration& overlay) {
  std::vector<Coefficient> all = base.all();
  all.insert(all.end(), overlay.all().begin(), overlay.all().end());
  return Calibration(std::move(all));
}

}  // namespace gpuplan
