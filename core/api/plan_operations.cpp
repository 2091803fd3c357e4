#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "core/api/operations.hpp"
#include "core/api/write_answer.hpp"
#include "core/json/text.hpp"
#include "core/plan/fit.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

constexpr std::size_t most_compared = 16;

json write_fit(const FitRow& row) {
  const Job& job = row.option.candidate->job;
  json out = {{"model", job.model->id},
          {"task", name(job.task)},
          {"fits", row.fits},
          {"software", job.software->id},
          {"numerics", {{"weights", name(job.weights)}, {"kv_cache", name(job.kv_cache)}, {"activations", name(job.activations)}}},
          {"layout", write_layout(row.option.layout)},
          {"max_context", row.max_context},
          {"max_concurrency", row.option.memory.kv.max_concurrency},
          {"throughput", write_throughput(row.option.time, row.option.machine)},
          {"memory", write_memory(row.option.memory)}};
  if (job.workload.gpu_layers) out["gpu_layers"] = *job.workload.gpu_layers;
  return out;
}

/// Leaves of an answer by pointer; explanations, notes and search statistics are not compared.
void leaves(const json& value, const std::string& pointer, std::map<std::string, json>& out) {
  static const std::set<std::string> left_out{"/explain", "/notes", "/search", "/comm", "/link"};
  if (left_out.count(pointer)) return;
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) leaves(inner, child(pointer, key), out);
  } else if (!value.is_array()) {
    out[pointer] = value;
  }
}

/// What a person looks at first comes first.
std::size_t importance(const std::string& pointer) {
  constexpr std::string_view order[] = {"/fits", "/memory/used_bytes", "/throughput/tokens_per_s", "/cost", "/time", "/kv", "/memory", "/throughput", "/flops", "/resolved"};
  for (std::size_t i = 0; i < std::size(order); ++i) {
    if (pointer.compare(0, order[i].size(), order[i]) == 0) return i;
  }
  return std::size(order);
}

json differences(const std::vector<json>& answers) {
  std::vector<std::map<std::string, json>> flat(answers.size());
  std::set<std::string> pointers;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    leaves(answers[i], "", flat[i]);
    for (const auto& [pointer, value] : flat[i]) pointers.insert(pointer);
  }
  std::vector<std::string> ordered(pointers.begin(), pointers.end());
  std::stable_sort(ordered.begin(), ordered.end(), [](const std::string& a, const std::string& b) { return importance(a) < importance(b); });
  json out = json::array();
  for (const std::string& pointer : ordered) {
    json values = json::array();
    bool differ = false;
    for (const auto& leaf : flat) {
      const auto found = leaf.find(pointer);
      values.push_back(found == leaf.end() ? json(nullptr) : found->second);
      differ = differ || values.back() != values.front();
    }
    if (differ) out.push_back({{"pointer", pointer}, {"values", std::move(values)}});
  }
  return out;
}

}  // namespace

Answer fit_op(const Context& c, const json& request) {
  auto parts = read_parts(request, false);
  if (!parts) return parts.problem();
  auto top = read_count(request, "top", 400, 1, 1000);
  if (!top) return top.problem();
  auto rows = fit(c.knowledge, parts->scenario, parts->now, static_cast<std::size_t>(*top));
  if (!rows) return rows.problem();
  json models = json::array();
  for (const FitRow& row : *rows) models.push_back(write_fit(row));
  return json{{"models", std::move(models)}};
}

Answer compare_op(const Context& c, const json& request) {
  if (!request.contains("scenarios") || !request["scenarios"].is_array() || request["scenarios"].size() < 2 || request["scenarios"].size() > most_compared) {
    return Problem{"/scenarios", ProblemCode::out_of_range, "/scenarios must list 2 to " + std::to_string(most_compared) + " scenarios.", {}};
  }
  std::vector<json> answers;
  for (std::size_t i = 0; i < request["scenarios"].size(); ++i) {
    json one = request;
    one.erase("scenarios");
    one["scenario"] = request["scenarios"][i];
    auto answer = estimate_op(c, one);
    if (!answer) {
      Problem p = answer.problem();
      p.pointer = child("/scenarios", std::to_string(i)) + p.pointer;
      p.message = "Scenario " + std::to_string(i + 1) + ": " + p.message;
      return p;
    }
    answers.push_back(*std::move(answer));
  }
  json changed = differences(answers);
  return json{{"scenarios", std::move(answers)}, {"differences", std::move(changed)}};
}

}  // namespace gpuplan
