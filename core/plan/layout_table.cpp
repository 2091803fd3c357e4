#include "core/plan/layout_table.hpp"

namespace gpuplan {

LayoutTable::LayoutTable(const Candidate& c, const Machine& machine, const LayoutWish& wish) : candidate_(c), steps_(ladder(c.job, wish)) {
  for_each_degrees(c.job, machine, wish, [&](const Layout& degrees) {
    for (const Layout& l : gpuplan::families(c.job, wish, degrees)) {
      ++looked_at_;
      const Refusal why = check_layout(c.job, machine, l);
      if (why == Refusal::none) families_.push_back(l);
      else ++refused_[static_cast<std::size_t>(why)];
    }
  });
  if (!is_training(c.job.task)) return;
  needs_.resize(families_.size() * rungs());
  known_.resize(needs_.size());
}

const MemoryNeed& LayoutTable::need(std::size_t family, std::size_t offload, std::size_t recompute) {
  const std::size_t i = (family * steps_.offload.count + offload) * steps_.recompute.count + recompute;
  if (!known_[i]) {
    Layout l = families_[family];
    l.offload = steps_.offload.values[offload];
    l.recompute = steps_.recompute.values[recompute];
    needs_[i] = training_need(candidate_.job, *candidate_.memory, l);
    known_[i] = true;
  }
  return needs_[i];
}

LayoutTable& LayoutTables::of(const Candidate& c, const Machine& m, const LayoutWish& wish) {
  const bool network = m.nodes.n <= 1 || m.scale_out_per_node_each_way.value > 0.0;
  return tables_.try_emplace({&c, m.gpus().n, m.gpus_per_node.n, m.scale_up_domain.n, network}, c, m, wish).first->second;
}

}  // namespace gpuplan
