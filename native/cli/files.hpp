#pragma once
/// Input of the command line: a path, or - for standard input, never more than the core reads.
#include <string>

#include "core/result.hpp"

namespace gpuplan::cli {

/// The whole input. Missing, unreadable and oversized files are problems; `what` names it in the message.
Result<std::string> read_input(const std::string& path);

/// Today's date, "2026-12-01" (UTC).
std::string today();

}  // namespace gpuplan::cli
