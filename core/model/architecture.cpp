#include "core/model/architecture.hpp"

namespace gpuplan {

std::int64_t Architecture::layer_count() const {
  std::int64_t n = 0;
  for (const LayerRun& run : order) n += run.count;
  for (const LayerRun& run : decoder_order) n += run.count;
  return n;
}

}  // namespace gpuplan
