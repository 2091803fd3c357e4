#include "core/plan/cost.hpp"

namespace gpuplan {

namespace {
constexpr double seconds_per_hour = 3600.0;
constexpr double million = 1e6;
}  // namespace

Cost estimate_cost(const Job& job, const Machine& machine, const Time& time, double usd_per_node_hour) {
  Cost c;
  const double hours = time.total.value / seconds_per_hour;
  if (is_training(job.task)) c.gpu_hours = hours * static_cast<double>(machine.gpus().n);
  if (!(usd_per_node_hour > 0.0)) return c;
  c.known = true;
  c.usd_per_hour = usd_per_node_hour * static_cast<double>(machine.nodes.n);
  const double tokens_per_hour = time.tokens_per_s.value * seconds_per_hour;
  if (tokens_per_hour > 0.0) c.usd_per_million_tokens = c.usd_per_hour / tokens_per_hour * million;
  // A request shares the machine with those that run beside it: it pays for its own tokens.
  c.total_usd = is_training(job.task) ? c.usd_per_hour * hours : c.usd_per_million_tokens * static_cast<double>(job.workload.output_tokens) / million;
  return c;
}

}  // namespace gpuplan
