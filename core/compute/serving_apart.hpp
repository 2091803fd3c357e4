#pragma once
/// Prompts and answers on engines of their own (disaggregated serving) [M-time-apart].
#include "core/compute/serving_load.hpp"

namespace gpuplan {

/// Engines of one layout: some compute prompts and pass the cache on, the others generate.
struct EnginePools {
  double prompts = 1.0, answers = 1.0;
};

/// Fills first token, time per token, requests per second and total; `load` gets the sequences that an answering engine runs.
/// `t.prefill` is one prompt alone.
void serve_apart(Time& t, EnginePools, const Job&, const PreparedServing&, const PassPlace&, const Layout&, Load& load);

}  // namespace gpuplan
