#pragma once
/// Fits t = α + bytes/β in as few straight pieces as the measurements ask for.
#include <vector>

#include "core/catalog/profile.hpp"

namespace gpuplan::probe {

struct TransferPoint {
  double bytes;    ///< for collectives already multiplied by the bus factor
  double seconds;
};

/// Weighted least squares on relative errors, at most `most_segments` pieces of at least three points; a further piece only where it halves
/// an error above 1.5 %. Never falls with size. Points need not be sorted; no points give no segments.
/// `size_per_byte` translates the points' bytes back to message sizes for TransferSegment::from (1 ÷ bus factor).
TransferFit fit_transfer(std::vector<TransferPoint> points, int most_segments, double size_per_byte = 1.0);

}  // namespace gpuplan::probe
