#include <nlohmann/json.hpp>

#include "core/api/operations.hpp"
#include "core/api/write_answer.hpp"
#include "core/json/text.hpp"
#include "core/plan/rank.hpp"
#include "core/plan/sensitivity.hpp"
#include "core/plan/technique.hpp"
#include "core/scenario/link.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;
using Counts = std::vector<std::int64_t>;

constexpr std::size_t most_steps = 12;

/// A list of whole numbers of the request, or the default when absent.
Result<Counts> read_counts(const json& request, const char* key, const Counts& fallback, double highest) {
  if (!request.contains(key)) return fallback;
  const json& list = request[key];
  Counts out;
  for (std::size_t i = 0; list.is_array() && i < list.size() && i < most_steps; ++i) {
    const double v = list[i].is_number() ? list[i].get<double>() : 0.0;
    if (v >= 1.0 && v <= highest && static_cast<double>(static_cast<std::int64_t>(v)) == v) out.push_back(static_cast<std::int64_t>(v));
  }
  if (list.is_array() && !list.empty() && list.size() == out.size()) return out;
  return Problem{child("", key), ProblemCode::out_of_range,
                 child("", key) + " must list 1 to " + std::to_string(most_steps) + " whole numbers from 1 to " + number_text(highest) + ".", {}};
}

const Offer& offer_of(const SensitivityCell& c) { return c.search->offers[static_cast<std::size_t>(c.option.offer)]; }

/// What binds a cell that does not fit: the limit's name as in nearest_misses.
std::string limit_of(const SensitivityCell& c) {
  const BrokenLimit b = c.option.memory.fits ? broken_limit(c.option, c.scenario.policy) : BrokenLimit{"memory"};
  return b.limit;
}

json write_cell(const SensitivityCell& c) {
  json out = {{"fits", c.fits}, {"nodes", c.nodes}};
  if (c.context > 0) out["context"] = c.context;
  if (c.concurrency > 0) out["concurrency"] = c.concurrency;
  if (!c.possible) {
    out["limit"] = c.problem.pointer;
    out["message"] = c.problem.message;
    return out;
  }
  out["gpus"] = c.option.machine.gpus().n;
  out["technique"] = technique(c.option.candidate->job, c.option.layout);
  out["layout"] = write_layout(c.option.layout);
  out["free_fraction"] = 1.0 - c.option.memory.used / c.option.memory.usable;
  if (!c.fits) {
    out["limit"] = limit_of(c);
    return out;
  }
  out["time"] = write_time(c.option.time);
  out["throughput"] = write_throughput(c.option.time, c.option.machine);
  out["cost"] = write_cost(c.option.cost, offer_of(c));
  out["link"] = encode_link(c.scenario);
  return out;
}

json write_all(const std::vector<SensitivityCell>& cells, bool with_efficiency) {
  json out = json::array();
  for (const SensitivityCell& c : cells) {
    out.push_back(write_cell(c));
    if (with_efficiency && c.fits) out.back()["efficiency"] = c.efficiency;
  }
  return out;
}

}  // namespace

Answer sensitivity_op(const Context& c, const json& request) {
  auto parts = read_parts(request, true);
  if (!parts) return parts.problem();
  const Scenario& s = parts->scenario;
  if (!s.hardware.named()) return Problem{"/hardware", ProblemCode::missing_field, "/hardware must name the machine: gpu, gpu_spec, profile or instance.", {}};
  const auto contexts = read_counts(request, "contexts", {2048, 8192, 32768, 131072}, 1e8);
  const auto concurrencies = read_counts(request, "concurrencies", {1, 4, 16, 64, 256}, 1e6);
  const auto nodes = read_counts(request, "nodes", {1, 2, 4, 8, 16, 32}, 65536);
  for (const auto* list : {&contexts, &concurrencies, &nodes}) {
    if (!*list) return list->problem();
  }
  auto model = resolve_model(c.knowledge, s);
  if (!model) return model.problem();
  json grid = write_all(length_grid(c.knowledge, s, parts->now, *contexts, *concurrencies), false);
  json row = write_all(node_row(c.knowledge, s, parts->now, *nodes), true);
  return json{{"grid", {{"contexts", *contexts}, {"concurrencies", is_training(s.task) ? json::array() : json(*concurrencies)}, {"cells", std::move(grid)}}}, {"nodes", std::move(row)}};
}

}  // namespace gpuplan
