#include "core/scenario/read.hpp"

#include <nlohmann/json.hpp>

#include "core/catalog/catalog.hpp"
#include "core/json/text.hpp"
#include "core/scenario/custom.hpp"
#include "core/scenario/fields.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

std::vector<std::string_view> names_under(const std::string& section) {
  std::vector<std::string_view> out;
  for (const Field& f : fields()) {
    const std::string_view p = f.pointer;
    if (p.size() > section.size() + 1 && p.substr(0, section.size() + 1) == section + "/" && p.find('/', section.size() + 1) == std::string_view::npos) {
      out.push_back(p.substr(section.size() + 1));
    }
  }
  if (section == "/hardware") { out.push_back("gpu_spec"); out.push_back("profile"); }
  if (section.empty()) {
    for (const char* s : {"version", "model", "numerics", "workload", "hardware", "layout", "policy"}) out.push_back(s);
  }
  return out;
}

Problem unknown(const std::string& section, const std::string& key) {
  const auto known = names_under(section);
  std::string message = child(section, excerpt(key)) + " is not a field";
  const auto nearest = nearest_ids(key.substr(0, 100), known);
  if (!nearest.empty()) message += "; did you mean " + nearest.front() + "?";
  else message += ".";
  return {child(section, key), ProblemCode::unknown_field, message, nearest};
}

bool is_section(const std::string& key) {
  return key == "numerics" || key == "workload" || key == "hardware" || key == "layout" || key == "policy";
}

bool is_object_field(const std::string& pointer) { return pointer == "/model" || pointer == "/hardware/gpu_spec" || pointer == "/hardware/profile"; }

std::optional<Problem> read_section(const std::string& section, const json& object, Scenario& out) {
  for (const auto& [key, value] : object.items()) {
    const std::string pointer = child(section, key);
    if (is_object_field(pointer)) {
      if (auto p = assign_object(pointer, value, out)) return p;
      continue;
    }
    if (section.empty() && is_section(key)) {
      if (!value.is_object()) return Problem{pointer, ProblemCode::wrong_type, pointer + " must be an object, not " + type_name(value) + ".", {}};
      if (auto p = read_section(pointer, value, out)) return p;
      continue;
    }
    const Field* field = field_at(pointer);
    if (!field) return unknown(section, key);
    if (auto p = assign(*field, value, out)) return p;
  }
  return std::nullopt;
}

std::optional<Problem> check_version(const json& scenario) {
  if (!scenario.contains("version")) return std::nullopt;
  const json& v = scenario["version"];
  if (v.is_number_integer() && v == 1) return std::nullopt;
  return Problem{"/version", ProblemCode::unsupported, "/version must be 1, the only version of the scenario so far, not " + type_name(v) + ".", {}};
}

std::optional<Problem> check_required(const json& scenario, Required required) {
  if (required == Required::nothing) return std::nullopt;
  for (const char* key : {"model", "task"}) {
    if (!scenario.contains(key)) {
      const std::string example = key[0] == 'm' ? R"({"id": "meta-llama/Llama-3.1-8B"})" : R"("inference")";
      return Problem{std::string("/") + key, ProblemCode::missing_field, std::string("/") + key + " is required, for example " + example + ".", {}};
    }
  }
  return std::nullopt;
}

/// Fields that contradict each other, whatever the catalogs say.
std::optional<Problem> check_conflicts(const Scenario& s) {
  const Hardware& h = s.hardware;
  if (h.instance && (h.gpu || h.gpu_spec)) {
    return Problem{"/hardware/instance", ProblemCode::conflict, "/hardware/instance already says which GPU; leave out /hardware/gpu and /hardware/gpu_spec.", {}};
  }
  if (h.gpu && h.gpu_spec) return Problem{"/hardware/gpu_spec", ProblemCode::conflict, "Give either /hardware/gpu or /hardware/gpu_spec, not both.", {}};
  return std::nullopt;
}

}  // namespace

Result<Scenario> read_scenario(const json& scenario, Required required) {
  if (!scenario.is_object()) return Problem{"", ProblemCode::wrong_type, "A scenario must be an object, not " + type_name(scenario) + ".", {}};
  if (auto p = check_version(scenario)) return *p;
  if (auto p = check_required(scenario, required)) return *p;
  Scenario out;
  json fields_only = scenario;
  fields_only.erase("version");
  if (auto p = read_section("", fields_only, out)) return *p;
  if (auto p = check_conflicts(out)) return *p;
  return out;
}

}  // namespace gpuplan
