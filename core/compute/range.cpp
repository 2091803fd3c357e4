#include "core/compute/range.hpp"

namespace gpuplan {

ServingRanges load_ranges(const Calibration& c, const std::string& engine) {
  constexpr const char* names[serving_family_count] = {"single_decode", "prefill", "batch", "batch_moe"};
  ServingRanges out;
  for (int i = 0; i < serving_family_count; ++i) {
    const std::string family = std::string("range.serving.") + names[i], own = family + "." + engine;
    const std::string& head = c.find(own + ".low") ? own : family;
    out[static_cast<std::size_t>(i)] = {c.value(head + ".low"), c.value(head + ".high")};
  }
  return out;
}

}  // namespace gpuplan
