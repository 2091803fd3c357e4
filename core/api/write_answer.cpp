#include "core/api/write_answer.hpp"

#include <nlohmann/json.hpp>

#include "core/plan/technique.hpp"
#include "core/scenario/link.hpp"
#include "core/scenario/write.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

json write_numerics(const Scenario& resolved) { return write_section(resolved, "/numerics"); }

const Offer& offer_of(const Search& s, const Option& o) { return s.offers[static_cast<std::size_t>(o.offer)]; }

void put_place(const Knowledge& k, const Offer& offer, json& out) {
  const bool named = offer.instance >= 0;
  const Instance* i = named ? &k.catalog.instances[static_cast<std::size_t>(offer.instance)] : nullptr;
  out["instance"] = named ? json(i->id) : json(nullptr);
  out["provider"] = named ? json(i->provider) : json(nullptr);
  out["region"] = named && !i->region.empty() ? json(i->region) : json(nullptr);
}

}  // namespace

json write_estimate(const Knowledge& k, const Estimate& e) {
  const Option& o = e.option;
  const Offer& offer = offer_of(*e.search, o);
  json out = {{"version", 1},
              {"resolved", write_full(e.resolved)},
              {"link", encode_link(e.resolved)},
              {"fits", o.memory.fits},
              {"technique", technique(o.candidate->job, o.layout)},
              {"memory", write_memory(o.memory)},
              {"flops", {{"per_token_forward", o.time.forward_per_token.value}, {"per_step", o.time.per_step.value}}},
              {"time", write_time(o.time)},
              {"comm", write_messages(o.time)},
              {"throughput", write_throughput(o.time, o.machine)},
              {"cost", write_cost(o.cost, offer)},
              {"range", write_range(o.memory, o.time, is_training(o.candidate->job.task))},
              {"explain", write_explanation(e.why)},
              {"notes", write_notes(e.why.notes)},
              {"search", write_statistics(e.search->statistics)}};
  if (is_training(o.candidate->job.task)) out["checkpoint"] = write_checkpoint(o.time);
  else out["kv"] = write_kv(o.memory.kv);
  put_place(k, offer, out);
  out["gpu"] = o.machine.gpu->id;
  out["gpus_per_node"] = o.machine.gpus_per_node.n;
  out["nodes"] = o.machine.nodes.n;
  return out;
}

json write_option(const Knowledge& k, const Scenario& scenario, const Search& search, const Option& o, int rank) {
  const Scenario row = filled(k, scenario, search, o);
  const Offer& offer = offer_of(search, o);
  json out = {{"rank", rank},
              {"gpu", o.machine.gpu->id},
              {"gpus_per_node", o.machine.gpus_per_node.n},
              {"nodes", o.machine.nodes.n},
              {"model", o.candidate->job.model->id},
              {"software", o.candidate->job.software->id},
              {"numerics", write_numerics(row)},
              {"layout", write_layout(o.layout)},
              {"technique", technique(o.candidate->job, o.layout)},
              {"memory", write_memory(o.memory)},
              {"time", write_time(o.time)},
              {"throughput", write_throughput(o.time, o.machine)},
              {"cost", write_cost(o.cost, offer)},
              {"range", write_range(o.memory, o.time, is_training(o.candidate->job.task))},
              {"pareto", o.pareto},
              {"link", encode_link(row)},
              {"notes", json::array()}};
  if (!is_training(o.candidate->job.task)) out["kv"] = write_kv(o.memory.kv);
  put_place(k, offer, out);
  return out;
}

json write_statistics(const SearchStatistics& s) {
  json refusals = json::object();
  for (std::size_t i = 1; i < s.refusals.size(); ++i) {
    if (s.refusals[i] > 0) refusals[name(static_cast<Refusal>(i))] = s.refusals[i];
  }
  return {{"candidates", s.candidates}, {"refused", s.refused}, {"pruned", s.pruned}, {"evaluated", s.evaluated}, {"memory_only", s.memory_only}, {"refusals", std::move(refusals)}};
}

}  // namespace gpuplan
