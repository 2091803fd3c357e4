#include "core/model/models.hpp"

#include <nlohmann/json.hpp>

#include "core/json/text.hpp"
#include "core/model/architecture_json.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

Problem bad(const std::string& pointer, const std::string& what) { return {pointer, ProblemCode::wrong_type, "The model catalog " + what + " at " + pointer + ".", {}}; }

/// "org/Name" → "Name".
std::string last_part(const std::string& id) {
  const std::size_t slash = id.rfind('/');
  return slash == std::string::npos ? id : id.substr(slash + 1);
}

/// Takes what says where an entry comes from out of it; what is left is the architecture.
std::optional<Problem> take_aliases(json& entry, int index, const std::string& pointer, Models& out) {
  for (const char* provenance : {"source", "kind", "date", "note"}) entry.erase(provenance);
  const auto it = entry.find("aliases");
  if (it == entry.end()) return std::nullopt;
  if (!it->is_array()) return bad(pointer + "/aliases", "must hold a list of names");
  for (const json& alias : *it) {
    if (!alias.is_string()) return bad(pointer + "/aliases", "must hold a list of names");
    out.aliases.push_back({alias.get<std::string>(), index});
  }
  entry.erase(it);
  return std::nullopt;
}

}  // namespace

Result<Models> load_models(std::string_view text) {
  json root = parse_own_json(text);
  if (root.is_discarded()) return Problem{"", ProblemCode::syntax, "The model catalog is not JSON.", {}};
  const auto list = root.is_object() ? root.find("models") : root.end();
  if (list == root.end() || !list->is_array()) return bad("/models", "must hold a list of models");
  Models models;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string pointer = "/models/" + std::to_string(i);
    json& entry = (*list)[i];
    if (!entry.is_object()) return bad(pointer, "must hold an object");
    if (auto problem = take_aliases(entry, static_cast<int>(i), pointer, models)) return *problem;
    Result<Architecture> architecture = read_architecture(entry, pointer);
    if (!architecture) return architecture.problem();
    if (architecture->name.empty()) architecture->name = last_part(architecture->id);
    models.all.push_back(*std::move(architecture));
  }
  return models;
}

}  // namespace gpuplan
