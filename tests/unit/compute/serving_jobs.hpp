#pragma once
/// Serving jobs that the tests of serving share.
#include "core/compute/serving.hpp"
#include "core/memory/memory.hpp"
#include "tests/unit/compute/training_machines.hpp"

namespace gpuplan::testing {

inline Job serving(std::string_view model_id, std::string_view engine, WeightFormat weights = WeightFormat::bf16) {
  Job job;
  job.model = &model(model_id);
  job.software = &software(engine);
  job.software_version = job.software->versions.back();
  job.task = Task::inference;
  job.weights = weights;
  job.calibration = &shipped().knowledge.calibration;
  job.workload.input_tokens = 1024;
  job.workload.output_tokens = 256;
  job.workload.concurrency = 16;
  return job;
}

/// Room for so many bytes of cache on each GPU.
inline Memory room(double bytes) {
  Memory m;
  m.kv.capacity = Bytes{bytes};
  return m;
}

inline Layout tensor_parallel(std::int32_t tp) {
  Layout l;
  l.tp = tp;
  return l;
}

inline Time serve(const Job& job, const Machine& m, const Layout& l, const Memory& memory = room(1e12), Explanation* why = nullptr) {
  const PreparedServing prepared = prepare_serving(job);
  return estimate_serving_time(job, prepared, m, l, memory, why);
}

}  // namespace gpuplan::testing
