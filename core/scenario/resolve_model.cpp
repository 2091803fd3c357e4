#include <nlohmann/json.hpp>

#include "core/scenario/resolve.hpp"

namespace gpuplan {

Result<ResolvedModel> resolve_model(const Knowledge& knowledge, const Scenario& scenario) {
  if (scenario.model.custom) return ResolvedModel{scenario.model.custom, scenario.model.custom.get(), std::nullopt, false};
  auto match = find_model(knowledge.models, scenario.model.id, "/model/id");
  if (!match) return match.problem();
  ResolvedModel out;
  out.architecture = &knowledge.models.all[static_cast<std::size_t>(match->index)];
  out.named_weights = match->weights;
  out.variant = match->variant;
  return out;
}

}  // namespace gpuplan
