#include "core/memory/memory.hpp"

#include "core/memory/explain_memory.hpp"
#include "core/memory/prepared.hpp"
#include "core/memory/reserve.hpp"
#include "core/memory/serving.hpp"
#include "core/memory/stages.hpp"
#include "core/memory/training.hpp"

namespace gpuplan {
namespace {

using namespace memory;

/// Calls `look` for each stage that can be the worst.
template <class Look>
void each_stage(const PreparedMemory& p, const Layout& l, Look look) {
  if (uneven(p, l)) {
    for (std::int32_t i = 0; i < l.pp; ++i) look(i);
  } else {
    look(0);
    if (l.pp > 2) look(1);
    if (l.pp > 1) look(l.pp - 1);
  }
}

double ranks_per_node(const Machine& m, const Layout& l) {
  const double all = static_cast<double>(l.gpus()), node = static_cast<double>(m.gpus_per_node.n);
  return all < node ? all : node;
}

/// A caching allocator gives back what it only holds in reserve before it fails: fragmentation fills free memory, it does not add to need.
Bytes fragmentation_within(Bytes total, Bytes fragmentation, Bytes usable) {
  const Bytes needed = total - fragmentation;
  return needed <= usable ? min(fragmentation, usable - needed) : fragmentation;
}

bool host_is_short(Bytes host, const Machine& machine) { return machine.host_memory.value > 0.0 && host > machine.host_memory; }

/// Where host and GPU share one memory, what is on either fills it.
bool shared_is_short(const Memory& m, const Machine& machine) {
  return machine.gpu && machine.gpu->unified_memory && m.used + m.host > machine.gpu->memory_advertised;
}

void finish(Memory& out, const Coefficients& c, const Machine& machine, Bytes usable) {
  out.usable = usable;
  out.parts.fragmentation = fragmentation_within(out.parts.total(), out.parts.fragmentation, out.usable);
  out.used = out.parts.total();
  out.host_short = host_is_short(out.host, machine) || shared_is_short(out, machine);
  out.used_low = out.used * c.used_low;
  out.used_high = out.used * c.used_high;
  out.tokens_low = out.kv.tokens * c.tokens_low;
  out.tokens_high = out.kv.tokens * c.tokens_high;
}

/// The stage that needs most GPU memory, and the most that any keeps on the host.
struct WorstStage {
  MemoryParts parts;
  std::int32_t stage = 0;
  double host = 0.0;
};
WorstStage worst_stage(const Job& job, const PreparedMemory& p, const Layout& l) {
  WorstStage out;
  each_stage(p, l, [&](std::int32_t stage) {
    const TrainingPeak peak = training_peak(job, p, l, stage);
    out.host = out.host < peak.host ? peak.host : out.host;
    if (stage > 0 && peak.parts.total() <= out.parts.total()) return;
    out.parts = peak.parts;
    out.stage = stage;
  });
  return out;
}

Memory estimate_training(const Job& job, const PreparedMemory& p, const Machine& machine, const Layout& l) {
  Memory out;
  const WorstStage worst = worst_stage(job, p, l);
  out.parts = worst.parts;
  out.worst_stage = worst.stage;
  out.host = Bytes{worst.host * ranks_per_node(machine, l)};
  finish(out, coefficients_for(p, l), machine, machine.memory_usable);
  out.fits = out.used <= out.usable && !out.host_short;
  return out;
}

Memory estimate_serving(const Job& job, const PreparedMemory& p, const Machine& machine, const Layout& l) {
  Memory out;
  double host = 0.0, fullest = -1.0;
  bool holds = true;
  Machine own;
  Bytes usable = machine.memory_usable;
  const EngineSettings settings = engine_settings(job, p, machine, l);
  each_stage(p, l, [&](std::int32_t stage) {
    if (l.unused(stage)) return;
    if (machine.devices) own = device_of(machine, stage);
    const Machine& card = machine.devices ? own : machine;
    const ServingPeak peak = serving_peak(job, p, card, l, settings, stage);
    host += peak.host;
    const bool context_fits = peak.kv.max_concurrency >= 1.0 || peak.needed <= 0.0;
    holds = holds && context_fits && peak.pool >= 0.0;
    if (fullest < 0.0 || peak.kv.tokens < out.kv.tokens) out.kv = peak.kv;  // the rank with the fewest blocks decides for all
    const double filled = machine.devices ? peak.parts.total() / card.memory_usable : peak.parts.total().value;
    if (filled <= fullest) return;
    fullest = filled;
    usable = card.memory_usable;
    out.parts = peak.parts;
    out.worst_stage = stage;
  });
  out.host = Bytes{host};
  finish(out, p.coefficient, machine, usable);
  out.fits = out.used <= out.usable && !out.host_short && holds;
  return out;
}

}  // namespace

Memory estimate_memory(const Job& job, const PreparedMemory& p, const Machine& machine, const Layout& layout, Explanation* why) {
  const Layout l = staged(layout);
  const Memory out = p.trains ? estimate_training(job, p, machine, l) : estimate_serving(job, p, machine, l);
  if (why) explain_memory(*why, job, p, machine, l, out);
  return out;
}

MemoryNeed training_need(const Job& job, const PreparedMemory& p, const Layout& layout) {
  WorstStage worst = worst_stage(job, p, staged(layout));
  MemoryNeed out;
  out.fragmentation = worst.parts.fragmentation;
  worst.parts.fragmentation = Bytes{};
  out.fixed = worst.parts.total();
  out.host = Bytes{worst.host};
  return out;
}

MemoryUse memory_use(const MemoryNeed& need, const Machine& machine, const Layout& layout) {
  MemoryUse out;
  out.host = need.host * ranks_per_node(machine, layout);
  out.used = need.fixed + fragmentation_within(need.fixed + need.fragmentation, need.fragmentation, machine.memory_usable);
  out.fits = out.used <= machine.memory_usable && !host_is_short(out.host, machine);
  return out;
}

Bytes memory_lower_bound(const Job& job, const PreparedMemory& p, const Machine& machine, const Layout& layout) {
  const Layout l = staged(layout);
  const Ranks r = ranks_of(p, l);
  const Sums all = p.prefix.back() + p.first + p.last;
  const double stages = l.pp;
  const Bytes context{context_bytes(p)};
  const bool leaves_gpu = p.engine->embedding_on_host || job.workload.gpu_layers.has_value();
  if (!p.trains) return context + Bytes{leaves_gpu ? 0.0 : share(all, weights_at, r) / stages};
  if (job.software && job.software->offload) return context;
  Ranks most = r;
  const double replicas = static_cast<double>(machine.gpus().n) / (static_cast<double>(l.tp) * l.pp);
  if (job.software && job.software->max_zero >= 3 && replicas > 1.0) most.dense_group = most.expert_group = replicas * l.tp;
  else most.dense_group = most.expert_group = 1.0;
  return context + Bytes{sharded(all, weights_at, most) / stages};
}

}  // namespace gpuplan
