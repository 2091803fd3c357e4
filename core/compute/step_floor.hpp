#pragma once
/// The least time that a training step can take with given degrees, known without memory, ZeRO stage, recomputation or offload: what the search
/// leaves out by [M-search].
#include "core/compute/time.hpp"

namespace gpuplan {

/// Never above estimate_time(...).step for any recompute, offload and ZeRO stage below 3 or from 3 on (as the layout's) of these tp, pp, dp, cp and ep; 0 when serving.
///
/// Exact arithmetic: micro-batches × (what the slowest stage computes forward and backward, the host's launches where they take longer, and the
/// messages of tensor, context, expert and pipeline parallelism) + the bubble of such micro-batches, less the weight gradients that a zero-bubble
/// schedule moves. Recomputation, the gradients of data parallelism, updates, rollouts and offload only add.
Seconds step_floor(const Job&, const PreparedTime&, const Machine&, const Layout&);

}  // namespace gpuplan
