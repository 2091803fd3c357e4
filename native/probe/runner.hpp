#pragma once
/// Runs the chosen measurements within the budget and leaves a valid profile behind, whatever happens.
#include <functional>
#include <vector>

#include "native/probe/context.hpp"

namespace gpuplan::probe {

/// Called with the share of the whole run that is done (0…1), the running measurement and the seconds that remain by estimate.
using ProgressSink = std::function<void(double done, const std::string& key, double seconds_left)>;

/// Runs `specs` in order on rank `rank` (others than 0 take part in collectives alone). Fills profile.measurements, notes and `complete`.
void run_measurements(Context&, const std::vector<MeasurementSpec>& specs, int rank, const ProgressSink&);

}  // namespace gpuplan::probe
