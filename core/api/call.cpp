#include "core/api/call.hpp"

#include <exception>

#include <nlohmann/json.hpp>

#include "core/api/operations.hpp"
#include "core/json/text.hpp"
#include "core/scenario/catalog_overlay.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

struct Operation {
  const char* name;
  Answer (*run)(const Context&, const json& request);
};
constexpr Operation operations[] = {{"estimate", estimate_op}, {"plan", plan_op},       {"fit", fit_op}, {"compare", compare_op}, {"advise", advise_op}, {"tiers", tiers_op},     {"encode", encode_op}, {"decode", decode_op}, {"set", set_op},
                                    {"catalog", catalog_op},   {"strings", strings_op}, {"view", view_op},       {"detail", detail_op}, {"export", export_op},     {"collective", collective_op}, {"inspect", inspect_op}, {"inspect_view", inspect_view_op}, {"sensitivity", sensitivity_op}, {"presets", presets_op}};

Answer dispatch(const Context& context, const json& request);

/// The request answered over the person's own catalog.
Answer over_own_catalog(const Context& context, json request) {
  auto catalog = lay_over(context.knowledge.catalog, request["catalog_overlay"]);
  if (!catalog) return catalog.problem();
  Context own = context;
  own.knowledge.catalog = *std::move(catalog);
  request.erase("catalog_overlay");
  return dispatch(own, request);
}

Answer dispatch(const Context& context, const json& request) {
  if (!request.is_object()) return Problem{"", ProblemCode::wrong_type, "A request must be an object with \"op\", not " + type_name(request) + ".", {}};
  if (request.contains("catalog_overlay")) return over_own_catalog(context, request);
  auto op = read_text(request, "op", "");
  if (!op) return op.problem();
  std::vector<std::string_view> known;
  for (const Operation& o : operations) {
    if (*op == o.name) return o.run(context, request);
    known.push_back(o.name);
  }
  std::string list;
  for (const std::string_view k : known) list += (list.empty() ? "" : ", ") + std::string(k);
  if (op->empty()) return Problem{"/op", ProblemCode::missing_field, "/op is required: one of " + list + ".", {}};
  return Problem{"/op", ProblemCode::unknown_id, "/op \"" + excerpt(*op) + "\" is not known; one of " + list + " is expected.", nearest_ids(op->substr(0, 100), known)};
}

}  // namespace

json error_object(const Problem& p) { return {{"error", {{"pointer", p.pointer}, {"code", name(p.code)}, {"message", p.message}, {"nearest", p.nearest}}}}; }

std::string dump(const json& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

json answer(const Context& context, const json& request) {
  const auto answered = [&] {
    auto result = dispatch(context, request);
    return result ? *std::move(result) : error_object(result.problem());
  };
#if defined(__cpp_exceptions)
  try {
    return answered();
  } catch (const std::exception& e) {
    return error_object({"", ProblemCode::internal, std::string("The core failed on this request, which is a fault of ours: ") + e.what(), {}});
  }
#else
  return answered();  // core.wasm: a fault is a trap, which web/core/loader.ts reports
#endif
}

std::string call(const Context& context, std::string_view request) {
  auto parsed = parse_json(request, "The request");
  return dump(parsed ? answer(context, *parsed) : error_object(parsed.problem()));
}

}  // namespace gpuplan
