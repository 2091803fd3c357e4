#pragma once
/// What is read once per job before layouts are timed: one of the two halves, by task.
#include <memory>

#include "core/compute/serving.hpp"

namespace gpuplan {

struct PreparedTime {
  std::unique_ptr<PreparedServing> serving;
};

}  // namespace gpuplan
