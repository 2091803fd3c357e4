#include "core/plan/cost.hpp"

namespace gpuplan {

namespace {
constexpr double seconds_per_hour = 3600.0;
constexpr double million = 1e6;
// The list price of standard object storage at the large clouds, and the newest checkpoint beside the one being written [M-cost].
constexpr double storage_usd_per_gb_month = 0.023, checkpoints_kept = 2.0, hours_per_month = 730.5, gigabyte = 1e9;

double storage_of(const Time& time, double hours) {
  return time.checkpoint.value / gigabyte * checkpoints_kept * storage_usd_per_gb_month * hours / hours_per_month;
}
}  // namespace

Cost estimate_cost(const Job& job, const Machine& machine, const Time& time, double usd_per_node_hour) {
  Cost c;
  const double hours = time.total.value / seconds_per_hour;
  if (is_training(job.task)) c.gpu_hours = hours * static_cast<double>(machine.gpus().n);
  if (!(usd_per_node_hour > 0.0)) return c;
  c.known = true;
  c.usd_per_hour = usd_per_node_hour * static_cast<double>(machine.nodes.n);
  // What failures and checkpoints take from a run is paid for as well.
  const double tokens_per_hour = time.tokens_per_s.value * seconds_per_hour * (is_training(job.task) ? time.goodput : 1.0);
  if (tokens_per_hour > 0.0) c.usd_per_million_tokens = c.usd_per_hour / tokens_per_hour * million;
  if (is_training(job.task)) c.storage_usd = storage_of(time, hours);
  // A request shares the machine with those that run beside it: it pays for its own tokens.
  c.total_usd = is_training(job.task) ? c.usd_per_hour * hours + c.storage_usd : c.usd_per_million_tokens * static_cast<double>(job.workload.output_tokens) / million;
  return c;
}

}  // namespace gpuplan
