#include "core/scenario/fitted_workload.hpp"

#include <algorithm>

namespace gpuplan {
namespace {

void shorten(std::int64_t& length, std::int64_t default_length, std::int64_t limit) {
  if (limit > 0 && length == default_length) length = std::min(length, limit);
}

/// A request must fit the context: the default part of it gives way.
void fit_request(Workload& w, const Workload& defaults) {
  if (w.input_tokens + w.output_tokens <= w.context) return;
  if (w.output_tokens == defaults.output_tokens && w.output_tokens >= w.context) w.output_tokens = w.context / 2;
  if (w.input_tokens == defaults.input_tokens) w.input_tokens = std::max<std::int64_t>(0, w.context - w.output_tokens);
  else if (w.output_tokens == defaults.output_tokens) w.output_tokens = std::max<std::int64_t>(0, w.context - w.input_tokens);
}

/// A spot machine is taken back now and then: nobody publishes how often a GPU node is, so one a day is assumed [M-cost].
constexpr double spot_hours_between_interruptions = 24.0;

}  // namespace

Workload fitted_workload(const Scenario& s, const Architecture& a) {
  const Workload defaults;
  Workload w = s.workload;
  shorten(w.context, defaults.context, a.learned_positions);
  shorten(w.sequence, defaults.sequence, a.learned_positions);
  if (is_training(s.task) && s.policy.pricing == Pricing::spot && !w.node_mtbf_hours) w.node_mtbf_hours = spot_hours_between_interruptions;
  if (s.task == Task::inference) fit_request(w, defaults);
  return w;
}

}  // namespace gpuplan
