#pragma once
/// How many GPUs a described machine has when the person did not say: as many as the layout speaks of.
#include "core/scenario/scenario.hpp"

namespace gpuplan {

/// `hardware` with gpus_per_node and nodes filled: the product of the wished degrees, in nodes of eight; one GPU without a wish.
Hardware with_counts(Hardware hardware, const LayoutWish& wish);

}  // namespace gpuplan
