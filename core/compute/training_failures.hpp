#pragma once
/// Checkpoints and failures: how often to save, and what is left of the time [M-step-failures].
#include "core/counts.hpp"
#include "core/units.hpp"

namespace gpuplan {

struct Reliability {
  Seconds between_failures_per_node{0.0};  ///< mean; 0 = nothing fails
  Seconds restart{300.0};                  ///< from failure to the first step
};

struct CheckpointPlan {
  Seconds write;      ///< of one checkpoint, training stands still
  Seconds interval;   ///< of work between two checkpoints
  double goodput = 1.0;  ///< share of time that advances training
};

/// Bytes of a checkpoint: weights, master weights and moments of what trains (a frozen base is on disk already).
Bytes checkpoint_bytes(double trained_elements, double weight_bytes, double master_bytes, double moment_bytes_in_all);

/// Best interval by Young (1974) and Daly (2006), first order: sqrt(2 · write · M) − write, at least `write`.
CheckpointPlan plan_checkpoints(Bytes checkpoint, BytesPerSecond storage, Nodes nodes, const Reliability&);

}  // namespace gpuplan
