#include "core/plan/fit.hpp"

#include <algorithm>

namespace gpuplan {
namespace {

bool can_do(const Architecture& a, Task task) {
  const bool language = a.model_class == ModelClass::decoder;
  return language || (task == Task::full_finetune && !a.kinds.empty());
}

/// One model in one format; empty when no layout is possible at all.
std::optional<FitRow> row_of(const Knowledge& k, const Scenario& scenario, const std::string& now) {
  auto found = search(k, scenario, now, Fit::just_fits);
  if (!found || (found->options.empty() && found->near_misses.empty())) return std::nullopt;
  FitRow row;
  const auto owned = std::make_shared<Search>(*std::move(found));
  row.search = owned;
  row.scenario = scenario;
  row.fits = !owned->options.empty();
  row.option = row.fits ? owned->options.front() : owned->near_misses.front();
  row.parameters = count_parameters(*row.option.candidate->job.model).total;
  return row;
}

/// Whether the row's layout still fits when the sequences are `tokens` long.
bool holds(const FitRow& row, std::int64_t tokens) {
  Job job = row.option.candidate->job;
  const bool training = is_training(job.task);
  (training ? job.workload.sequence : job.workload.context) = tokens;
  if (!training) {
    job.workload.output_tokens = std::min(job.workload.output_tokens, tokens);
    job.workload.input_tokens = tokens - job.workload.output_tokens;
  }
  const PreparedMemoryPtr prepared = prepare_memory(job);
  return estimate_memory(job, *prepared, row.option.machine, row.option.layout).fits;
}

/// The longest length that fits, to 1/64 of the model's own limit: bisection, since longer never needs less.
std::int64_t longest(const FitRow& row) {
  constexpr std::int64_t unlimited = 1'048'576, steps = 64;
  const std::int64_t limit = row.option.candidate->job.model->max_context > 0 ? row.option.candidate->job.model->max_context : unlimited;
  const std::int64_t step = std::max<std::int64_t>(1, limit / steps);
  std::int64_t low = 0, high = limit / step;
  while (low < high) {
    const std::int64_t middle = (low + high + 1) / 2;
    if (holds(row, middle * step)) low = middle;
    else high = middle - 1;
  }
  return low * step;
}

/// Where no format fits on the GPUs: llama.cpp keeps as many layers there as fit and the rest in host memory, when that is known.
std::optional<FitRow> beside_host(const Knowledge& k, Scenario s, const std::string& now, const FitRow& closest) {
  const Machine& m = closest.option.machine;
  if (s.task != Task::inference || s.workload.gpu_layers || m.host_memory.value <= 0.0 || (s.software && *s.software != "llama.cpp")) return std::nullopt;
  if (s.numerics.weights && !is_gguf(*s.numerics.weights)) return std::nullopt;
  s.software = "llama.cpp";
  s.software_version.reset();
  if (!s.numerics.weights) s.numerics.weights = WeightFormat::q4_k_m;
  std::optional<FitRow> best;
  std::int64_t low = 0, high = closest.option.candidate->job.model->layer_count();
  while (low <= high) {
    const std::int64_t middle = (low + high) / 2;
    s.workload.gpu_layers = middle;
    auto row = row_of(k, s, now);
    const bool fits = row && row->fits;
    if (fits) best = std::move(row);
    if (fits) low = middle + 1;
    else high = middle - 1;
  }
  return best;
}

std::optional<FitRow> best_format(const Knowledge& k, Scenario s, const std::string& now) {
  std::optional<FitRow> closest;
  const Scenario asked = s;
  const std::vector<WeightFormat> formats = s.numerics.weights ? std::vector<WeightFormat>{*s.numerics.weights} : fit_formats(s.task);
  for (const WeightFormat format : formats) {
    s.numerics.weights = format;
    auto row = row_of(k, s, now);
    if (!row) continue;
    if (row->fits) return row;
    if (!closest || row->option.memory.used < closest->option.memory.used) closest = std::move(row);
  }
  if (!closest) return closest;
  auto split = beside_host(k, asked, now, *closest);
  return split ? split : closest;
}

bool before(const FitRow& a, const FitRow& b) {
  if (a.fits != b.fits) return a.fits;
  if (a.fits && a.parameters != b.parameters) return a.parameters > b.parameters;
  const double x = a.option.memory.used / a.option.memory.usable, y = b.option.memory.used / b.option.memory.usable;
  if (x != y) return x < y;
  return a.scenario.model.id < b.scenario.model.id;
}

}  // namespace

std::vector<WeightFormat> fit_formats(Task task) {
  if (task == Task::qlora) return {WeightFormat::nf4};
  if (is_training(task)) return {WeightFormat::bf16, WeightFormat::fp16};
  return {WeightFormat::bf16, WeightFormat::fp16, WeightFormat::fp8, WeightFormat::awq, WeightFormat::q4_k_m};
}

Result<std::vector<FitRow>> fit(const Knowledge& k, const Scenario& scenario, const std::string& now, std::size_t limit) {
  if (!scenario.hardware.named()) {
    return Problem{"/hardware", ProblemCode::missing_field, "/hardware must name what there is: gpu, gpu_spec or instance.", {}};
  }
  auto offers = resolve_offers(k, scenario, now);
  if (!offers) return offers.problem();
  std::vector<FitRow> rows;
  const bool own = !scenario.model.id.empty() || !scenario.model.custom_kind.empty();
  if (own) {
    auto model = resolve_model(k, scenario);
    if (!model) return model.problem();
    if (auto row = best_format(k, scenario, now)) rows.push_back(*std::move(row));
  }
  for (std::size_t i = 0; !own && i < k.models.all.size(); ++i) {
    if (!can_do(k.models.all[i], scenario.task)) continue;
    Scenario s = scenario;
    s.model.id = k.models.all[i].id;
    if (auto row = best_format(k, s, now)) rows.push_back(*std::move(row));
  }
  std::sort(rows.begin(), rows.end(), before);
  if (rows.size() > limit) rows.resize(limit);
  for (FitRow& row : rows) {
    if (row.fits) row.max_context = longest(row);
  }
  return rows;
}

}  // namespace gpuplan
