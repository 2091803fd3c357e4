#include "core/scenario/write.hpp"

#include <nlohmann/json.hpp>

#include "core/json/text.hpp"
#include "core/scenario/custom.hpp"
#include "core/scenario/fields.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

void put_objects(const Scenario& s, json& out) {
  if (!s.model.id.empty() || !s.model.custom_kind.empty()) out["model"] = write_model_ref(s.model);
  if (s.hardware.gpu_spec) out["hardware"]["gpu_spec"] = write_gpu_spec(*s.hardware.gpu_spec);
  if (!s.hardware.profile_json.empty()) out["hardware"]["profile"] = parse_own_json(s.hardware.profile_json);
}

}  // namespace

json write_sparse(const Scenario& s) {
  static const Scenario defaults;
  json out = json::object();
  for (const Field& f : fields()) {
    json value = f.get(s);
    if (value != f.get(defaults)) out[json::json_pointer(f.pointer)] = std::move(value);
  }
  out["task"] = name(s.task);
  put_objects(s, out);
  return out;
}

json write_full(const Scenario& s) {
  json out = {{"version", 1}};
  for (const Field& f : fields()) out[json::json_pointer(f.pointer)] = f.get(s);
  out["hardware"]["gpu_spec"] = nullptr;
  out["hardware"]["profile"] = nullptr;
  put_objects(s, out);
  return out;
}

json write_section(const Scenario& s, std::string_view section) {
  json out = json::object();
  for (const Field& f : fields()) {
    const std::string_view pointer = f.pointer;
    if (pointer.size() > section.size() && pointer.substr(0, section.size()) == section && pointer[section.size()] == '/') out[std::string(pointer.substr(section.size() + 1))] = f.get(s);
  }
  return out;
}

}  // namespace gpuplan
