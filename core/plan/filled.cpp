#include "core/plan/estimate.hpp"

namespace gpuplan {
namespace {

void fill_hardware(const Knowledge& k, const Search& search, const Option& o, Hardware& h) {
  const Offer& offer = search.offers[static_cast<std::size_t>(o.offer)];
  h.nodes = o.machine.nodes.n;
  if (offer.instance >= 0) {
    h.instance = k.catalog.instances[static_cast<std::size_t>(offer.instance)].id;
    h.gpu.reset();
    return;
  }
  if (!h.gpus.empty()) {
    h.nodes.reset();
    return;
  }
  h.gpus_per_node = o.machine.gpus_per_node.n;
  if (!offer.held) h.gpu = o.machine.gpu->id;
}

void fill_layout(const Layout& l, bool training, LayoutWish& w) {
  w.tp = l.tp;
  w.pp = l.pp;
  w.dp = l.dp;
  w.cp = l.cp;
  w.ep = l.ep;
  w.attention_dp = l.attention_dp;
  w.split = l.split;
  w.sequence_parallel = l.sequence_parallel;
  w.virtual_stages = l.virtual_stages;
  if (!training) return;
  w.zero = l.zero;
  if (l.shard_group > 0) w.shard_group = l.shard_group;
  if (l.zero_bubble) w.zero_bubble = true;
  w.offload = l.offload;
  w.recompute = l.recompute;
}

}  // namespace

Scenario filled(const Knowledge& k, const Scenario& scenario, const Search& search, const Option& o) {
  Scenario s = scenario;
  const Job& job = o.candidate->job;
  if (s.model.custom_kind.empty()) s.model.id = job.model->id;
  s.software = job.software->id;
  s.workload = job.workload;
  if (!job.software_version.empty()) s.software_version = job.software_version;
  s.numerics.weights = job.weights;
  s.numerics.kv_cache = is_training(job.task) ? s.numerics.kv_cache : job.kv_cache;
  s.numerics.activations = job.activations;
  fill_hardware(k, search, o, s.hardware);
  fill_layout(o.layout, is_training(job.task), s.layout);
  // What narrowed the search is answered by the choice itself.
  s.policy.providers.clear();
  s.policy.regions.clear();
  s.policy.provider_classes.clear();
  return s;
}

}  // namespace gpuplan
