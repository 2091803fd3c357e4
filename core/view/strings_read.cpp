#include <nlohmann/json.hpp>

#include "core/json/text.hpp"
#include "core/view/strings.hpp"

namespace gpuplan {

Result<Strings> load_strings(std::string_view json) {
  auto parsed = parse_json(json, "strings");
  if (!parsed) return parsed.problem();
  Strings out;
  for (const auto& [key, value] : parsed->items()) {
    if (!value.is_string()) return Problem{child("", key), ProblemCode::wrong_type, "strings" + child("", key) + " must be text.", {}};
    out.add(key, value.get<std::string>());
  }
  return out;
}

}  // namespace gpuplan
