#include "core/model/layer_runs.hpp"

namespace gpuplan {

void fold_layers(const std::vector<Layer>& layers, std::vector<Layer>& kinds, std::vector<LayerRun>& order) {
  for (const Layer& layer : layers) {
    std::size_t kind = 0;
    while (kind < kinds.size() && !(kinds[kind] == layer)) ++kind;
    if (kind == kinds.size()) kinds.push_back(layer);
    if (!order.empty() && order.back().kind == static_cast<int>(kind)) {
      ++order.back().count;
    } else {
      order.push_back({static_cast<int>(kind), 1});
    }
  }
}

}  // namespace gpuplan
