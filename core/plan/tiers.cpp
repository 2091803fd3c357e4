#include "core/plan/tiers.hpp"

#include "core/plan/rank.hpp"

namespace gpuplan {
namespace {

/// Machines that keep the model itself in host memory do it, but nobody means them by "fits".
bool smaller(const Option& a, const Option& b) {
  const bool a_streams = a.layout.offload == Offload::parameters, b_streams = b.layout.offload == Offload::parameters;
  if (a_streams != b_streams) return b_streams;
  if (a.machine.gpus() != b.machine.gpus()) return a.machine.gpus() < b.machine.gpus();
  if (a.machine.memory_usable != b.machine.memory_usable) return a.machine.memory_usable < b.machine.memory_usable;
  return better(a, b, Objective::cost);
}

/// Who asks for the cheapest is not sent to a machine of eight times the GPUs and the price of what does it well (nothing offloaded), though
/// its tokens may cost less.
bool oversized(const Option& o, const Option& smallest) {
  constexpr std::int64_t times = 8;
  if (smallest.layout.offload != Offload::none) return false;
  const bool many = o.machine.gpus().n >= times * smallest.machine.gpus().n;
  return many && (!smallest.cost.known || o.cost.usd_per_hour >= static_cast<double>(times) * smallest.cost.usd_per_hour);
}

Result<TierTable> table_of(const Knowledge& k, const Scenario& scenario, const Tier& tier, const std::string& now) {
  TierTable t;
  t.tier = &tier;
  t.scenario = scenario;
  auto found = search(k, scenario, now, Fit::with_headroom);
  if (!found) return found.problem();
  const auto owned = std::make_shared<Search>(*std::move(found));
  t.search = owned;
  t.model = owned->candidates.model.architecture->id;
  for (const Option& o : owned->options) {
    if (!t.smallest || smaller(o, *t.smallest)) t.smallest = &o;
  }
  std::vector<const Option*> fitting;
  for (const Option& o : owned->options) {
    if (scenario.policy.objective != Objective::cost || !oversized(o, *t.smallest)) fitting.push_back(&o);
  }
  t.rows = diverse(fitting, owned->offers, k.catalog, tier_rows);
  return t;
}

}  // namespace

Result<std::vector<TierTable>> tier_tables(const Knowledge& k, const Scenario& scenario, const std::string& now) {
  const std::vector<Tier>& tiers = scenario.policy.tiers == TierScheme::llm ? k.tiers.llm : k.tiers.classic;
  std::size_t own = tiers.size();
  const bool chosen = !scenario.model.id.empty() || !scenario.model.custom_kind.empty();
  if (chosen) {
    auto model = resolve_model(k, scenario);
    if (!model) return model.problem();
    own = tier_of(tiers, count_parameters(*model->architecture).total);
  }
  std::vector<TierTable> out;
  for (std::size_t i = 0; i < tiers.size(); ++i) {
    Scenario s = scenario;
    if (i != own) {
      s.model = {};
      s.model.id = tiers[i].model;
    }
    auto table = table_of(k, s, tiers[i], now);
    if (!table) return table.problem();
    table->chosen = i == own;
    out.push_back(*std::move(table));
  }
  return out;
}

}  // namespace gpuplan
