#include "core/memory/stages.hpp"

#include <algorithm>

namespace gpuplan::memory {
namespace {

std::int64_t layers(const PreparedMemory& p) { return static_cast<std::int64_t>(p.prefix.size()) - 1; }

/// First layer of a stage. A layer split counts the head as one more layer, as llama.cpp does; what stays in host memory comes first.
std::int64_t start(const PreparedMemory& p, const Layout& l, std::int64_t stage) {
  const std::int64_t n = layers(p);
  if (l.split == ModelSplit::tensor) return stage * n / l.pp;
  const std::int64_t units = p.gpu_units >= 0 ? p.gpu_units : n + 1;
  std::int64_t at = first_on_gpu(p);
  if (!l.by_device()) at += ceil_div(stage * units, l.pp);
  for (std::int64_t i = 0; l.by_device() && i < stage; ++i) at += l.device_layers[static_cast<std::size_t>(i)];
  return at < n ? at : n;
}

/// The last stage that holds anything: cards may be left out.
std::int32_t last_used(const Layout& l) {
  std::int32_t last = l.pp - 1;
  while (last > 0 && l.unused(last)) --last;
  return last;
}

}  // namespace

std::int32_t first_used(const Layout& l) {
  std::int32_t first = 0;
  while (first + 1 < l.pp && l.unused(first)) ++first;
  return first;
}

namespace {

constexpr std::size_t most_pipelines = 16;  // that are remembered

Sums sums_of(const PreparedMemory& p, const Layout& l, std::int32_t stage) {
  const std::size_t from = static_cast<std::size_t>(start(p, l, stage)), to = static_cast<std::size_t>(start(p, l, stage + 1));
  Sums out = l.pp == 1 ? p.prefix.back() : p.prefix[to] - p.prefix[from];
  if (stage == first_used(l)) out = out + p.first;
  const bool head = stage == last_used(l) && (p.gpu_units < 0 || l.split == ModelSplit::tensor || l.pp == 1);
  if (head) out = out + p.last;
  if (head && l.pp > 1) out = out + p.tied;
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

std::int64_t first_on_gpu(const PreparedMemory& p) { return p.gpu_units >= 0 ? std::max<std::int64_t>(0, layers(p) - p.gpu_units) : 0; }

Machine device_of(const Machine& machine, std::int32_t stage) {
  Machine out = machine;
  if (!machine.devices) return out;
  const Device& d = (*machine.devices)[static_cast<std::size_t>(stage)];
  out.gpu = d.gpu;
  out.memory_usable = d.memory_usable;
  return out;
}

bool uneven(const PreparedMemory& p, const Layout& l) { return p.mixed_layers || layers(p) % l.pp != 0 || l.split == ModelSplit::layer; }

void reserve_stages(PreparedMemory& p) {
  const std::size_t longest = p.prefix.size() + 1;  // core/layout/rules: embedding and head may take a stage each
  p.stages.pipelines.reserve(most_pipelines);
  p.stages.sums.reserve(2 * longest);  // powers of two up to the longest, or the longest and a few short ones
  p.stages.known.reserve(2 * longest);
}

namespace {

/// The pipeline's place in the cache; what is there is forgotten when there is no room, so that nothing is allocated.
const StageCache::Pipeline& pipeline_of(StageCache& cache, const Layout& l) {
  const auto is = [&](const StageCache::Pipeline& one) { return one.pp == l.pp && one.split == l.split && one.device_layers == l.device_layers; };
  if (cache.last < cache.pipelines.size() && is(cache.pipelines[cache.last])) return cache.pipelines[cache.last];
  for (cache.last = 0; cache.last < cache.pipelines.size(); ++cache.last) {
    if (is(cache.pipelines[cache.last])) return cache.pipelines[cache.last];
  }
  const auto stages = static_cast<std::size_t>(l.pp);
  if (cache.pipelines.size() == most_pipelines || cache.sums.size() + stages > cache.sums.capacity()) {
    cache.pipelines.clear();
    cache.sums.clear();
    cache.known.clear();
  }
  cache.last = cache.pipelines.size();
  cache.pipelines.push_back({l.pp, l.split, l.device_layers, cache.sums.size()});
  cache.sums.resize(cache.sums.size() + stages);
  cache.known.resize(cache.sums.size(), 0);
  return cache.pipelines.back();
}

}  // namespace

const Sums& stage_sums(const PreparedMemory& p, const Layout& l, std::int32_t stage) {
  StageCache& cache = p.stages;
  const std::size_t at = pipeline_of(cache, l).first + static_cast<std::size_t>(stage);
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
