#pragma once
/// How far measurements lie from estimates of their kind: the central 90 % of measured ÷ estimated [M-range].
#include <array>
#include <string>

#include "core/calibration.hpp"

namespace gpuplan {

/// Kinds of serving estimate whose residuals are alike.
enum class ServingFamily { single_decode, prefill, batch, batch_moe };
inline constexpr int serving_family_count = 4;

struct Interval {
  double low = 1.0, high = 1.0;  ///< factors on a speed
};
using ServingRanges = std::array<Interval, serving_family_count>;
/// "range.serving.<family>.<engine>.low" and ".high", else those of the family over all engines.
ServingRanges load_ranges(const Calibration&, const std::string& engine);

}  // namespace gpuplan
