#include "core/catalog/tiers.hpp"

#include <nlohmann/json.hpp>

#include "core/json/text.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

Problem bad(const std::string& pointer) {
  return {pointer, ProblemCode::wrong_type, "tiers" + pointer + " must hold id, label_key, nominal_params, max_params and model.", {}};
}

double number_or_open(const json& v) { return v.is_number() ? v.get<double>() : 0.0; }

Result<Tier> read_tier(const json& j, const std::string& pointer) {
  const bool whole = j.is_object() && j.contains("id") && j["id"].is_string() && j.contains("label_key") && j["label_key"].is_string() && j.contains("model") &&
                     j["model"].is_string() && j.contains("nominal_params") && j["nominal_params"].is_array() && j["nominal_params"].size() == 2 && j.contains("max_params");
  if (!whole) return bad(pointer);
  Tier t;
  t.id = j["id"].get<std::string>();
  t.label_key = j["label_key"].get<std::string>();
  t.model = j["model"].get<std::string>();
  t.nominal_low = number_or_open(j["nominal_params"][0]);
  t.nominal_high = number_or_open(j["nominal_params"][1]);
  t.max_params = number_or_open(j["max_params"]);
  return t;
}

}  // namespace

Result<Tiers> load_tiers(std::string_view text) {
  auto parsed = parse_json(text, "tiers");
  if (!parsed) return parsed.problem();
  Tiers out;
  for (const char* scheme : {"llm", "classic"}) {
    const std::string pointer = child("", scheme);
    if (!parsed->is_object() || !parsed->contains(scheme) || !(*parsed)[scheme].is_array()) return bad(pointer);
    for (const json& j : (*parsed)[scheme]) {
      auto tier = read_tier(j, pointer);
      if (!tier) return tier.problem();
      (scheme[0] == 'l' ? out.llm : out.classic).push_back(*std::move(tier));
    }
  }
  return out;
}

std::size_t tier_of(const std::vector<Tier>& tiers, double params) {
  for (std::size_t i = 0; i < tiers.size(); ++i) {
    if (tiers[i].max_params <= 0.0 || params <= tiers[i].max_params) return i;
  }
  return tiers.empty() ? 0 : tiers.size() - 1;
}

}  // namespace gpuplan
