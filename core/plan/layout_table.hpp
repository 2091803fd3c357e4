#pragma once
/// The layouts of one job on so many GPUs that pass the rules: what machines of different GPUs, memory, links and prices share [M-search].
#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "core/layout/enumerate.hpp"
#include "core/layout/rules.hpp"
#include "core/plan/candidates.hpp"

namespace gpuplan {

/// Each layout stands for a family: its ladder of recompute and offload is still to climb.
class LayoutTable {
 public:
  LayoutTable(const Candidate&, const Machine&, const LayoutWish&);

  const Ladder& steps() const { return steps_; }
  std::size_t rungs() const { return steps_.recompute.count * steps_.offload.count; }
  const std::vector<Layout>& families() const { return families_; }
  std::int64_t families_looked_at() const { return looked_at_; }
  /// Families refused, by Refusal.
  const std::array<std::int64_t, refusal_count>& refused() const { return refused_; }

  /// What a rung of a training layout needs, estimated when first asked for.
  const MemoryNeed& need(std::size_t family, std::size_t offload, std::size_t recompute);

 private:
  const Candidate& candidate_;
  Ladder steps_;
  std::vector<Layout> families_;
  std::vector<MemoryNeed> needs_;  ///< family × offload × recompute
  std::vector<bool> known_;
  std::int64_t looked_at_ = 0;
  std::array<std::int64_t, refusal_count> refused_{};
};

/// One table for each set of facts that enumeration and rules read of a machine: GPUs, those of a node and of a scale-up domain, a network or none.
class LayoutTables {
 public:
  LayoutTable& of(const Candidate&, const Machine&, const LayoutWish&);

 private:
  std::map<std::tuple<const Candidate*, std::int64_t, std::int64_t, std::int64_t, bool>, LayoutTable> tables_;
};

}  // namespace gpuplan
