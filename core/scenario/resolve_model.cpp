#include <nlohmann/json.hpp>

#include "core/json/text.hpp"
#include "core/model/described_model.hpp"
#include "core/scenario/resolve.hpp"

namespace gpuplan {

namespace {

/// The model that a person brought, read from its description inside the scenario.
Result<ResolvedModel> read_custom(const ModelRef& model) {
  const std::string pointer = "/model/" + model.custom_kind;
  auto body = parse_json(model.custom_json, "The description of the model");
  if (!body) return body.problem();
  auto described = read_described_model(model.custom_kind, *body, pointer);
  if (!described) return described.problem();
  ResolvedModel out;
  out.held = std::make_shared<const Architecture>(std::move(described->architecture));
  out.architecture = out.held.get();
  out.named_weights = described->weights;
  out.notes = std::move(described->assumptions);
  return out;
}

}  // namespace

Result<ResolvedModel> resolve_model(const Knowledge& knowledge, const Scenario& scenario) {
  if (scenario.model.custom) return ResolvedModel{scenario.model.custom, scenario.model.custom.get(), std::nullopt, false, {}};
  if (!scenario.model.custom_kind.empty()) return read_custom(scenario.model);
  auto match = find_model(knowledge.models, scenario.model.id, "/model/id");
  if (!match) return match.problem();
  ResolvedModel out;
  out.architecture = &knowledge.models.all[static_cast<std::size_t>(match->index)];
  out.named_weights = match->weights;
  out.variant = match->variant;
  if (out.variant) {
    out.notes.push_back({"model-variant", Severity::info, "The model \"" + excerpt(scenario.model.id, 100) + "\" was read as a variant of " + out.architecture->id + "."});
  }
  return out;
}

}  // namespace gpuplan
