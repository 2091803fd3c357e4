#include <cmath>

#include <nlohmann/json.hpp>

#include "core/api/operations.hpp"
#include "core/json/text.hpp"
#include "core/scenario/link.hpp"
#include "core/scenario/read.hpp"
#include "core/scenario/resolve.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

std::optional<Problem> read_scenario_or_link(const json& request, bool model_required, RequestParts& out) {
  if (request.contains("link")) {
    auto link = read_text(request, "link", "");
    if (!link) return link.problem();
    auto decoded = decode_link(*link);
    if (!decoded) return decoded.problem();
    out.scenario = std::move(decoded->scenario);
    out.notes = std::move(decoded->notes);
    if (model_required && out.scenario.model.id.empty() && out.scenario.model.custom_kind.empty()) {
      return Problem{"/model", ProblemCode::missing_field, "The link names no model (m=…).", {}};
    }
    return std::nullopt;
  }
  if (!request.contains("scenario") && !model_required) return std::nullopt;
  if (!request.contains("scenario")) return Problem{"", ProblemCode::missing_field, "The request needs a \"scenario\" object (or a \"link\").", {}};
  auto scenario = read_scenario(request["scenario"], model_required ? Required::model_and_task : Required::nothing);
  if (!scenario) return scenario.problem();
  out.scenario = *std::move(scenario);
  return std::nullopt;
}

}  // namespace

Result<std::int64_t> read_count(const json& request, const char* key, std::int64_t fallback, std::int64_t minimum, std::int64_t maximum) {
  if (!request.contains(key)) return fallback;
  const json& v = request[key];
  const bool whole = v.is_number() && v.get<double>() == std::floor(v.get<double>());
  if (whole && v.get<double>() >= static_cast<double>(minimum) && v.get<double>() <= static_cast<double>(maximum)) return static_cast<std::int64_t>(v.get<double>());
  return Problem{child("", key), ProblemCode::out_of_range,
                 child("", key) + " must be a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum) + ", not " + type_name(v) + ".", {}};
}

Result<std::string> read_text(const json& request, const char* key, const std::string& fallback) {
  if (!request.contains(key)) return fallback;
  if (!request[key].is_string()) return Problem{child("", key), ProblemCode::wrong_type, child("", key) + " must be text, not " + type_name(request[key]) + ".", {}};
  return request[key].get<std::string>();
}

Result<RequestParts> read_parts(const json& request, bool model_required) {
  RequestParts out;
  auto lang = read_text(request, "lang", "en"), now = read_text(request, "now", "");
  if (!lang) return lang.problem();
  if (!now) return now.problem();
  if (*lang != "en" && *lang != "zh") return Problem{"/lang", ProblemCode::unknown_id, "/lang must be en or zh, not \"" + excerpt(*lang) + "\".", {"en", "zh"}};
  if (!now->empty() && !days_between(*now, *now)) {
    return Problem{"/now", ProblemCode::out_of_range, "/now must be a date such as 2026-12-01, not \"" + excerpt(*now) + "\".", {}};
  }
  out.language = *lang == "zh" ? Language::zh : Language::en;
  out.now = *now;
  if (auto p = read_scenario_or_link(request, model_required, out)) return *p;
  return out;
}

}  // namespace gpuplan
