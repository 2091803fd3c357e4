#include "core/plan/search.hpp"

#include <algorithm>

#include "core/layout/enumerate.hpp"
#include "core/layout/rules.hpp"
#include "core/plan/node_counts.hpp"
#include "core/plan/rank.hpp"

namespace gpuplan {
namespace {

/// The best layout found on one machine, and the best among those that break something.
struct Best {
  bool found = false, missed = false;
  Option option, miss;
};

class Searcher {
 public:
  Searcher(const Scenario& scenario, Fit fit, SearchStatistics& statistics)
      : scenario_(scenario), objective_(scenario.policy.objective), fit_(fit), statistics_(statistics) {}

  Best on(const Candidate& candidate, const Machine& machine, int offer, double usd_per_node_hour) {
    Best best;
    for_each_layout(candidate.job, machine, scenario_.layout, [&](const Layout& layout) {
      ++statistics_.candidates;
      if (const Refusal r = check_layout(candidate.job, machine, layout); r != Refusal::none) {
        ++statistics_.refused;
        ++statistics_.refusals[static_cast<std::size_t>(r)];
        return;
      }
      consider(candidate, machine, layout, offer, usd_per_node_hour, best);
    });
    return best;
  }

 private:
  Bytes room(const Machine& machine) const {
    return fit_ == Fit::with_headroom ? machine.memory_usable * (1.0 - scenario_.policy.headroom) : machine.memory_usable;
  }

  /// Nobody is sent to a machine whose host memory is unknown with states that must live there.
  bool fits_here(const Memory& m, const Machine& machine) const {
    const bool host_unknown = m.host.value > 0.0 && machine.host_memory.value <= 0.0;
    return m.fits && m.used <= room(machine) && !(fit_ == Fit::with_headroom && host_unknown);
  }

  void consider(const Candidate& c, const Machine& machine, const Layout& layout, int offer, double usd_per_node_hour, Best& best) {
    Option o;
    o.memory = estimate_memory(c.job, *c.memory, machine, layout);
    const bool fits = fits_here(o.memory, machine);
    if (!fits && best.found) {
      ++statistics_.pruned;
      return;
    }
    if (!fits && best.missed && !(o.memory.used < best.miss.memory.used)) {
      ++statistics_.pruned;
      return;
    }
    ++statistics_.evaluated;
    o.offer = offer;
    o.candidate = &c;
    o.machine = machine;
    o.layout = layout;
    o.time = estimate_time(c.job, *c.time, machine, layout, o.memory);
    o.cost = estimate_cost(c.job, machine, o.time, usd_per_node_hour);
    keep(o, fits, best);
  }

  void keep(const Option& o, bool fits, Best& best) const {
    if (fits && !broken_limit(o, scenario_.policy)) {
      if (!best.found || better(o, best.option, objective_)) best.option = o;
      best.found = true;
      return;
    }
    const bool closer = !best.missed || (fits != best_fits(best) ? fits : fits ? better(o, best.miss, objective_) : o.memory.used < best.miss.memory.used);
    if (closer) best.miss = o;
    best.missed = true;
  }

  bool best_fits(const Best& best) const { return fits_here(best.miss.memory, best.miss.machine); }

  const Scenario& scenario_;
  Objective objective_;
  Fit fit_;
  SearchStatistics& statistics_;
};


/// Whether a larger cluster is still worth a look once a smaller one has an answer.
bool enough(const std::vector<Option>& found, Objective objective) {
  constexpr std::size_t most = 8;
  if (found.size() >= most) return true;
  return found.size() >= 2 && !better(found.back(), found[found.size() - 2], objective);
}

void search_offer(Searcher& searcher, const Scenario& s, Search& out, int index) {
  const Offer& offer = out.offers[static_cast<std::size_t>(index)];
  std::vector<Option> found;
  Best miss;
  for (const Nodes nodes : node_counts(s, offer)) {
    Machine machine = offer.machine;
    machine.nodes = nodes;
    for (const Candidate* c : candidates_for(out.candidates, *machine.gpu, out.statistics.refusals.data())) {
      Best best = searcher.on(*c, machine, index, offer.usd_per_hour);
      if (best.found) found.push_back(best.option);
      else if (best.missed) miss = best;
    }
    if (enough(found, s.policy.objective)) break;
  }
  if (found.empty() && miss.missed) out.near_misses.push_back(miss.miss);
  const auto best = std::min_element(found.begin(), found.end(), [&](const Option& a, const Option& b) { return better(a, b, s.policy.objective); });
  if (best != found.end()) out.options.push_back(*best);
}

}  // namespace

Result<Search> search(const Knowledge& knowledge, const Scenario& scenario, const std::string& now, Fit fit) {
  auto candidates = make_candidates(knowledge, scenario);
  if (!candidates) return candidates.problem();
  auto offers = resolve_offers(knowledge, scenario, now);
  if (!offers) return offers.problem();
  Search out;
  out.candidates = *std::move(candidates);
  out.offers = *std::move(offers);
  Searcher searcher(scenario, fit, out.statistics);
  for (std::size_t i = 0; i < out.offers.size(); ++i) search_offer(searcher, scenario, out, static_cast<int>(i));
  const auto order = [&](const Option& a, const Option& b) { return better(a, b, scenario.policy.objective); };
  std::sort(out.options.begin(), out.options.end(), order);
  std::sort(out.near_misses.begin(), out.near_misses.end(), [](const Option& a, const Option& b) {
    const double x = a.memory.used / a.memory.usable, y = b.memory.used / b.memory.usable;
    return x != y ? x < y : a.offer < b.offer;
  });
  mark_pareto(out.options);
  return out;
}

}  // namespace gpuplan
