#pragma once
/// Lengths that the person left at their defaults give way to what the model and the context can hold.
#include "core/scenario/scenario.hpp"

namespace gpuplan {

/// The scenario's workload with default lengths shortened to the model's learned positions and prompts to the context. What the person
/// chose stays as it is.
Workload fitted_workload(const Scenario&, const Architecture&);

}  // namespace gpuplan
