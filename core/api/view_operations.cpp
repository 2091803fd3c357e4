#include <nlohmann/json.hpp>

#include "core/api/localized.hpp"
#include "core/scenario/write.hpp"
#include "core/view/write_view.hpp"

namespace gpuplan {

Answer view_op(const Context& c, const nlohmann::json& request) {
  auto parts = read_parts(request, false);
  if (!parts) return parts.problem();
  const ViewSettings v = settings(c, *parts);
  auto view = make_view(c.knowledge, parts->scenario, v);
  if (!view) return localized(view.problem(), v);
  view->notes = parts->notes;
  for (Note& n : view->notes) n.text = note_text(n, v.strings);
  nlohmann::json out = write_view(*view);
  out["scenario"] = write_sparse(parts->scenario);
  return out;
}

}  // namespace gpuplan
