/// Everything about one row: parts of memory and time, messages, layout, and why each figure is what it is. core.wasm has none of it.
#include <nlohmann/json.hpp>

#include "core/api/localized.hpp"
#include "core/view/write_view.hpp"

namespace gpuplan {

Answer detail_op(const Context& c, const nlohmann::json& request) {
  auto parts = read_parts(request, true);
  if (!parts) return parts.problem();
  const ViewSettings v = settings(c, *parts);
  auto detail = make_detail(c.knowledge, parts->scenario, v);
  if (!detail) return localized(detail.problem(), v);
  return write_detail(*detail);
}

}  // namespace gpuplan
