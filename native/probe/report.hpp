#pragma once
/// A profile as text for a person; the JSON file is the other printer of the same value.
#include <string>
#include <vector>

#include "native/probe/context.hpp"

namespace gpuplan::probe {

std::string report(const Profile&);
/// The table of --list; `why_not` answers per measurement why it cannot run here, "" when it can.
std::string list_table(const std::vector<MeasurementSpec>&, const std::function<std::string(const MeasurementSpec&)>& why_not);

}  // namespace gpuplan::probe
