#include "native/probe/measure/measure.hpp"

namespace gpuplan::probe {

std::vector<MeasurementSpec> all_measurements() {
  std::vector<MeasurementSpec> all;
  for (auto family : {memory_measurements, launch_measurements, gemm_measurements, attention_measurements, host_measurements,
                      peer_measurements, collective_measurements}) {
    for (MeasurementSpec& one : family()) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace gpuplan::probe
