#pragma once
/// What both benchmarks time: full evaluations (memory, time, cost) of layouts that are possible, prepared once as the search does.
#include <cstdint>
#include <vector>

#include "core/api/context.hpp"
#include "core/plan/candidates.hpp"

namespace gpuplan::bench {

/// The shipped catalogs, read once.
const Context& context();

/// One possible layout on one machine.
struct Place {
  const Candidate* candidate;
  Machine machine;
  double usd_per_hour;
  Layout layout;
};

class Layouts {
 public:
  /// Every possible layout of a model on every offer of the catalog, one node each.
  Layouts(Task task, const char* model);
  /// The search that calculon documents: a 530B model on so many A100, over degrees, ZeRO, recomputation, offload, micro-batches, interleaving
  /// and sequence parallelism, up to `most` layouts.
  static Layouts classic(std::int64_t gpus, std::size_t most);

  /// Evaluates all of them once; the sum of their prices, so that nothing can be left out.
  double evaluate() const;
  std::int64_t size() const { return static_cast<std::int64_t>(places_.size()); }

 private:
  Layouts() = default;
  Candidates candidates_;
  std::vector<Offer> offers_;
  std::vector<Place> places_;
};

}  // namespace gpuplan::bench
