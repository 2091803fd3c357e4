#include "core/memory/serving.hpp"

#include "core/memory/reserve.hpp"
#include "core/memory/stages.hpp"

namespace gpuplan::memory {
namespace {

/// Layers that the person keeps in host memory: the engine fills the GPU from the last layer down, the head counts as one layer.
/// `own` holds the sums where they are not the whole stage's.
const Sums& on_gpu(const Job& job, const PreparedMemory& p, const Layout& l, std::int32_t stage, double& host, Sums& own) {
  const Sums& whole = stage_sums(p, l, stage);
  const std::int64_t layers = static_cast<std::int64_t>(p.prefix.size()) - 1;
  const bool divided = l.split == ModelSplit::layer && l.pp > 1 && p.gpu_units >= 0;
  if (divided && stage == first_used(l)) host += share(p.prefix[static_cast<std::size_t>(first_on_gpu(p))] + p.last + p.tied, weights_at, Ranks{{1, 1, 1, 1, 1}, 1, 1});
  const bool all_layers = !job.workload.gpu_layers || *job.workload.gpu_layers > layers || l.pp > 1;
  if (all_layers && !(stage == first_used(l) && p.engine->embedding_on_host)) return whole;
  Sums& s = own = whole;
  if (stage == first_used(l) && p.engine->embedding_on_host) {
    host += share(p.first, weights_at, Ranks{{1, 1, 1, 1, 1}, 1, 1});
    s = s - p.first;
    if (l.pp == 1) s = s + p.tied;
  }
  if (all_layers) return s;
  const std::size_t kept_out = static_cast<std::size_t>(layers - *job.workload.gpu_layers);
  const Sums away = p.prefix[kept_out] + p.last + p.tied;  // the head goes to the GPU only with the last layer more
  host += share(away, weights_at, Ranks{{1, 1, 1, 1, 1}, 1, 1});
  return s = s - away;
}

}  // namespace

ServingPeak serving_peak(const Job& job, const PreparedMemory& p, const Machine& machine, const Layout& l, const EngineSettings& settings, std::int32_t stage) {
  ServingPeak out;
  Sums own;
  const Sums& s = on_gpu(job, p, l, stage, out.host, own);
  const Ranks r = ranks_of(p, l);
  out.settings = settings;
  out.step = step_memory(job, p, s, r, l, out.settings);
  const double weights = share(s, weights_at, r), context = context_bytes(p), communication = communicator_bytes(p, l, &machine);
  out.needed = needed_cache(job, p, s, l, out.settings);
  out.pool = pool_bytes(p, machine, out.settings, weights, out.step, context, communication, out.needed);
  out.kv = pool_capacity(job, p, s, l, out.settings, out.pool);
  const double states = s[state_at] / l.tp * out.settings.replica_sequences;
  MemoryParts& m = out.parts;
  m.weights = Bytes{weights};
  m.activations = Bytes{out.step.activations};
  m.logits = Bytes{out.step.logits};
  m.state_cache = Bytes{states < out.needed ? states : out.needed};
  m.kv_cache = Bytes{out.needed} - m.state_cache;
  m.workspace = Bytes{out.step.workspace};
  m.cuda_graphs = Bytes{out.step.graphs};
  m.communication = Bytes{communication};
  m.context = Bytes{context};
  return out;
}

}  // namespace gpuplan::memory
