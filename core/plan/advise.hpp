#pragma once
/// For a scenario that does not fit: the smallest changes that make it fit, each alone and in pairs [M-advise].
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/plan/estimate.hpp"

namespace gpuplan {

using ChangeValue = std::variant<std::monostate, std::int64_t, double, bool, std::string>;  ///< monostate = null (chosen by the software)

/// One field of the scenario set to another value.
struct Change {
  std::string pointer;         ///< JSON pointer of the field
  ChangeValue from, to;
  Bytes frees;                 ///< free memory per GPU after − before
  double speed_factor = 1.0;   ///< throughput after ÷ before
  Scenario scenario;           ///< the resolved scenario with the change made: its link
};

struct Advice {
  bool fits = false;           ///< the scenario as asked
  Bytes short_by;              ///< per GPU; 0 when host memory or the engine's pool binds
  Scenario resolved;
  std::vector<Change> changes; ///< each alone makes it fit, fastest first
  /// Two that together make it fit where neither does alone, fastest first; the second's figures are those of both.
  std::vector<std::pair<Change, Change>> pairs;
  std::vector<Note> notes;
};

/// Every change is checked by a full estimate; a few hundred of them at most.
Result<Advice> advise(const Knowledge&, const Scenario&, const std::string& now);

}  // namespace gpuplan
