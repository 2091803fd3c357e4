#pragma once
/// The search: offers × node counts × layouts, each estimated, the best kept [M-search].
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/plan/layout_search.hpp"
#include "core/plan/option.hpp"

namespace gpuplan {

/// A finished search. Options borrow from it.
struct Search {
  Candidates candidates;
  std::vector<Offer> offers;
  std::vector<Option> options;      ///< the best of each offer and node count that keeps every limit, best first
  std::vector<Option> near_misses;  ///< when `options` is empty: what came closest, best first
  SearchStatistics statistics;
};

/// `now`: ISO date, for ages of prices.
Result<Search> search(const Knowledge&, const Scenario&, const std::string& now, Fit fit);

}  // namespace gpuplan
