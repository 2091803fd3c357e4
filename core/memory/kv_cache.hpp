#pragma once
/// Bytes of keys, values and states [M-kv].
#include "core/layout/layout.hpp"
#include "core/memory/prepared.hpp"

namespace gpuplan::memory {

/// What one rank of a stage caches.
struct CacheRates {
  double per_token = 0.0;     ///< bytes per token of all layers whose cache never stops growing
  double per_token_all = 0.0; ///< bytes per token while no window is full
  double state = 0.0;         ///< bytes per sequence that do not grow
  bool windows = false;       ///< some layers stop growing
};

/// Divides each cache group by min(tp, its heads) and by cp.
CacheRates cache_rates(const PreparedMemory&, const Sums& stage, const Layout&, double bytes_per_element, bool windows_save);

/// Bytes of one sequence of `tokens`, blocks of `block` tokens rounded up; `extra` = tokens that a window keeps beyond itself (a step's batch).
double sequence_bytes(const PreparedMemory&, const Sums& stage, const Layout&, double bytes_per_element, double tokens, double block, double extra,
                      bool windows_save);

}  // namespace gpuplan::memory
