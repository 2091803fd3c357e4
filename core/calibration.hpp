#pragma once
/// Named, fitted coefficients: the only constants that do not follow from the architecture. assets/calibration/*.json holds value, unit,
/// source, fitted rows and cross-validated error of each; tools/calibrate writes them.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace gpuplan {

struct Coefficient {
  std::string name;    ///< "vllm.sampler_bytes_per_logit"
  double value = 0.0;  ///< in `unit`
  std::string unit;
};

class Calibration {
 public:
  Calibration() = default;
  explicit Calibration(std::vector<Coefficient> coefficients);  ///< sorted by name; a later duplicate wins

  /// The coefficient's value. Asking for a name that is not there is a fault of ours: returns NaN, and a unit test walks all names used.
  double value(std::string_view name) const;
  const Coefficient* find(std::string_view name) const;
  const std::vector<Coefficient>& all() const { return coefficients_; }
  /// The first coefficient, in the order of `all`, whose name is not before `name`: where a family of names begins.
  std::vector<Coefficient>::const_iterator from(std::string_view name) const;

 private:
  std::vector<Coefficient> coefficients_;
};

/// Reads packed calibration JSON: {"name": {"value": …, "unit": …, …}, …}.
Result<Calibration> load_calibration(std::string_view json);
/// `overlay`'s coefficients win over `base`'s.
Calibration overlay(const Calibration& base, const Calibration& overlay);

}  // namespace gpuplan
