#include <nlohmann/json.hpp>

#include "core/api/operations.hpp"
#include "core/api/write_answer.hpp"
#include "core/plan/advise.hpp"
#include "core/scenario/link.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

json write_value(const ChangeValue& value) {
  return std::visit(
      [](const auto& v) -> json {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::monostate>) return nullptr;
        else return v;
      },
      value);
}

json write_change(const Change& c) {
  return {{"pointer", c.pointer},          {"from", write_value(c.from)},        {"to", write_value(c.to)},
          {"frees_bytes", static_cast<std::int64_t>(c.frees.value)},  {"speed_factor", c.speed_factor},     {"link", encode_link(c.scenario)}};
}

}  // namespace

Answer advise_op(const Context& c, const json& request) {
  const auto parts = read_parts(request, true);
  if (!parts) return parts.problem();
  const auto advice = advise(c.knowledge, parts->scenario, parts->now);
  if (!advice) return advice.problem();
  json changes = json::array(), pairs = json::array();
  for (const Change& change : advice->changes) changes.push_back(write_change(change));
  for (const auto& pair : advice->pairs) pairs.push_back({write_change(pair.first), write_change(pair.second)});
  return json{{"fits", advice->fits},
              {"short_bytes", static_cast<std::int64_t>(advice->short_by.value)},
              {"changes", std::move(changes)},
              {"pairs", std::move(pairs)},
              {"link", encode_link(advice->resolved)},
              {"notes", write_notes(advice->notes)}};
}

}  // namespace gpuplan
