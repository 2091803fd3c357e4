#include "core/compute/training_failures.hpp"

#include <algorithm>
#include <cmath>

namespace gpuplan {

Bytes checkpoint_bytes(double trained, double weight_bytes, double master_bytes, double moment_bytes) {
  return Bytes{trained * (weight_bytes + master_bytes + moment_bytes)};
}

CheckpointPlan plan_checkpoints(Bytes checkpoint, BytesPerSecond storage, Nodes nodes, const Reliability& r) {
  CheckpointPlan plan;
  plan.write = storage.value > 0.0 ? checkpoint / storage : Seconds{0.0};
  if (r.between_failures_per_node.value <= 0.0) return plan;
  const double mean = r.between_failures_per_node.value / static_cast<double>(std::max<std::int64_t>(1, nodes.n)), write = plan.write.value;
  plan.interval = Seconds{std::max(write, std::sqrt(2.0 * write * mean) - write)};
  const double period = plan.interval.value + write;
  const double saving = period > 0.0 ? plan.interval.value / period : 1.0;
  plan.goodput = std::max(0.0, saving * (1.0 - (period / 2.0 + r.restart.value) / mean));
  return plan;
}

}  // namespace gpuplan
