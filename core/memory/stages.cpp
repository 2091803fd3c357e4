#include "core/memory/stages.hpp"

#include <algorithm>

namespace gpuplan::memory {
namespace {

std::int64_t layers(const PreparedMemory& p) { return static_cast<std::int64_t>(p.prefix.size()) - 1; }

/// First layer of a stage. A layer split counts the head as one more layer, as llama.cpp does.
std::int64_t start(const PreparedMemory& p, const Layout& l, std::int64_t stage) {
  const std::int64_t n = layers(p);
  if (l.split == ModelSplit::tensor) return stage * n / l.pp;
  const std::int64_t at = ceil_div(stage * (n + 1), l.pp);
  return at < n ? at : n;
}

Sums sums_of(const PreparedMemory& p, const Layout& l, std::int32_t stage) {
  const std::size_t from = static_cast<std::size_t>(start(p, l, stage)), to = static_cast<std::size_t>(start(p, l, stage + 1));
  Sums out = l.pp == 1 ? p.prefix.back() : p.prefix[to] - p.prefix[from];
  if (stage == 0) out = out + p.first;
  if (stage == l.pp - 1) out = out + p.last;
  if (stage == l.pp - 1 && l.pp > 1) out = out + p.tied;
  return out;
}

}  // namespace

Layout staged(const Layout& layout) {
  Layout out = layout;
  if (layout.split == ModelSplit::layer) {
    out.pp = layout.pp * layout.tp;
    out.tp = 1;
  }
  return out;
}

bool uneven(const PreparedMemory& p, const Layout& l) { return p.mixed_layers || layers(p) % l.pp != 0 || l.split == ModelSplit::layer; }

void reserve_stages(PreparedMemory& p) {
  const std::size_t most = p.prefix.size() + 1;  // core/layout/rules: embedding and head may take a stage each
  p.stages.sums.reserve(most);
  p.stages.known.reserve(most);
}

const Sums& stage_sums(const PreparedMemory& p, const Layout& l, std::int32_t stage) {
  StageCache& cache = p.stages;
  const auto at = static_cast<std::size_t>(stage), stages = static_cast<std::size_t>(l.pp);
  if (cache.pp != l.pp || cache.split != l.split) {
    cache.pp = l.pp;
    cache.split = l.split;
    cache.sums.resize(std::max(cache.sums.size(), stages));
    cache.known.assign(stages, 0);
  }
  if (!cache.known[at]) {
    cache.sums[at] = sums_of(p, l, stage);
    cache.known[at] = 1;
  }
  return cache.sums[at];
}

Ranks ranks_of(const PreparedMemory& p, const Layout& l) {
  const double tp = l.tp, experts = l.ep < l.tp ? l.tp : l.ep;
  Ranks out;
  out.divisor = {1.0, tp, p.kv_heads[0] < tp ? p.kv_heads[0] : tp, p.kv_heads[1] < tp ? p.kv_heads[1] : tp, experts};
  out.dense_group = static_cast<double>(l.dp) * l.cp;
  const double all = out.dense_group * tp;
  out.expert_group = all > experts ? all / experts : 1.0;
  if (l.shard_group > 0) {
    out.dense_group = std::min(out.dense_group, static_cast<double>(l.shard_group));
    out.expert_group = std::min(out.expert_group, static_cast<double>(l.shard_group));
  }
  return out;
}

double in_flight(const Layout& l, std::int32_t stage, double micro_batches) {
  if (l.pp == 1 || l.split == ModelSplit::layer) return 1.0;
  const double p = l.pp, v = l.virtual_stages, i = stage;
  const double most = v > 1.0 ? (2.0 * (p - i - 1.0) + (v - 1.0) * p + 1.0) / v : p - i;
  return most < micro_batches ? most : micro_batches;
}

}  // namespace gpuplan::memory
