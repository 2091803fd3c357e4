#pragma once
/// The measurements of one family each, in the order of --list; all_measurements() joins them.
#include <vector>

#include "native/probe/context.hpp"

namespace gpuplan::probe {

std::vector<MeasurementSpec> memory_measurements();
std::vector<MeasurementSpec> gemm_measurements();
std::vector<MeasurementSpec> attention_measurements();
std::vector<MeasurementSpec> launch_measurements();
std::vector<MeasurementSpec> host_measurements();
std::vector<MeasurementSpec> peer_measurements();
std::vector<MeasurementSpec> collective_measurements();
std::vector<MeasurementSpec> all_measurements();

}  // namespace gpuplan::probe
