#pragma once
/// Time of one collective over a group placed on the machine [M-comm]: latency and rate per level, the best algorithm wins as in NCCL.
#include <cstdint>

#include "core/comm/fabric.hpp"
#include "core/compute/time.hpp"

namespace gpuplan {

/// A group of ranks on the topology.
struct GroupPlacement {
  std::int32_t ranks = 1;
  std::int32_t per_node = 1;  ///< ranks of the group in one scale-up domain
  std::int32_t sharing = 1;   ///< groups of this kind that use the same domain's network at once

  std::int32_t nodes() const { return (ranks + per_node - 1) / per_node; }
};

/// Where a group of `ranks`, neighbours `stride` ranks apart, lands when ranks are numbered node by node.
GroupPlacement place_group(const Fabric&, std::int64_t ranks, std::int64_t stride);

/// Time of one collective. `bytes` is the nccl-tests size: the buffer of an all-reduce or all-to-all, the whole (gathered) buffer of
/// all-gather and reduce-scatter, the message of send-recv. `engine_kernel` = a serving engine's own all-reduce inside a graph.
Seconds collective_time(const Fabric&, CollectiveKind, const GroupPlacement&, Bytes bytes, bool engine_kernel = false);

/// Dispatch or combine of routed tokens: each rank sends `bytes` over the domain's links and `away` to other domains; both go at once.
Seconds exchange_time(const Fabric&, const GroupPlacement&, Bytes bytes, Bytes away);

/// Bytes that cross the busiest rank's link ÷ `bytes`: 2(n−1)/n for all-reduce, (n−1)/n for the others, 1 for send-recv.
double traffic_factor(CollectiveKind, std::int64_t ranks);

/// The link that bounds a group, for messages.
LinkKind link_kind(const Fabric&, const GroupPlacement&);

}  // namespace gpuplan
