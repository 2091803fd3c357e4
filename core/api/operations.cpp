#include "core/api/operations.hpp"

#include <nlohmann/json.hpp>

#include "core/api/write_answer.hpp"
#include "core/json/text.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/link.hpp"
#include "core/view/make.hpp"
#include "core/scenario/read.hpp"
#include "core/scenario/write.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

}  // namespace

Answer encode_op(const Context&, const json& request) {
  auto parts = read_parts(request, false);
  if (!parts) return parts.problem();
  return json{{"link", encode_link(parts->scenario)}};
}

Answer decode_op(const Context& context, const json& request) {
  if (!request.contains("link")) return Problem{"/link", ProblemCode::missing_field, "/link is required, for example \"#v1?m=Qwen/Qwen2.5-7B&t=inference\".", {}};
  auto parts = read_parts(request, false);
  if (!parts) return parts.problem();
  for (Note& n : parts->notes) n.text = note_text(n, context.strings(parts->language));
  return json{{"scenario", write_sparse(parts->scenario)}, {"notes", write_notes(parts->notes)}};
}

Answer set_op(const Context&, const json& request) {
  auto parts = read_parts(request, false);
  if (!parts) return parts.problem();
  auto pointer = read_text(request, "pointer", "");
  if (!pointer) return pointer.problem();
  if (!request.contains("value")) return Problem{"/value", ProblemCode::missing_field, "/value is required (null = choose for me).", {}};
  if (auto p = set_value(*pointer, request["value"], parts->scenario)) return *p;
  return json{{"scenario", write_sparse(parts->scenario)}, {"link", encode_link(parts->scenario)}};
}

Answer strings_op(const Context& c, const json& request) {
  auto parts = read_parts(request, false);
  if (!parts) return parts.problem();
  return json{{"strings", c.strings(parts->language).all()}};
}

}  // namespace gpuplan
