#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/api/operations.hpp"
#include "core/comm/collectives.hpp"
#include "core/json/text.hpp"
#include "core/scenario/resolve.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

struct Named {
  const char* name;
  CollectiveKind kind;
};
constexpr Named kinds[] = {{"all-reduce", CollectiveKind::all_reduce}, {"all-gather", CollectiveKind::all_gather}, {"reduce-scatter", CollectiveKind::reduce_scatter},
                           {"all-to-all", CollectiveKind::all_to_all}, {"send-recv", CollectiveKind::send_recv}};

Result<CollectiveKind> read_kind(const json& request) {
  auto text = read_text(request, "kind", "all-reduce");
  if (!text) return text.problem();
  for (const Named& k : kinds) {
    if (*text == k.name) return k.kind;
  }
  return Problem{"/kind", ProblemCode::unknown_id, "/kind must be all-reduce, all-gather, reduce-scatter, all-to-all or send-recv, not \"" + excerpt(*text) + "\".", {}};
}

Result<bool> read_flag(const json& request, const char* key) {
  if (!request.contains(key)) return false;
  if (!request[key].is_boolean()) return Problem{child("", key), ProblemCode::wrong_type, child("", key) + " must be true or false, not " + type_name(request[key]) + ".", {}};
  return request[key].get<bool>();
}

/// The cluster of the request's hardware, all of its nodes.
Result<Machine> read_machine(const Context& context, const RequestParts& parts) {
  const Hardware& h = parts.scenario.hardware;
  if (!h.named()) {
    return Problem{"/scenario/hardware", ProblemCode::missing_field, "/scenario/hardware must name a gpu or an instance.", {}};
  }
  auto offers = resolve_offers(context.knowledge, parts.scenario, parts.now);
  if (!offers) return offers.problem();
  if (offers->empty()) return Problem{"/scenario/hardware", ProblemCode::unsupported, "No offer matches /scenario/hardware; leave policy limits out.", {}};
  Machine m = offers->front().machine;
  m.nodes = Nodes{h.nodes.value_or(1)};
  return m;
}

/// What is asked about one collective.
struct Question {
  CollectiveKind kind;
  std::int64_t ranks, per_node, bytes;
  bool engine_kernel, eager;
};
Result<Question> read_question(const json& request, const Machine& m, const Fabric& fabric) {
  auto kind = read_kind(request);
  auto ranks = read_count(request, "ranks", m.gpus().n, 1, m.gpus().n);
  auto bytes = read_count(request, "bytes", 1 << 20, 1, std::int64_t{1} << 50);
  auto engine = read_flag(request, "engine_kernel"), eager = read_flag(request, "eager");
  if (!kind) return kind.problem();
  if (!ranks) return ranks.problem();
  if (!bytes) return bytes.problem();
  if (!engine) return engine.problem();
  if (!eager) return eager.problem();
  auto per_node = read_count(request, "ranks_per_node", std::min(*ranks, fabric.local), 1, fabric.local);
  if (!per_node) return per_node.problem();
  return Question{*kind, *ranks, std::min(*per_node, *ranks), *bytes, *engine, *eager};
}

}  // namespace

/// Time of one collective on described hardware, alone on its links [M-comm].
Answer collective_op(const Context& context, const json& request) {
  auto parts = read_parts(request, false);
  if (!parts) return parts.problem();
  auto machine = read_machine(context, *parts);
  if (!machine) return machine.problem();
  const CommCoefficients coefficients = resolve_comm(context.knowledge.calibration);
  const Fabric fabric = make_fabric(coefficients, *machine);
  auto q = read_question(request, *machine, fabric);
  if (!q) return q.problem();
  const GroupPlacement place{static_cast<std::int32_t>(q->ranks), static_cast<std::int32_t>(q->per_node), 1};
  const Bytes bytes{static_cast<double>(q->bytes)};
  const Seconds alone = collective_time(fabric, q->kind, place, bytes, q->engine_kernel);
  const double time = q->eager ? std::max(alone.value, coefficients.eager_floor) : alone.value;
  const int range = place.nodes() > 1 ? 2 : bytes.value < 1048576.0 ? 1 : 0;
  const double rate = time > 0.0 ? bytes.value / time : 0.0;
  return json{{"version", 1}, {"kind", name(q->kind)}, {"ranks", q->ranks}, {"ranks_per_node", q->per_node}, {"bytes", q->bytes}, {"link", name(link_kind(fabric, place))},
              {"time_s", time}, {"algorithm_bandwidth_GBps", rate / 1e9}, {"bus_bandwidth_GBps", rate * traffic_factor(q->kind, q->ranks) / 1e9},
              {"range", {{"time_s", {time * coefficients.range_low[range], time * coefficients.range_high[range]}}}}};
}

}  // namespace gpuplan
