#pragma once
/// Compute time of one micro-batch through one layer kind or the head, forward and backward, on one rank [M-step-layer].
#include "core/compute/training_prepared.hpp"
#include "core/layout/layout.hpp"

namespace gpuplan {

/// What one rank works on.
struct TrainingPlace {
  Rates rates;
  const TrainingCoefficients* coefficients = nullptr;  ///< of this generation
  Kernel products = Kernel::half;  ///< of the layers' matrices
  double element = 2.0;            ///< bytes of an activation
  double throttle = 1.0;           ///< time of a product ÷ that without a power limit
  double tp = 1.0, cp = 1.0, ep = 1.0, expert_tp = 1.0;
  double tokens = 0.0;             ///< of one micro-batch on one rank
  double sequences = 1.0;          ///< of one micro-batch
  bool sequence_parallel = false, gathers = false;  ///< gathers: parameters arrive layer by layer (ZeRO-3 without a pipeline)
};
TrainingPlace place_training(const PreparedTraining&, const Machine&, const Layout&);

/// Times of one micro-batch; `host` is what the host needs to launch it, at least.
struct PassTimes {
  KernelTime forward, backward, attention;  ///< attention: the part of `forward` that selective recomputation repeats
  KernelTime weights;                       ///< the part of `backward` that weight gradients take
  double launches = 0.0;
  double host = 0.0;  ///< s of host time per pass beside launches
  PassTimes& operator+=(const PassTimes&);
  friend PassTimes operator*(PassTimes, double n);
};
PassTimes layer_times(const PreparedTraining&, const TrainingPlace&, const TrainedLayer&);
/// Classic models: convolutions at the matrix rate, and their outputs through memory again and again (normalisation, activation, gradients) [M-step-items].
PassTimes item_times(const PreparedTraining&, const TrainingPlace&);
/// Head product and loss; the whole of a classic model.
PassTimes head_times(const PreparedTraining&, const TrainingPlace&);
/// Expanding the frozen base of one layer to 16 bits, once per pass.
KernelTime dequantize_time(const PreparedTraining&, const TrainingPlace&, const TrainedLayer&);

}  // namespace gpuplan
