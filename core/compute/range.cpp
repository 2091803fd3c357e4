#include "core/compute/range.hpp"

#include <string>

namespace gpuplan {

ServingRanges load_ranges(const Calibration& c) {
  constexpr const char* names[serving_family_count] = {"single_decode", "prefill", "batch", "batch_moe"};
  ServingRanges out;
  for (int i = 0; i < serving_family_count; ++i) {
    const std::string head = std::string("range.serving.") + names[i];
    out[static_cast<std::size_t>(i)] = {c.value(head + ".low"), c.value(head + ".high")};
  }
  return out;
}

}  // namespace gpuplan
