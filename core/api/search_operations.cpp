// The operations of scripts: single estimates, ranked options and the tables as data. The page draws views instead, so core.wasm has none of these.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/api/operations.hpp"
#include "core/api/write_answer.hpp"
#include "core/plan/rank.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

/// What binds an option that was not taken.
BrokenLimit binding(const Scenario& s, const Option& o) {
  if (!o.memory.fits) return {"memory", o.memory.used.value, o.memory.usable.value};
  const BrokenLimit b = broken_limit(o, s.policy);
  return b ? b : BrokenLimit{"headroom", 1.0 - o.memory.used / o.memory.usable, s.policy.headroom};
}

json write_miss(const Knowledge& k, const Scenario& s, const Search& search, const Option& o) {
  const BrokenLimit b = binding(s, o);
  return {{"option", write_option(k, s, search, o, 0)}, {"limit", b.limit}, {"value", b.value}, {"allowed", b.allowed}};
}

std::string offer_name(const Knowledge& k, const Offer& offer) {
  return offer.instance < 0 ? offer.machine.gpu->id : k.catalog.instances[static_cast<std::size_t>(offer.instance)].id;
}

/// Why a GPU takes the job in none of its forms; "layout" when it does and only the layouts are impossible.
const char* refusal_of(const Candidates& candidates, const Gpu& gpu) {
  Refusal first = Refusal::none;
  for (const auto& c : candidates.all) {
    const Refusal r = check_job(c->job, gpu);
    if (r == Refusal::none) return "layout";
    if (first == Refusal::none) first = r;
  }
  return name(first);
}

/// Every offer that is no option, with what kept it out, the nearest first.
json write_rejected(const Knowledge& k, const Scenario& s, const Search& search) {
  std::vector<bool> told(search.offers.size(), false);
  json out = json::array();
  for (const Option& o : search.options) told[static_cast<std::size_t>(o.offer)] = true;
  for (const Option& o : search.near_misses) {
    const BrokenLimit b = binding(s, o);
    told[static_cast<std::size_t>(o.offer)] = true;
    out.push_back({{"instance", offer_name(k, search.offers[static_cast<std::size_t>(o.offer)])}, {"reason", b.limit}, {"value", b.value}, {"allowed", b.allowed}});
  }
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (!told[i]) out.push_back({{"instance", offer_name(k, search.offers[i])}, {"reason", refusal_of(search.candidates, *search.offers[i].machine.gpu)}});
  }
  return out;
}

json write_table(const Knowledge& k, const TierTable& t) {
  json rows = json::array();
  int rank = 0;
  for (const Option* o : t.rows) rows.push_back(write_option(k, t.scenario, *t.search, *o, ++rank));
  const Tier& tier = *t.tier;
  return {{"id", tier.id},
          {"label_key", tier.label_key},
          {"params_range", {tier.nominal_low, tier.nominal_high > 0.0 ? json(tier.nominal_high) : json(nullptr)}},
          {"model", t.model},
          {"rows", std::move(rows)},
          {"smallest_fit", t.smallest ? write_option(k, t.scenario, *t.search, *t.smallest, 0) : json(nullptr)}};
}

void add(SearchStatistics& sum, const SearchStatistics& s) {
  sum.candidates += s.candidates;
  sum.refused += s.refused;
  sum.pruned += s.pruned;
  sum.evaluated += s.evaluated;
  sum.memory_only += s.memory_only;
  for (std::size_t i = 0; i < s.refusals.size(); ++i) sum.refusals[i] += s.refusals[i];
}

}  // namespace

Answer estimate_op(const Context& c, const json& request) {
  auto parts = read_parts(request, true);
  if (!parts) return parts.problem();
  auto e = estimate(c.knowledge, parts->scenario, parts->now);
  if (!e) return e.problem();
  e->why.notes.insert(e->why.notes.begin(), parts->notes.begin(), parts->notes.end());
  return write_estimate(c.knowledge, *e);
}

Answer plan_op(const Context& c, const json& request) {
  auto parts = read_parts(request, true);
  if (!parts) return parts.problem();
  auto top = read_count(request, "top", 20, 1, 1000);
  if (!top) return top.problem();
  const bool front = request.value("front", json(false)) == json(true);
  auto found = search(c.knowledge, parts->scenario, parts->now, Fit::with_headroom, front ? Breadth::front : Breadth::best);
  if (!found) return found.problem();
  if (found->options.empty() && found->near_misses.empty()) return nothing_possible(parts->scenario, *found);
  json options = json::array(), misses = json::array();
  for (const Option& o : found->options) {
    if (options.size() >= static_cast<std::size_t>(*top)) break;
    if (front && !o.pareto) continue;
    options.push_back(write_option(c.knowledge, parts->scenario, *found, o, static_cast<int>(options.size()) + 1));
  }
  for (std::size_t i = 0; found->options.empty() && i < std::min<std::size_t>(3, found->near_misses.size()); ++i) {
    misses.push_back(write_miss(c.knowledge, parts->scenario, *found, found->near_misses[i]));
  }
  json out = {{"options", std::move(options)}, {"search", write_statistics(found->statistics)}, {"nearest_misses", std::move(misses)}};
  if (request.value("explain_rejected", json(false)) == json(true)) out["rejected"] = write_rejected(c.knowledge, parts->scenario, *found);
  return out;
}

Answer tiers_op(const Context& c, const json& request) {
  auto parts = read_parts(request, false);
  if (!parts) return parts.problem();
  auto tables = tier_tables(c.knowledge, parts->scenario, parts->now);
  if (!tables) return tables.problem();
  json out = json::array();
  SearchStatistics sum;
  for (const TierTable& t : *tables) {
    out.push_back(write_table(c.knowledge, t));
    add(sum, t.search->statistics);
  }
  return json{{"tiers", std::move(out)}, {"search", write_statistics(sum)}};
}

}  // namespace gpuplan
