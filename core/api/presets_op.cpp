#include <nlohmann/json.hpp>

#include "core/api/operations.hpp"
#include "core/assets.hpp"
#include "core/json/text.hpp"

namespace gpuplan {

using nlohmann::json;

/// Common scenes, each a whole scenario to start from: title in the language of the request.
Answer presets_op(const Context&, const json& request) {
  auto lang = read_text(request, "lang", "en"), id = read_text(request, "id", "");
  if (!lang) return lang.problem();
  if (!id) return id.problem();
  if (*lang != "en" && *lang != "zh") return Problem{"/lang", ProblemCode::unknown_id, "/lang must be en or zh.", {"en", "zh"}};
  const json all = parse_own_json(embedded_asset("presets"));
  json out = json::array();
  std::vector<std::string_view> known;
  for (const json& preset : all) {
    known.push_back(preset["id"].get_ref<const std::string&>());
    if (!id->empty() && *id != known.back()) continue;
    out.push_back({{"id", preset["id"]}, {"title", preset["title"][*lang]}, {"op", preset["op"]}, {"scenario", preset["scenario"]}});
  }
  if (!out.empty()) return json{{"presets", std::move(out)}};
  const auto nearest = nearest_ids(id->substr(0, 100), known);
  return Problem{"/id", ProblemCode::unknown_id, "/id \"" + excerpt(*id) + "\" is no preset." + nearest_sentence(nearest), nearest};
}

}  // namespace gpuplan
