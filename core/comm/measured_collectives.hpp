#pragma once
/// Collectives as the probe measured them on this machine [M-profile]; they stand in place of the fitted curves where group and nodes are the same.
#include <optional>

#include "core/comm/collectives.hpp"

namespace gpuplan {

/// Time of the collective by the measured line of the same kind, ranks and nodes; nothing when that was not measured, or when groups share the network.
std::optional<Seconds> measured_collective(const Profile&, CollectiveKind, const GroupPlacement&, Bytes bytes);

}  // namespace gpuplan
