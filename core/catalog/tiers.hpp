#pragma once
/// Tiers of model size: what the recommended-instance tables are sorted by.
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gpuplan {

/// One tier; edges carry 10 % because names round (api.md).
struct Tier {
  std::string id, label_key;
  double nominal_low = 0.0, nominal_high = 0.0;  ///< parameters as shown; 0 = open above
  double max_params = 0.0;                       ///< largest total that belongs here; 0 = no limit
  std::string model;                             ///< a common one near the upper edge, so that what is recommended holds for the whole tier
};

struct Tiers {
  std::vector<Tier> llm, classic;
};

/// Reads embedded_asset "tiers".
Result<Tiers> load_tiers(std::string_view json);

/// Index of the tier that a model of `params` parameters belongs to.
std::size_t tier_of(const std::vector<Tier>&, double params);

}  // namespace gpuplan
