#pragma once
/// One machine and layout with its estimate, and what a search counted.
#include <array>
#include <cstdint>

#include "core/layout/rules.hpp"
#include "core/plan/candidates.hpp"
#include "core/plan/cost.hpp"

namespace gpuplan {

struct Option {
  int offer = -1;                        ///< index into Search::offers
  const Candidate* candidate = nullptr;  ///< owned by Search::candidates
  Machine machine;                       ///< with the node count
  Layout layout;
  Memory memory;
  Time time;
  Cost cost;
  bool pareto = false;
};

struct SearchStatistics {
  std::int64_t candidates = 0;  ///< layouts that the wishes leave open
  std::int64_t refused = 0;     ///< by a rule of model, software or GPU
  std::int64_t pruned = 0;      ///< not estimated in full: no room, or a cheaper rung of the ladder already fits
  std::int64_t evaluated = 0;   ///< memory and time estimated in full
  std::int64_t memory_only = 0; ///< memory estimated, and found too large
  std::int64_t machines = 0;    ///< kinds of machine whose GPU can run the job at all
  std::array<std::int64_t, refusal_count> refusals{};  ///< by Refusal
};

}  // namespace gpuplan
