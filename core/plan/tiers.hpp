#pragma once
/// The recommended-instance tables: one per model tier, each a search over the whole catalog.
#include <memory>
#include <string>
#include <vector>

#include "core/plan/estimate.hpp"

namespace gpuplan {

struct TierTable {
  const Tier* tier = nullptr;
  std::string model;               ///< id of the model that stands for the tier here
  Scenario scenario;               ///< the person's scenario with that model
  std::shared_ptr<const Search> search;
  std::vector<const Option*> rows; ///< best first, of different providers or GPUs; borrowed from `search`
  const Option* smallest = nullptr; ///< the smallest machine that does it: fewest GPUs, then least memory
  bool chosen = false;             ///< of the model that the person named
  std::string problem;             ///< why there is no search, "" otherwise
};

inline constexpr std::size_t tier_rows = 6;

/// Tables of the scheme in policy.tiers. A model in the scenario stands for its own tier; the others keep their typical ones.
Result<std::vector<TierTable>> tier_tables(const Knowledge&, const Scenario&, const std::string& now);

}  // namespace gpuplan
