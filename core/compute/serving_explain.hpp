#pragma once
/// The why of a serving time: its parts with their formulas and inputs.
#include "core/compute/pass.hpp"
#include "core/explain.hpp"

namespace gpuplan {

/// The rate that model flops utilisation refers to: the dense peak of the type that the job multiplies in.
FlopsPerSecond job_peak(const Job&, const Gpu&);
void explain_serving(Explanation&, const Job&, const PassPlace&, const Time&, const PassTime& decode);

}  // namespace gpuplan
