#pragma once
/// The operations of the protocol, one function each; call.cpp dispatches by name.
#include <nlohmann/json_fwd.hpp>

#include "core/api/context.hpp"
#include "core/explain.hpp"
#include "core/result.hpp"
#include "core/scenario/scenario.hpp"

namespace gpuplan {

using Answer = Result<nlohmann::json>;

Answer estimate_op(const Context&, const nlohmann::json& request);
Answer plan_op(const Context&, const nlohmann::json& request);
Answer fit_op(const Context&, const nlohmann::json& request);
Answer compare_op(const Context&, const nlohmann::json& request);
Answer advise_op(const Context&, const nlohmann::json& request);
Answer tiers_op(const Context&, const nlohmann::json& request);
Answer encode_op(const Context&, const nlohmann::json& request);
Answer decode_op(const Context&, const nlohmann::json& request);
Answer set_op(const Context&, const nlohmann::json& request);
Answer catalog_op(const Context&, const nlohmann::json& request);
Answer strings_op(const Context&, const nlohmann::json& request);
Answer view_op(const Context&, const nlohmann::json& request);
Answer detail_op(const Context&, const nlohmann::json& request);
Answer export_op(const Context&, const nlohmann::json& request);
Answer inspect_op(const Context&, const nlohmann::json& request);
/// What inspect found, as figures in words (core/view); {"need"} like inspect.
Answer inspect_view_op(const Context&, const nlohmann::json& request);
Answer collective_op(const Context&, const nlohmann::json& request);
Answer sensitivity_op(const Context&, const nlohmann::json& request);
Answer presets_op(const Context&, const nlohmann::json& request);

/// What requests have in common besides the operation.
struct RequestParts {
  Scenario scenario;
  std::vector<Note> notes;  ///< of a link that was not read whole
  Language language = Language::en;
  std::string now;          ///< ISO date, "" when the door passed none
};
/// The scenario from "scenario" or "link"; "lang" and "now" checked.
Result<RequestParts> read_parts(const nlohmann::json& request, bool model_required);

/// A whole number of the request in [minimum, maximum], or the default when absent.
Result<std::int64_t> read_count(const nlohmann::json& request, const char* key, std::int64_t fallback, std::int64_t minimum, std::int64_t maximum);
/// A text of the request, or the default when absent.
Result<std::string> read_text(const nlohmann::json& request, const char* key, const std::string& fallback);

}  // namespace gpuplan
