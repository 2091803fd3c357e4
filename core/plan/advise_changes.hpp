#pragma once
/// The changes that advise tries, as a list: what a person can turn without changing what they want to run.
#include <functional>
#include <string>
#include <vector>

#include "core/plan/advise.hpp"

namespace gpuplan {

/// A field with the values to try: fixed ones in the order of preference, or the largest whole number below the present one that fits.
struct Lever {
  std::string pointer;
  ChangeValue from;
  std::vector<ChangeValue> values;                          ///< empty for a range
  std::int64_t lowest = 0, highest = 0, step = 1;           ///< range: values lowest, lowest + step, … below highest
  std::function<void(Scenario&, const ChangeValue&)> set;
};

/// Levers of a resolved scenario for its task, software and GPU.
std::vector<Lever> levers(const Knowledge&, const Scenario& resolved, const Option& option);

}  // namespace gpuplan
