#pragma once
/// The messages of a training step by parallelism, and what of them hides behind which compute [M-comm-traffic].
#include "core/comm/collectives.hpp"
#include "core/compute/training_layer.hpp"

namespace gpuplan {

/// What one rank holds and computes per micro-batch: the part of its pipeline stage.
struct StageWork {
  PassTimes times;                 ///< layers (and head) of the stage
  KernelTime recompute, dequantize;
  double layers = 0.0;             ///< of the stage
  double reductions = 0.0;         ///< tensor-parallel sums per forward pass
  double expert_layers = 0.0, experts_per_token = 0.0;
  double kv_bytes = 0.0;           ///< keys and values of the rank's tokens, all layers of the stage, one direction
  double attention_layers = 0.0;
  double dense_elements = 0.0, expert_elements = 0.0, adapter_elements = 0.0;
  double stored_bytes = 2.0;       ///< per element when gathered

  /// The same for n layers as for this one.
  friend StageWork operator*(StageWork w, double n);
};

struct StepShape {
  const Layout* layout = nullptr;
  double micro_batches = 1.0;      ///< per optimizer step
  bool recompute_forward = false;  ///< full recomputation: the forward pass and its messages run again
};

/// Exposed time per micro-batch and once per step.
struct CommTime {
  double forward = 0.0, backward = 0.0;  ///< s per micro-batch
  double step = 0.0;                     ///< s once per optimizer step
  double behind_forward = 0.0, behind_backward = 0.0;  ///< s of messages per micro-batch that share these passes' compute to hide behind
};

/// Lists every message in `time` and returns what stays exposed on this rank.
CommTime training_messages(const PreparedTraining&, const TrainingPlace&, const Fabric&, const StageWork&, const StepShape&, Time& time);

/// Time of a message that does not hide behind `compute`; hidden messages still take their kernels' share of it.
double exposed_time(double message, double compute, double contention);

}  // namespace gpuplan
