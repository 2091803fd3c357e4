#pragma once
/// From facts and figures to the text of a profile file.
#include <string>

#include "native/probe/context.hpp"

namespace gpuplan::probe {

inline constexpr const char* tool_name = "gpuplan-probe 0.1.0";

/// A profile without figures: what is known before the first measurement. `date` is an ISO date.
void start_profile(Profile&, const Facts&, Effort, const std::string& date);
/// The profile with rates and times rounded to five digits.
Profile rounded(Profile);
/// The file's text: rates and times to five digits, at most profile_max_bytes; where the tables would make it larger, they are left out,
/// the smallest loss first, and a note says so.
std::string profile_text(Profile);

}  // namespace gpuplan::probe
