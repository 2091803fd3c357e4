#include "core/memory/kv_cache.hpp"

#include <cmath>

namespace gpuplan::memory {
namespace {

double divisor(const CacheGroup& g, const Layout& layout) {
  const double heads = static_cast<double>(g.kv_heads), tp = layout.tp;
  const double split = g.kv_heads <= 0 ? 1.0 : heads < tp ? heads : tp;
  return split * layout.cp;
}

double rounded(double tokens, double block) { return std::ceil(tokens / block) * block; }

}  // namespace

CacheRates cache_rates(const PreparedMemory& p, const Sums& stage, const Layout& layout, double bytes, bool windows_save) {
  CacheRates out;
  for (int i = 0; i < cache_groups; ++i) {
    if (stage[cache_at + i] <= 0.0) continue;
    const CacheGroup& g = p.groups[static_cast<std::size_t>(i)];
    const double rate = stage[cache_at + i] * bytes / divisor(g, layout);
    const bool stops = windows_save && g.window > 0;
    out.per_token_all += rate;
    if (!stops) out.per_token += rate;
    out.windows = out.windows || (stops && rate > 0.0);
  }
  out.state = stage[state_at] / layout.tp;
  return out;
}

double sequence_bytes(const PreparedMemory& p, const Sums& stage, const Layout& layout, double bytes, double tokens, double block, double extra,
                      bool windows_save) {
  double total = stage[state_at] / layout.tp;
  for (int i = 0; i < cache_groups; ++i) {
    if (stage[cache_at + i] <= 0.0) continue;
    const CacheGroup& g = p.groups[static_cast<std::size_t>(i)];
    const double kept = static_cast<double>(g.window) + extra;
    const double cells = windows_save && g.window > 0 && kept < tokens ? kept : tokens;
    total += stage[cache_at + i] * bytes / divisor(g, layout) * rounded(cells, block);
  }
  return total;
}

}  // namespace gpuplan::memory
