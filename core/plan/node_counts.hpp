#pragma once
/// How many nodes are worth a look [M-search].
#include <vector>

#include "core/layout/job.hpp"
#include "core/scenario/resolve.hpp"

namespace gpuplan {

/// The wished count, or 1, 2, 4 … up to what the task and the offer allow. Machines without RDMA stand alone unless the person says otherwise.
std::vector<Nodes> node_counts(const Scenario&, const Offer&);

}  // namespace gpuplan
