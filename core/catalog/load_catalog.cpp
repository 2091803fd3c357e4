#include "core/catalog/catalog.hpp"

#include <nlohmann/json.hpp>

#include "core/catalog/load.hpp"
#include "core/catalog/table.hpp"

namespace gpuplan {

using nlohmann::json;

namespace {

/// Parses one asset and hands it to its loader.
std::optional<Problem> load(std::string_view text, const char* asset, std::optional<Problem> (*loader)(const json&, Catalog&), Catalog& catalog) {
  const Result<json> document = parse_asset(text, asset);
  if (!document) return document.problem();
  return loader(*document, catalog);
}

}  // namespace

std::optional<Problem> load_dates(const json& document, const std::string& asset, Catalog& catalog) {
  const auto dates = document.find("dates");
  if (dates == document.end() || !dates->is_object()) {
    return Problem{"/" + asset + "/dates", ProblemCode::missing_field, asset + " needs an object \"dates\"", {}};
  }
  for (const auto& [key, date] : dates->items()) {
    if (!date.is_string()) return Problem{"/" + asset + "/dates/" + key, ProblemCode::wrong_type, "the date of " + key + " must be a text", {}};
    catalog.source_dates.emplace_back(key, date.get<std::string>());
  }
  return std::nullopt;
}

Result<Catalog> load_catalog(std::string_view gpus_json, std::string_view instances_json, std::string_view software_json) {
  Catalog catalog;
  if (auto problem = load(gpus_json, "gpus", load_gpus, catalog)) return *problem;
  if (auto problem = load(instances_json, "instances", load_instances, catalog)) return *problem;
  if (auto problem = load(software_json, "software", load_software, catalog)) return *problem;
  return catalog;
}

}  // namespace gpuplan
