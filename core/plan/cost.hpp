#pragma once
/// What a layout costs [M-cost]: price × time, per million tokens when serving, per run when training.
#include <string>

#include "core/compute/time.hpp"
#include "core/layout/job.hpp"

namespace gpuplan {

struct Cost {
  bool known = false;                   ///< false: the offer has no price; such an offer never wins on price
  double usd_per_hour = 0.0;            ///< all nodes
  double usd_per_million_tokens = 0.0;  ///< generated tokens (serving) or trained tokens
  double total_usd = 0.0;               ///< the run (training) with the storage of its checkpoints, or one request (serving)
  double storage_usd = 0.0;             ///< of the run's checkpoints; part of total_usd
  double gpu_hours = 0.0;               ///< of the run; 0 when serving
};

/// `usd_per_node_hour` 0 = unknown.
Cost estimate_cost(const Job&, const Machine&, const Time&, double usd_per_node_hour);

}  // namespace gpuplan
