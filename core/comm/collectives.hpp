#pragma once
/// Time of one collective over a group placed on the machine [M-comm]: α–β per level, the best algorithm wins as in NCCL.
#include <cstdint>

#include "core/calibration.hpp"
#include "core/compute/time.hpp"
#include "core/layout/job.hpp"

namespace gpuplan {

/// A group of ranks on the topology: `ranks` GPUs, neighbours `stride` ranks apart; innermost groups have stride 1.
struct GroupPlacement {
  std::int32_t ranks = 1;
  std::int32_t per_node = 1;        ///< ranks of the group in one scale-up domain
  std::int32_t sharing = 1;         ///< groups of this kind that use the same links at once
};

/// Where a group of `ranks` with `stride` lands when ranks are numbered node by node.
GroupPlacement place_group(const Machine&, std::int64_t ranks, std::int64_t stride);

/// Prepared α–β coefficients of one machine's fabric.
struct Fabric;

/// Time of a collective of `bytes` per rank (the nccl-tests size: all_gather and reduce_scatter count the whole buffer).
Seconds collective_time(const Machine&, const Calibration&, CollectiveKind, const GroupPlacement&, Bytes bytes, bool engine_kernel = false);

}  // namespace gpuplan
