#include <nlohmann/json.hpp>

#include "core/api/localized.hpp"
#include "core/scenario/write.hpp"
#include "core/view/write_view.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

}  // namespace

Answer view_op(const Context& c, const json& request) {
  auto parts = read_parts(request, false);
  if (!parts) return parts.problem();
  const ViewSettings v = settings(c, *parts);
  auto view = make_view(c.knowledge, parts->scenario, v);
  if (!view) return localized(view.problem(), v);
  view->notes = parts->notes;
  for (Note& n : view->notes) n.text = note_text(n, v.strings);
  json out = write_view(*view);
  out["scenario"] = write_sparse(parts->scenario);
  return out;
}

Answer detail_op(const Context& c, const json& request) {
  auto parts = read_parts(request, true);
  if (!parts) return parts.problem();
  const ViewSettings v = settings(c, *parts);
  auto detail = make_detail(c.knowledge, parts->scenario, v);
  if (!detail) return localized(detail.problem(), v);
  return write_detail(*detail);
}

}  // namespace gpuplan
