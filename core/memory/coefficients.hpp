#pragma once
/// The named coefficients that a job's rows point at, resolved once.
#include <string>
#include <vector>

#include "core/memory/prepared.hpp"

namespace gpuplan::memory {

/// Values of the names that the job's recipe, engine, device and task need; NaN for a name that assets/calibration/memory.json lacks.
Coefficients resolve_coefficients(const Job&, const PreparedMemory&);
/// The same for the framework's row under ZeRO.
Coefficients resolve_sharded(const Job&, const PreparedMemory&);

/// Every name that this folder may ask for: a unit test holds that each is in the packed calibration.
std::vector<std::string> coefficient_names();

}  // namespace gpuplan::memory
