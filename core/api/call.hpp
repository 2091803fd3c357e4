#pragma once
/// One request in, one answer out: the same text through WebAssembly, the C++ API and the command line (api.md).
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/api/context.hpp"

namespace gpuplan {

/// Answers {"op": …, "scenario": …, …} as JSON text. Never throws; bad input gives {"error": {pointer, code, message, nearest}}.
std::string call(const Context&, std::string_view request);

/// The same for a request that is already parsed.
nlohmann::json answer(const Context&, const nlohmann::json& request);

/// An error object; internal faults carry code "internal" (exit status 1 of the command line).
nlohmann::json error_object(const Problem&);

/// Text of an answer: keys sorted, no blanks, invalid UTF-8 replaced.
std::string dump(const nlohmann::json&);

}  // namespace gpuplan
