#pragma once
/// Compute time of one micro-batch through one layer kind or the head, forward and backward, on one rank [M-step-layer].
#include "core/compute/training_prepared.hpp"
#include "core/layout/layout.hpp"

namespace gpuplan {

/// The degrees of a layout, and a rank with them on a machine of these rates.
RankDegrees rank_degrees(const PreparedTraining&, const Layout&);
TrainingPlace place_training(const PreparedTraining&, const Rates&, const Gpu&, const RankDegrees&);

PassTimes layer_times(const PreparedTraining&, const TrainingPlace&, const TrainedLayer&);
/// Classic models: convolutions at the matrix rate, and their outputs through memory again and again (normalisation, activation, gradients) [M-step-items].
PassTimes item_times(const PreparedTraining&, const TrainingPlace&);
/// Head product and loss; the whole of a classic model.
PassTimes head_times(const PreparedTraining&, const TrainingPlace&);
/// Expanding the frozen base of one layer to 16 bits, once per pass.
KernelTime dequantize_time(const PreparedTraining&, const TrainingPlace&, const TrainedLayer&);

}  // namespace gpuplan
