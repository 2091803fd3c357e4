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
/// Breadth::front gives all layouts of the front of each offer and node count, of which those are marked that no other beats on cost, throughput
/// and latency at once.
Result<Search> search(const Knowledge&, const Scenario&, const std::string& now, Fit fit, Breadth breadth = Breadth::best);

}  // namespace gpuplan
