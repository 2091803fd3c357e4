#pragma once
/// The messages of a training step by parallelism, and what of them hides behind which compute [M-comm-traffic].
#include "core/comm/collectives.hpp"
#include "core/compute/training_layer.hpp"

namespace gpuplan {

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

/// Exposed seconds of tensor, context and expert parallelism in the layers of `work`, forward and backward, when nothing is recomputed.
double layer_messages(const PreparedTraining&, const TrainingPlace&, const Fabric&, const StageWork& work, const Layout&);
/// Exposed seconds per micro-batch and direction that pipeline stages take to hand activations on.
double stage_handover(const PreparedTraining&, const TrainingPlace&, const Fabric&, const Layout&);

/// Lists every message in `time` and returns what stays exposed on this rank.
CommTime training_messages(const PreparedTraining&, const TrainingPlace&, const Fabric&, const StageWork&, const StepShape&, Time& time);

/// Time of a message that does not hide behind `compute`; hidden messages still take their kernels' share of it.
double exposed_time(double message, double compute, double contention);

}  // namespace gpuplan
