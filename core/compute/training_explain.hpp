#pragma once
/// The terms of a training step's time, for a pocket calculator [M-step].
#include "core/compute/training_comm.hpp"

namespace gpuplan {

void explain_training(const Job&, const PreparedTraining&, const Layout&, const TrainingPlace&, const StageWork&, const StepShape&, const Time&, Explanation& why);

}  // namespace gpuplan
