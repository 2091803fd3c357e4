#include "core/plan/sensitivity.hpp"

#include <algorithm>

#include "core/plan/estimate.hpp"

namespace gpuplan {
namespace {

SensitivityCell cell_of(const Knowledge& k, const Scenario& s, const std::string& now) {
  SensitivityCell cell;
  const bool training = is_training(s.task);
  cell.scenario = s;
  cell.context = training ? s.workload.sequence : s.workload.context;
  cell.concurrency = training ? 0 : s.workload.concurrency;
  auto found = search(k, s, now, Fit::just_fits);
  if (!found) {
    cell.problem = found.problem();
    return cell;
  }
  const auto owned = std::make_shared<Search>(*std::move(found));
  cell.search = owned;
  cell.possible = !owned->options.empty() || !owned->near_misses.empty();
  cell.fits = !owned->options.empty();
  if (!cell.possible) {
    cell.problem = nothing_possible(s, *owned);
    return cell;
  }
  cell.option = cell.fits ? owned->options.front() : owned->near_misses.front();
  cell.nodes = cell.option.machine.nodes.n;
  return cell;
}

/// A request as long as the context: a shorter one would say little about it. The answer keeps its length up to a quarter.
void fill_context(std::int64_t context, Workload& w) {
  w.context = context;
  w.output_tokens = std::min(w.output_tokens, std::max<std::int64_t>(1, context / 4));
  w.input_tokens = context - w.output_tokens;
}

double per_gpu(const Option& o) { return o.time.tokens_per_s.value / static_cast<double>(o.machine.gpus().n); }

}  // namespace

std::vector<SensitivityCell> length_grid(const Knowledge& k, const Scenario& scenario, const std::string& now, const std::vector<std::int64_t>& contexts,
                                         const std::vector<std::int64_t>& concurrencies) {
  std::vector<SensitivityCell> out;
  const bool training = is_training(scenario.task);
  for (const std::int64_t context : contexts) {
    Scenario s = scenario;
    if (training) s.workload.sequence = context;
    else fill_context(context, s.workload);
    for (const std::int64_t concurrency : concurrencies) {
      if (!training) s.workload.concurrency = concurrency;
      out.push_back(cell_of(k, s, now));
      if (training) break;
    }
  }
  return out;
}

std::vector<SensitivityCell> node_row(const Knowledge& k, const Scenario& scenario, const std::string& now, const std::vector<std::int64_t>& nodes) {
  std::vector<SensitivityCell> out;
  const SensitivityCell* least = nullptr;
  for (const std::int64_t n : nodes) {
    Scenario s = scenario;
    s.hardware.nodes = n;
    out.push_back(cell_of(k, s, now));
    out.back().nodes = n;
  }
  for (const SensitivityCell& c : out) {
    if (c.fits && (!least || c.nodes < least->nodes)) least = &c;
  }
  for (SensitivityCell& c : out) {
    if (c.fits) c.efficiency = per_gpu(c.option) / per_gpu(least->option);
  }
  return out;
}

}  // namespace gpuplan
