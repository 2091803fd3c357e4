#include <cstdint>

#include <nlohmann/json.hpp>

#include "core/api/write_answer.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

/// Whole bytes: fractions of a byte come from averages and are rounded up where they leave the core.
std::int64_t whole(Bytes b) {
  const auto down = static_cast<std::int64_t>(b.value);
  return static_cast<double>(down) < b.value ? down + 1 : down;
}

const char* severity(Severity s) { return s == Severity::problem ? "problem" : s == Severity::warning ? "warning" : "info"; }

}  // namespace

json write_memory(const Memory& m) {
  const MemoryParts& p = m.parts;
  const json parts = {{"weights", whole(p.weights)}, {"gradients", whole(p.gradients)}, {"optimizer", whole(p.optimizer)}, {"master_weights", whole(p.master_weights)},
                      {"adapters", whole(p.adapters)}, {"activations", whole(p.activations)}, {"logits", whole(p.logits)}, {"kv_cache", whole(p.kv_cache)},
                      {"state_cache", whole(p.state_cache)}, {"workspace", whole(p.workspace)}, {"cuda_graphs", whole(p.cuda_graphs)},
                      {"communication", whole(p.communication)}, {"context", whole(p.context)}, {"fragmentation", whole(p.fragmentation)}};
  // The sum of what is printed, so that a person who adds it up finds it.
  std::int64_t used = 0;
  for (const auto& part : parts) used += part.get<std::int64_t>();
  const double free = m.usable.value > 0.0 ? 1.0 - m.used / m.usable : 0.0;
  return {{"usable_bytes", whole(m.usable)}, {"used_bytes", used}, {"free_fraction", free}, {"worst_rank", "pp stage " + std::to_string(m.worst_stage)},
          {"host_bytes", whole(m.host)}, {"parts", parts}};
}

json write_kv(const KvCapacity& kv) {
  return {{"bytes_per_token", kv.bytes_per_token.value}, {"bytes_per_sequence", kv.bytes_per_sequence.value}, {"capacity_bytes", whole(kv.capacity)},
          {"capacity_tokens", static_cast<std::int64_t>(kv.tokens.value)}, {"max_concurrency", kv.max_concurrency}, {"blocks", kv.blocks}, {"block_size", kv.block_size}};
}

json write_time(const Time& t) {
  return {{"step_s", t.step.value},       {"compute_s", t.parts.compute.value}, {"memory_s", t.parts.memory.value}, {"exposed_comm_s", t.parts.exposed_comm.value},
          {"bubble_s", t.parts.bubble.value}, {"overhead_s", t.parts.overhead.value}, {"prefill_s", t.prefill.value},  {"ttft_s", t.ttft.value},
          {"tpot_s", t.tpot.value},       {"total_s", t.total.value}};
}

json write_checkpoint(const Time& t) {
  return {{"bytes", whole(t.checkpoint)}, {"write_s", t.checkpoint_write.value}, {"interval_s", t.checkpoint_interval.value}, {"goodput", t.goodput}};
}

json write_throughput(const Time& t, const Machine& m) {
  const double gpus = static_cast<double>(m.gpus().n);
  return {{"tokens_per_s", t.tokens_per_s.value}, {"tokens_per_s_per_gpu", t.tokens_per_s.value / gpus}, {"decode_tokens_per_s", t.decode_tokens_per_s.value},
          {"prefill_tokens_per_s", t.prefill_tokens_per_s.value}, {"requests_per_s", t.requests_per_s}, {"tflops_per_gpu", t.achieved_per_gpu.value / 1e12},
          {"mfu", t.mfu}, {"hfu", t.hfu}, {"running_batch", t.running_batch}};
}

json write_messages(const Time& t) {
  json out = json::array();
  for (const Message& m : t.messages) {
    out.push_back({{"kind", name(m.kind)}, {"group", name(m.group)}, {"ranks", m.ranks}, {"bytes", whole(m.bytes)}, {"count", m.count}, {"time_s", m.time.value},
                   {"exposed_s", m.exposed.value}, {"link", name(m.link)}});
  }
  return out;
}

json write_cost(const Cost& c, const Offer& offer) {
  const auto known = [&](double v) { return c.known ? json(v) : json(nullptr); };
  return {{"usd_per_hour", known(c.usd_per_hour)}, {"usd_per_million_tokens", known(c.usd_per_million_tokens)}, {"total_usd", known(c.total_usd)}, {"storage_usd", known(c.storage_usd)},
          {"gpu_hours", c.gpu_hours}, {"price_date", c.known ? offer.price_date : ""}};
}

json write_range(const Memory& m, const Time& t, bool training) {
  json out = {{"used_bytes", {whole(m.used_low), whole(m.used_high)}}, {"step_s", {t.step_low.value, t.step_high.value}},
              {"tokens_per_s", {t.tokens_low.value, t.tokens_high.value}}};
  if (!training) out["capacity_tokens"] = {static_cast<std::int64_t>(m.tokens_low.value), static_cast<std::int64_t>(m.tokens_high.value)};
  return out;
}

json write_explanation(const Explanation& why) {
  json out = json::array();
  for (const Term& t : why.terms) {
    json inputs = json::object();
    for (const Input& i : t.inputs) inputs[i.name] = {{"value", i.value}, {"unit", i.unit}};
    out.push_back({{"term", t.term}, {"formula", t.formula}, {"inputs", std::move(inputs)}, {"value", t.value}, {"unit", t.unit}, {"source", t.source}});
  }
  return out;
}

json write_notes(const std::vector<Note>& notes) {
  json out = json::array();
  for (const Note& n : notes) out.push_back({{"code", n.code}, {"severity", severity(n.severity)}, {"text", n.text}});
  return out;
}

json write_layout(const Layout& l) {
  json out = {{"tp", l.tp}, {"pp", l.pp}, {"dp", l.dp}, {"cp", l.cp}, {"ep", l.ep}, {"sequence_parallel", l.sequence_parallel}, {"virtual_stages", l.virtual_stages},
          {"attention_dp", l.attention_dp}, {"zero", l.zero}, {"shard_group", l.shard_group > 0 ? json(l.shard_group) : json(nullptr)}, {"zero_bubble", l.zero_bubble}, {"offload", name(l.offload)}, {"recompute", name(l.recompute)}, {"split", name(l.split)}};
  for (std::int32_t i = 0; l.by_device() && i < l.pp; ++i) out["device_layers"].push_back(l.device_layers[static_cast<std::size_t>(i)]);
  return out;
}

}  // namespace gpuplan
