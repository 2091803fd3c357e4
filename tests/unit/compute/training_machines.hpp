#pragma once
/// Jobs and machines that the tests of training share.
#include <memory>

#include "core/api/context.hpp"
#include "core/compute/training_step.hpp"

namespace gpuplan::testing {

/// The shipped catalogs and coefficients, read once.
inline const Context& shipped() {
  static const Result<Context> context = make_context();
  return *context;
}

inline const Gpu& gpu(std::string_view id) {
  const auto& catalog = shipped().knowledge.catalog;
  return catalog.gpus[static_cast<std::size_t>(*find_gpu(catalog, id, ""))];
}

inline const Software& software(std::string_view id) {
  const auto& catalog = shipped().knowledge.catalog;
  return catalog.software[static_cast<std::size_t>(*find_software(catalog, id, ""))];
}

inline const Architecture& model(std::string_view id) {
  const auto& models = shipped().knowledge.models;
  return models.all[static_cast<std::size_t>(find_model(models, id, "")->index)];
}

/// Nodes of eight switched GPUs with one network card each.
inline Machine cluster(const Gpu& card, std::int64_t nodes, double network_gbps_per_node) {
  Machine m;
  m.gpu = &card;
  m.gpus_per_node = Gpus{8};
  m.nodes = Nodes{nodes};
  m.memory_usable = card.memory_usable;
  m.scale_up = card.scale_up;
  m.scale_up_domain = Gpus{8};
  m.scale_up_each_way = card.scale_up_each_way;
  m.pcie_each_way = card.pcie_each_way;
  m.scale_out = nodes > 1 ? ScaleOut::infiniband : ScaleOut::none;
  m.scale_out_per_node_each_way = BytesPerSecond{network_gbps_per_node * 1e9 / 8.0};
  m.nics_per_node = 8;
  m.rdma = true;
  return m;
}

/// A GPT of the Megatron papers: two biased products of 4h, no gates, vocabulary 51200.
inline Architecture gpt(std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
  Architecture a;
  a.hidden = hidden;
  a.vocab = 51200;
  a.tied = true;
  Layer layer;
  layer.mixer.heads = layer.mixer.kv_heads = heads;
  layer.mixer.head_dim = layer.mixer.v_head_dim = hidden / heads;
  layer.mlp.gated = false;
  layer.mlp.intermediate = 4 * hidden;
  a.kinds = {layer};
  a.order = {{0, layers}};
  return a;
}

inline Job pretraining(const Architecture& a, std::string_view framework, std::int64_t sequence, std::int64_t global_batch) {
  Job job;
  job.model = &a;
  job.software = &software(framework);
  job.task = Task::pretraining;
  job.workload.sequence = sequence;
  job.workload.global_batch = global_batch;
  job.calibration = &shipped().knowledge.calibration;
  return job;
}

inline Layout layout(std::int32_t tp, std::int32_t pp, std::int32_t dp) {
  Layout l;
  l.tp = tp;
  l.pp = pp;
  l.dp = dp;
  l.zero = dp > 1 ? 1 : 0;
  return l;
}

inline Time step_of(const Job& job, const Machine& m, const Layout& l, Explanation* why = nullptr) {
  const auto prepared = prepare_training(job);
  return estimate_training_time(job, *prepared, m, l, Memory{}, why);
}

}  // namespace gpuplan::testing
