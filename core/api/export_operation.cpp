// The tables as text or CSV. Who saves a table waits for core-full.wasm; core.wasm has none of it.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/api/localized.hpp"
#include "core/json/text.hpp"
#include "core/view/export.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

/// Leaves only the table that the request's "table" names, or all of them when it names none. `id` gives a table's id.
template <class Tables, class Id>
std::optional<Problem> keep_named(const json& request, Tables& tables, Id id) {
  auto wanted = read_text(request, "table", "");
  if (!wanted) return wanted.problem();
  if (wanted->empty()) return std::nullopt;
  std::vector<std::string> known;
  for (const auto& t : tables) known.push_back(id(t));
  if (std::find(known.begin(), known.end(), *wanted) == known.end()) {
    return Problem{"/table", ProblemCode::unknown_id, "/table \"" + excerpt(*wanted) + "\" is not one of these tables.", known};
  }
  tables.erase(std::remove_if(tables.begin(), tables.end(), [&](const auto& t) { return id(t) != *wanted; }), tables.end());
  return std::nullopt;
}

}  // namespace

Answer export_op(const Context& c, const json& request) {
  auto parts = read_parts(request, false);
  if (!parts) return parts.problem();
  auto format = read_text(request, "format", "table");
  if (!format) return format.problem();
  const ViewSettings v = settings(c, *parts);
  if (*format == "csv") {
    auto tables = tier_tables(c.knowledge, parts->scenario, parts->now);
    if (!tables) return localized(tables.problem(), v);
    if (auto p = keep_named(request, *tables, [](const TierTable& t) { return t.tier->id; })) return *p;
    return json{{"text", tables_as_csv(c.knowledge, *tables)}};
  }
  if (*format != "table" && *format != "markdown") {
    return Problem{"/format", ProblemCode::unknown_id, "/format \"" + excerpt(*format) + "\" is not known; one of table, markdown, csv is expected.", {"table", "markdown", "csv"}};
  }
  auto view = make_view(c.knowledge, parts->scenario, v);
  if (!view) return localized(view.problem(), v);
  if (auto p = keep_named(request, view->tables, [](const Table& t) { return t.id; })) return *p;
  return json{{"text", *format == "table" ? tables_as_text(*view) : tables_as_markdown(*view)}};
}

}  // namespace gpuplan
