#pragma once
/// What an hour of a machine costs its owner: the purchase spread over its years, and electricity [M-owned].
#include <optional>

#include "core/catalog/gpu.hpp"

namespace gpuplan {

/// Defaults that nobody measured for this person: common book lives are four to six years; electricity as industry pays it; a server draws about
/// half as much again as its GPUs, and cooling another three tenths.
inline constexpr double assumed_years = 4.0, assumed_usd_per_kwh = 0.12, assumed_server_over_gpus = 1.5, assumed_cooling = 1.3;

struct Ownership {
  std::optional<double> purchase_usd;  ///< of one node
  std::optional<double> years;         ///< until it is replaced
  std::optional<double> power_kw;      ///< of one node under load, cooling included
  std::optional<double> usd_per_kwh;

  bool any() const { return purchase_usd || years || power_kw || usd_per_kwh; }
};

/// USD per hour of one node that runs all year with `gpus` of this GPU; without a purchase price only the electricity.
double usd_per_hour(const Ownership&, const Gpu&, Gpus gpus);

}  // namespace gpuplan
