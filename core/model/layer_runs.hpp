#pragma once
/// Layers in order, folded into distinct kinds and runs of them.
#include <vector>

#include "core/model/architecture.hpp"

namespace gpuplan {

/// Appends to `kinds` each layer that is not there yet, and to `order` the runs that spell the list.
void fold_layers(const std::vector<Layer>& layers, std::vector<Layer>& kinds, std::vector<LayerRun>& order);

}  // namespace gpuplan
