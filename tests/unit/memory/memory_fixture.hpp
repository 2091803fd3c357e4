#pragma once
/// Jobs and machines that the tests of memory share.
#include <string>

#include "core/memory/memory.hpp"
#include "tests/unit/compute/training_machines.hpp"

namespace gpuplan::testing {

/// A job with the shipped coefficients: the model and software by id, everything else at the scenario's defaults.
inline Job job_for(const std::string& model_id, const std::string& software_id, Task task) {
  Job job;
  job.model = &model(model_id);
  job.software = &software(software_id);
  job.software_version = job.software->versions.empty() ? "" : job.software->versions.back();
  job.task = task;
  job.calibration = &shipped().knowledge.calibration;
  if (task == Task::qlora) job.weights = WeightFormat::nf4;
  return job;
}

inline Machine machine_of(const std::string& gpu_id, std::int64_t per_node, std::int64_t nodes = 1) {
  Machine m = cluster(gpu(gpu_id), nodes, 400.0);
  m.gpus_per_node = Gpus{per_node};
  return m;
}

inline Memory memory_of(const Job& job, const Machine& machine, const Layout& layout, Explanation* why = nullptr) {
  const PreparedMemoryPtr prepared = prepare_memory(job);
  return estimate_memory(job, *prepared, machine, layout, why);
}

inline Layout degrees(std::int32_t tp, std::int32_t pp, std::int32_t dp, int zero = 0) {
  Layout l;
  l.tp = tp, l.pp = pp, l.dp = dp, l.zero = static_cast<std::int8_t>(zero);
  return l;
}

}  // namespace gpuplan::testing
