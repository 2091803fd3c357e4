#pragma once
/// A measured profile laid over fitted surfaces: what was measured replaces the datasheet × share [M-profile].
#include "core/compute/roofline.hpp"

namespace gpuplan {

/// Kernels whose type the profile holds take its ceiling, bandwidth and fixed time; those that unpack weights for such a type are faster or
/// slower than fitted by as much as it; the others keep their shares of the datasheet.
void apply_profile(const Profile&, Rates&);

}  // namespace gpuplan
