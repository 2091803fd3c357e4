#pragma once
/// What is read once per job before layouts are timed: one of the two halves, by task.
#include <memory>

#include "core/compute/serving.hpp"
#include "core/compute/training_prepared.hpp"

namespace gpuplan {

struct PreparedTime {
  std::unique_ptr<PreparedServing> serving;
  std::unique_ptr<PreparedTraining> training;
};

}  // namespace gpuplan
