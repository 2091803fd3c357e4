#pragma once
/// Serving at a concurrency: batches, time to first token, time per output token, throughput [M-time-serving].
#include "core/compute/pass.hpp"
#include "core/compute/range.hpp"

namespace gpuplan {

/// Everything about serving one job that no layout changes.
struct PreparedServing {
  PassModel pass;
  Flops per_token, per_request;   ///< model operations of one generated token at the mean context, and of a whole request
  ServingRanges ranges;
  bool moe = false;
  double draft_share = 0.0;       ///< cost of one drafted token over the cost of a step
  double misaligned = 0.0;        ///< share of prompt passes that other attention ranks do not use for prompts of their own
  double burst = 0.0;             ///< share of the other requests whose prompts arrive together with one's own
  double reserved_output = 0.5;   ///< share of a request's output that the scheduler holds cache for (1: no eviction; 0.5: as it grows)
  double default_sequences = 0.0; ///< sequences that the engine decodes at once when the scenario does not say
};
PreparedServing prepare_serving(const Job&);

/// Time of serving one layout; no allocation when `why` is null.
Time estimate_serving_time(const Job&, const PreparedServing&, const Machine&, const Layout&, const Memory&, Explanation* why);

}  // namespace gpuplan
