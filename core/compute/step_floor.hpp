#pragma once
/// The least time that a training step can take with given degrees, known without messages, memory or ZeRO stage: what the search leaves out by [M-search].
#include <vector>

#include "core/compute/time.hpp"

namespace gpuplan {

/// Remembers the products' times of the last GPU, which many layouts and machines share. Borrows the job's prepared time and the GPU.
class StepFloors {
 public:
  /// Never above estimate_time(...).step for any recompute, offload and ZeRO stage of these tp, pp, dp, cp and ep; 0 when serving.
  ///
  /// Exact arithmetic: compute + memory of a step ≥ micro-batches × (forward + backward of the slowest stage), since recomputation,
  /// unpacking, updates, references and rollouts only add; bubble ≥ (stages − 1) ÷ chunks × (those of a middle stage, less the weight
  /// gradients that a zero-bubble schedule moves); messages, host and offload are ≥ 0.
  Seconds of(const Job&, const PreparedTime&, const Machine&, const Layout&);

 private:
  struct Floor {
    double tp, cp, ep, expert_tp;
    Seconds layer, weights, head;  ///< of one micro-batch: a mean layer, the weight gradients in it, and the head
  };
  const Floor& floor_of(const PreparedTime&, const Machine&, const Layout&);

  const PreparedTime* prepared_ = nullptr;
  const Gpu* gpu_ = nullptr;
  const Profile* profile_ = nullptr;
  std::vector<Floor> floors_;
};

}  // namespace gpuplan
