#pragma once
/// The search: offers × node counts × layouts, each estimated, the best kept [M-search].
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/plan/candidates.hpp"
#include "core/plan/cost.hpp"

namespace gpuplan {

/// One machine and layout with its estimate.
struct Option {
  int offer = -1;                        ///< index into Search::offers
  const Candidate* candidate = nullptr;  ///< owned by Search::candidates
  Machine machine;                       ///< with the node count
  Layout layout;
  Memory memory;
  Time time;
  Cost cost;
  bool pareto = false;
};

struct SearchStatistics {
  std::int64_t candidates = 0;  ///< layouts looked at
  std::int64_t refused = 0;     ///< by a rule of model, software or GPU
  std::int64_t pruned = 0;      ///< by memory, before time was estimated
  std::int64_t evaluated = 0;   ///< estimated in full
  std::array<std::int64_t, 20> refusals{};  ///< layouts (or whole jobs) refused, by Refusal
};

/// A finished search. Options borrow from it.
struct Search {
  Candidates candidates;
  std::vector<Offer> offers;
  std::vector<Option> options;      ///< the best of each offer and node count that keeps every limit, best first
  std::vector<Option> near_misses;  ///< when `options` is empty: what came closest, best first
  SearchStatistics statistics;
};

/// How hard a fit must be: recommendations keep the policy's headroom free, a question about one machine only asks whether it fits.
enum class Fit { with_headroom, just_fits };

/// `now`: ISO date, for ages of prices.
Result<Search> search(const Knowledge&, const Scenario&, const std::string& now, Fit fit);

}  // namespace gpuplan
