#pragma once
/// Hardware generations that share kernel behaviour: the key of every fitted surface [M-time-operator].
#include <cstdint>

#include "core/catalog/gpu.hpp"

namespace gpuplan {

enum class Generation : std::uint8_t {
  pascal, volta, turing, ampere, ampere_gddr, ada, hopper, blackwell, blackwell_gddr, cdna2, cdna3, cdna4, rdna, gaudi, xe, apple, other
};
inline constexpr int generation_count = 17;

/// "ampere_gddr": the middle part of a coefficient's name.
const char* name(Generation);
/// From the architecture name; compute capability tells data-centre parts (8.0, 10.x) from graphics parts (8.6, 12.x).
Generation generation_of(const Gpu&);

}  // namespace gpuplan
