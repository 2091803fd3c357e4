#include "core/plan/advise.hpp"

#include <algorithm>
#include <optional>

#include "core/plan/advise_changes.hpp"

namespace gpuplan {
namespace {

constexpr std::size_t most_pairs = 3;
constexpr std::size_t most_partners = 12;  ///< changes that free most without being enough, tried two by two

struct Asking {
  const Knowledge& knowledge;
  const std::string& now;
  Bytes free;  ///< negative: what is missing
  double tokens_per_s;
};

/// A change with what the core says about it.
struct Tried {
  Change change;
  bool fits = false;
};

std::optional<Tried> try_change(const Asking& ask, const Scenario& base, const Lever& lever, const ChangeValue& value) {
  Tried out;
  out.change.pointer = lever.pointer;
  out.change.from = lever.from;
  out.change.to = value;
  Scenario s = base;
  lever.set(s, value);
  const auto e = estimate(ask.knowledge, s, ask.now);
  if (!e) return std::nullopt;
  out.fits = e->option.memory.fits;
  out.change.frees = (e->option.memory.usable - e->option.memory.used) - ask.free;
  out.change.speed_factor = ask.tokens_per_s > 0.0 ? e->option.time.tokens_per_s.value / ask.tokens_per_s : 1.0;
  out.change.scenario = e->resolved;
  return out;
}

/// Largest value of a range that fits, by bisection: memory grows with it.
std::optional<Tried> largest_that_fits(const Asking& ask, const Scenario& base, const Lever& lever) {
  std::int64_t low = 0, high = (lever.highest - lever.lowest + lever.step - 1) / lever.step;  // index `low` fits, `high` does not
  std::optional<Tried> best = try_change(ask, base, lever, lever.lowest);
  if (!best || !best->fits) return best;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    auto tried = try_change(ask, base, lever, lever.lowest + middle * lever.step);
    if (tried && tried->fits) {
      low = middle;
      best = std::move(tried);
    } else {
      high = middle;
    }
  }
  return best;
}

/// The first value that fits, or else the one that frees most.
std::optional<Tried> best_of(const Asking& ask, const Scenario& base, const Lever& lever) {
  if (lever.values.empty()) return largest_that_fits(ask, base, lever);
  std::optional<Tried> best;
  for (const ChangeValue& value : lever.values) {
    auto tried = try_change(ask, base, lever, value);
    if (!tried) continue;
    if (tried->fits) return tried;
    if (!best || tried->change.frees > best->change.frees) best = std::move(tried);
  }
  return best;
}

bool faster(const Change& a, const Change& b) {
  if (a.speed_factor != b.speed_factor) return a.speed_factor > b.speed_factor;
  return a.pointer < b.pointer;
}

void add_pairs(Advice& out, const Asking& ask, std::vector<Lever>& all, std::vector<std::pair<Tried, std::size_t>>& partial) {
  std::sort(partial.begin(), partial.end(), [](const auto& a, const auto& b) {
    return a.first.change.frees != b.first.change.frees ? a.first.change.frees > b.first.change.frees : a.first.change.pointer < b.first.change.pointer;
  });
  if (partial.size() > most_partners) partial.resize(most_partners);
  for (std::size_t i = 0; i < partial.size(); ++i) {
    for (std::size_t j = i + 1; j < partial.size(); ++j) {
      const Tried& first = partial[i].first;
      if (first.change.frees.value <= 0.0) continue;
      const Lever& lever = all[partial[j].second];
      const auto both = best_of(ask, first.change.scenario, lever);
      if (both && both->fits) out.pairs.emplace_back(first.change, both->change);
    }
  }
  std::sort(out.pairs.begin(), out.pairs.end(), [](const auto& a, const auto& b) { return faster(a.second, b.second); });
  if (out.pairs.size() > most_pairs) out.pairs.resize(most_pairs);
}

}  // namespace

Result<Advice> advise(const Knowledge& k, const Scenario& scenario, const std::string& now) {
  const auto base = estimate(k, scenario, now);
  if (!base) return base.problem();
  Advice out;
  const Memory& m = base->option.memory;
  out.fits = m.fits;
  out.resolved = base->resolved;
  out.notes = base->why.notes;
  if (m.fits) return out;
  out.short_by = m.used > m.usable ? m.used - m.usable : Bytes{};
  const Asking ask{k, now, m.usable - m.used, base->option.time.tokens_per_s.value};
  std::vector<Lever> all = levers(k, out.resolved, base->option);
  std::vector<std::pair<Tried, std::size_t>> partial;
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto tried = best_of(ask, out.resolved, all[i]);
    if (!tried) continue;
    if (tried->fits) out.changes.push_back(std::move(tried->change));
    else partial.emplace_back(std::move(*tried), i);
  }
  std::sort(out.changes.begin(), out.changes.end(), faster);
  add_pairs(out, ask, all, partial);
  return out;
}

}  // namespace gpuplan
