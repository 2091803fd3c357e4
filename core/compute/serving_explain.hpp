#pragma once
/// The why of a serving time: its parts with their formulas and inputs.
#include "core/compute/pass.hpp"
#include "core/explain.hpp"

namespace gpuplan {

/// Adds one term per part of a step and per rate; sources are sections of METHOD.md.
void explain_serving(Explanation&, const Job&, const PassPlace&, const Time&, const PassTime& decode);

}  // namespace gpuplan
