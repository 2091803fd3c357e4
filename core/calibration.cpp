#include "core/calibration.hpp"

#include <algorithm>
#include <limits>

namespace gpuplan {

Calibration::Calibration(std::vector<Coefficient> coefficients) {
  std::stable_sort(coefficients.begin(), coefficients.end(), [](const Coefficient& a, const Coefficient& b) { return a.name < b.name; });
  for (Coefficient& coefficient : coefficients) {
    if (!coefficients_.empty() && coefficients_.back().name == coefficient.name) coefficients_.pop_back();
    coefficients_.push_back(std::move(coefficient));
  }
}

std::vector<Coefficient>::const_iterator Calibration::from(std::string_view name) const {
  return std::lower_bound(coefficients_.begin(), coefficients_.end(), name,
                          [](const Coefficient& coefficient, std::string_view wanted) { return coefficient.name < wanted; });
}

const Coefficient* Calibration::find(std::string_view name) const {
  const auto at = from(name);
  return at != coefficients_.end() && at->name == name ? &*at : nullptr;
}

double Calibration::value(std::string_view name) const {
  const Coefficient* found = find(name);
  return found != nullptr ? found->value : std::numeric_limits<double>::quiet_NaN();
}

Calibration overlay(const Calibration& base, const Calibration& overlay) {
  std::vector<Coefficient> all = base.all();
  all.insert(all.end(), overlay.all().begin(), overlay.all().end());
  return Calibration(std::move(all));
}

}  // namespace gpuplan
