#include <nlohmann/json.hpp>

#include "core/api/operations.hpp"
#include "core/catalog/describe.hpp"
#include "core/model/architecture_json.hpp"
#include "core/model/tensors.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

Result<json> describe_models(const Context& c, const std::string& id) {
  json out = json::array();
  int only = -1;
  if (!id.empty()) {
    auto match = find_model(c.knowledge.models, id, "/id");
    if (!match) return match.problem();
    only = match->index;
  }
  for (std::size_t i = 0; i < c.knowledge.models.all.size(); ++i) {
    if (only >= 0 && static_cast<std::size_t>(only) != i) continue;
    const Architecture& a = c.knowledge.models.all[i];
    const ParameterCount n = count_parameters(a);
    const auto computed = [](double v) { return json{{"value", v}, {"unit", "parameters"}, {"kind", "computed"}, {"source", "[M-params]"}, {"date", ""}}; };
    out.push_back({{"id", a.id}, {"name", a.name}, {"family", a.family}, {"architecture", write_architecture(a)}, {"total_params", computed(n.total)}, {"active_params", computed(n.active)}});
  }
  return json{{"models", std::move(out)}};
}

}  // namespace

Answer catalog_op(const Context& c, const json& request) {
  auto what = read_text(request, "what", ""), id = read_text(request, "id", "");
  if (!what) return what.problem();
  if (!id) return id.problem();
  const bool texts = request.value("sources", json(false)) == json(true);
  const std::string_view sources = texts ? c.sources : std::string_view();
  if (*what == "gpus") return describe_gpus(c.knowledge.catalog, *id, sources);
  if (*what == "instances") return describe_instances(c.knowledge.catalog, *id, sources);
  if (*what == "software") return describe_software(c.knowledge.catalog, *id, sources);
  if (*what == "models") return describe_models(c, *id);
  return Problem{"/what", what->empty() ? ProblemCode::missing_field : ProblemCode::unknown_id, "/what must be one of gpus, instances, models, software.",
                 {"gpus", "instances", "models", "software"}};
}

}  // namespace gpuplan
