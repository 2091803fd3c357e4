#include "core/compute/pass.hpp"

#include <algorithm>
#include <cmath>

#include "core/comm/collectives.hpp"

namespace gpuplan {
namespace {

constexpr double activation_bytes = 2.0;

bool is_moe(const LayerOperators& l) { return l.mlp.kind == MlpKind::moe || l.mlp.kind == MlpKind::dense_and_moe; }

/// Routed experts: what the busiest rank computes.
KernelTime expert_time(const PassPlace& p, const LayerOperators& l, const Gemm& g, double rows, double distinct) {
  const double all = rows * p.attention_ranks;
  const double visits = all * static_cast<double>(l.mlp.experts_per_token);
  const double local = std::max(1.0, distinct / p.ep);
  const double imbalance = p.ep > 1.0 ? p.model->moe_imbalance : 1.0;
  const double each = std::max(1.0, visits / std::max(1.0, distinct)) * imbalance;
  const double n = g.row ? g.n_replicated : g.n_column / p.moe_tp, k = g.row ? g.k / p.moe_tp : g.k;
  const Kernel kernel = g.quantized ? p.quantized : p.plain;
  return grouped_gemm_time(p.rates, kernel, local, each, n, k, Bytes{local * n * k * g.bytes_per_weight});
}

KernelTime gemms_time(const PassPlace& p, const LayerOperators& l, double rows) {
  KernelTime t;
  const double distinct =
      is_moe(l) ? distinct_experts(static_cast<double>(l.mlp.experts), static_cast<double>(l.mlp.experts_per_token), rows * p.attention_ranks) : 0.0;
  for (const Gemm& g : l.gemms) {
    if (g.expert) { t += expert_time(p, l, g, rows, distinct); continue; }
    const double n = g.n_at(p.tp), k = g.k_at(p.tp);
    t += gemm_time(p.rates, g.quantized ? p.quantized : p.plain, rows, n, k, Bytes{n * k * g.bytes_per_weight});
  }
  return t;
}

/// Cached elements of one layer that `tokens` cached tokens occupy on one rank.
double cache_elements(const PassPlace& p, const LayerOperators& l, double tokens) {
  if (l.cache.window > 0) tokens = std::min(tokens, static_cast<double>(l.cache.window));
  const double heads = static_cast<double>(l.cache.kv_heads);
  return l.cache.elements_per_token * tokens / (heads > 0.0 ? std::min(p.tp, heads) : 1.0);
}

/// Attention at a share of its kernels' rates.
KernelTime attention_share(const Rates& r, Flops flops, Bytes cache, double share) { return attention_time(r, flops / share, cache / share); }

KernelTime attention_of(const PassPlace& p, const LayerOperators& l, const Batch& b) {
  KernelTime t;
  const double kv = p.model->kv_bytes, heads = static_cast<double>(l.mixer.heads) / p.tp;
  double all_pairs = 0.0;
  if (b.decoding > 0.0) {
    const double pairs = b.decoding * attended_pairs(l.mixer, b.rows_per_sequence, b.context);
    t += attention_share(p.rates, Flops{pairs * flops_per_pair(l.mixer, true) / p.tp}, Bytes{b.decoding * cache_elements(p, l, b.context) * kv},
                         p.engine.attention_decode);
    all_pairs += pairs;
  }
  if (b.prompt_tokens > 0.0) {
    const double pairs = b.prompts * attended_pairs(l.mixer, b.prompt_tokens / b.prompts, b.prompt_past);
    const double cached = b.prompts * cache_elements(p, l, b.prompt_tokens / b.prompts + b.prompt_past);
    t += attention_share(p.rates, Flops{pairs * flops_per_pair(l.mixer, false) / p.tp}, Bytes{cached * kv}, p.engine.attention_prefill);
    all_pairs += pairs;
  }
  if (p.model->score_bytes > 0.0) t += stream_time(p.rates, Bytes{all_pairs * heads * p.model->score_bytes});
  return t;
}

/// Recurrent state: read and written once per sequence and pass; the scan's arithmetic runs at attention's share of the peak.
KernelTime recurrence_of(const PassPlace& p, const LayerOperators& l, const Batch& b) {
  if (l.cache.state_elements <= 0.0) return {};
  const double bytes = l.cache.state_elements * (l.cache.state_fp32 ? 4.0 : 2.0) * 2.0 / p.tp;
  const double sequences = b.decoding + (b.prompt_tokens > 0.0 ? 1.0 : 0.0);
  return attention_time(p.rates, Flops{b.rows() * recurrence_flops_per_token(l.mixer) / p.tp}, Bytes{sequences * bytes});
}

KernelTime streams_of(const PassPlace& p, const LayerOperators& l, double rows) {
  return stream_time(p.rates, Bytes{rows * activation_bytes * (l.stream_elements + l.stream_elements_split / p.tp)});
}

KernelTime head_time(const PassPlace& p, double rows) {
  const Gemm& g = p.model->ops.head;
  const double n = g.n_at(p.tp), k = g.k;
  KernelTime t = gemm_time(p.rates, g.quantized ? p.quantized : p.plain, rows, n, k, Bytes{n * k * g.bytes_per_weight});
  return t + stream_time(p.rates, Bytes{rows * p.model->ops.vocab * p.model->sampler_bytes});
}

Seconds overhead_of(const PassPlace& p, const Batch& b) {
  Seconds t{p.engine.step + b.decoding * p.engine.sequence};
  if (b.prompt_tokens > 0.0) t += Seconds{p.model->ops.layers * p.engine.prompt_layer};
  for (const LayerOperators& l : p.model->ops.kinds) {
    t += Seconds{l.layers * (p.engine.layer + (p.tp > 1.0 ? p.engine.tp_layer + (p.tp - 1.0) * p.engine.peer_layer : 0.0) + (is_moe(l) ? p.engine.moe_layer : 0.0))};
  }
  if (p.layer_split) t += Seconds{(p.pp - 1.0) * p.engine.hop};
  return t;
}

Seconds send(const PassPlace& p, Time* out, CollectiveKind kind, ParallelGroup group, double ranks, double stride, double count, double bytes) {
  if (ranks <= 1.0 || count <= 0.0) return {};
  const GroupPlacement placed = place_group(p.fabric, static_cast<std::int64_t>(ranks), static_cast<std::int64_t>(stride));
  const Seconds all = collective_time(p.fabric, kind, placed, Bytes{bytes}, kind == CollectiveKind::all_reduce) * count;
  if (out) out->messages.add({kind, group, link_kind(p.fabric, placed), static_cast<std::int32_t>(ranks), count, Bytes{bytes}, all, all});
  return all;
}

/// Messages of a pass: tensor parallelism sums the output of each row-divided product, data-parallel attention moves tokens to experts and
/// back, pipeline stages hand activations on, the head gathers its logits.
Seconds comm_of(const PassPlace& p, const Batch& b, Time* out) {
  const Operators& ops = p.model->ops;
  const double bytes = b.rows() * ops.hidden * activation_bytes;
  double reductions = 0.0, exchanges = 0.0;
  for (const LayerOperators& l : ops.kinds) {
    const bool routed = is_moe(l) && p.attention_ranks > 1.0;
    reductions += l.layers * (l.reductions - (routed ? 1 : 0));
    exchanges += routed ? l.layers : 0.0;
  }
  Seconds t = send(p, out, CollectiveKind::all_reduce, ParallelGroup::tp, p.tp, 1.0, reductions, bytes);
  const double ranks = p.attention_ranks * p.tp;
  t += send(p, out, CollectiveKind::all_gather, ParallelGroup::ep, exchanges > 0.0 ? ranks : 1.0, 1.0, exchanges, bytes * p.attention_ranks);
  t += send(p, out, CollectiveKind::reduce_scatter, ParallelGroup::ep, exchanges > 0.0 ? ranks : 1.0, 1.0, exchanges, bytes * p.attention_ranks);
  if (!p.layer_split) t += send(p, out, CollectiveKind::send_recv, ParallelGroup::pp, p.pp > 1.0 ? 2.0 : 1.0, p.tp, p.pp - 1.0, bytes);
  t += send(p, out, CollectiveKind::all_gather, ParallelGroup::tp, p.tp, 1.0, 1.0, b.head_rows * ops.vocab * activation_bytes);
  return t;
}

/// Layers kept in host memory: narrow passes read their weights there, wide ones copy them to the GPU first.
Seconds host_time(const PassPlace& p, double rows) {
  double bytes = 0.0;
  for (const LayerOperators& l : p.model->ops.kinds) {
    for (const Gemm& g : l.gemms) bytes += l.layers * g.weights_at(1.0) * g.bytes_per_weight * (g.expert ? static_cast<double>(l.mlp.experts_per_token) : 1.0);
  }
  bytes *= 1.0 - p.gpu_share;
  const double read = rows * bytes / p.model->host_bandwidth;  // a CPU gains little from a batch: its products are compute-bound early
  const double copied = bytes / std::max(1.0, p.machine->pcie_each_way.value);
  return Seconds{std::min(read, rows >= 32.0 ? copied : read)};
}

bool is_low_bit(WeightFormat f) { return f >= WeightFormat::q2_k && f <= WeightFormat::q3_k_l; }

void scale_surface(PassSite& s, Kernel kernel) {
  KernelSurface& surface = s.rates.gemm[static_cast<std::size_t>(kernel)];
  surface.flops = std::min(1.0, surface.flops * s.engine.prefill_flops);
  surface.bandwidth = std::min(1.0, surface.bandwidth * s.engine.bandwidth);
}

void scale_by_engine(PassSite& s, WeightFormat weights) {
  s.rates.dequantise_rows = s.engine.dequantise_rows;
  if (is_low_bit(weights)) {
    double& ops = s.rates.gemm[static_cast<std::size_t>(Kernel::gguf_blocks)].narrow_ops;
    ops = std::max(ops, s.engine.low_bit_ops);
  }
  scale_surface(s, s.plain);
  if (s.quantized != s.plain) scale_surface(s, s.quantized);
  if (s.quantized == Kernel::gguf_blocks && s.plain != Kernel::gguf_half) scale_surface(s, Kernel::gguf_half);
}

void enter(PassSite& s, const PassModel& model, const Job& job, const Machine& machine) {
  s.machine = machine;
  s.rates = rates_of(model.surfaces, machine);
  s.fabric = make_fabric(model.comm, machine);
  // the published 8 x L40S serving host sums at peer speed (14 GB/s per GPU), ten times what the one host-staged machine of [M-comm-link] reached
  if (s.fabric.link == LinkClass::pcie_host && machine.scale_up == ScaleUp::pcie_p2p) s.fabric.link = LinkClass::pcie_peer;
  s.engine = model.engine.by_generation[static_cast<std::size_t>(s.rates.generation)];
  s.quantized = kernel_for(job.weights, *machine.gpu);
  s.plain = model.gguf ? Kernel::gguf_half : job.activations == PlainType::fp32 ? Kernel::fp32 : Kernel::half;
  const auto generation = static_cast<std::size_t>(s.rates.generation);
  s.known = s.rates.measured || model.engine.measured[generation] || model.surfaces.own[generation][static_cast<std::size_t>(s.quantized)];
  scale_by_engine(s, job.weights);
}

const PassSite& site_of(const PassModel& model, const Job& job, const Machine& machine) {
  PassSite& s = model.site;
  if (s.machine == machine) return s;
  enter(s, model, job, machine);
  s.devices.resize(machine.devices ? machine.devices->size() : 0);
  for (std::size_t i = 0; i < s.devices.size(); ++i) {
    Machine card = machine;
    card.gpu = (*machine.devices)[i].gpu;
    enter(s.devices[i], model, job, card);
  }
  return s;
}

/// Shares of the layers by card; how many hold any.
double share_out(PassPlace& p, const Layout& layout) {
  double used = 0.0, units = 0.0;
  for (const std::int16_t n : layout.device_layers) used += n > 0 ? 1.0 : 0.0, units += n;
  for (std::size_t i = 0; i < most_devices; ++i) p.device_share[i] = layout.device_layers[i] / units;
  return used;
}

}  // namespace

PassPlace place_pass(const PassModel& model, const Job& job, const Machine& machine, const Layout& layout) {
  const PassSite& s = site_of(model, job, machine);
  PassPlace p{&model, &job, &machine, s.rates, s.fabric, s.engine, s.quantized, s.plain};
  p.layer_split = layout.split == ModelSplit::layer;
  p.tp = p.layer_split ? 1.0 : layout.tp;
  p.pp = p.layer_split ? static_cast<double>(layout.tp) * layout.pp : layout.pp;
  p.attention_ranks = layout.attention_dp ? layout.dp : 1.0;
  p.ep = std::max(1.0, std::min<double>(layout.ep, p.tp * p.attention_ranks));
  p.moe_tp = std::max(1.0, p.tp * p.attention_ranks / p.ep);
  p.by_device = layout.by_device();
  if (p.by_device) p.pp = share_out(p, layout);
  if (job.workload.gpu_layers) p.gpu_share = std::min(1.0, static_cast<double>(*job.workload.gpu_layers) / std::max(1.0, model.ops.layers));
  return p;
}

Bytes sequence_bytes(const PassPlace& p, double tokens) {
  double sum = 0.0;
  for (const LayerOperators& l : p.model->ops.kinds) {
    sum += l.layers * (cache_elements(p, l, tokens) * p.model->kv_bytes + l.cache.state_elements * (l.cache.state_fp32 ? 4.0 : 2.0) / p.tp);
  }
  return Bytes{sum / p.pp};
}

namespace {

/// Cards that differ work one after the other, each at its own rates on its layers; the head is on the last.
PassTime pass_over_devices(const PassPlace& p, const Batch& b) {
  PassTime t;
  std::size_t last = 0;
  const std::vector<PassSite>& cards = p.model->site.devices;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (p.device_share[i] <= 0.0) continue;
    const PassSite& s = cards[i];
    PassPlace card{p.model, p.job, p.machine, s.rates, s.fabric, s.engine, s.quantized, s.plain};
    card.tp = p.tp, card.pp = p.pp, card.ep = p.ep, card.moe_tp = p.moe_tp, card.attention_ranks = p.attention_ranks;
    card.layer_split = true;
    KernelTime layers;
    for (const LayerOperators& l : p.model->ops.kinds) {
      const KernelTime layer = gemms_time(card, l, b.rows()) + attention_of(card, l, b) + recurrence_of(card, l, b) + streams_of(card, l, b.rows());
      layers += layer * (l.layers * p.gpu_share * p.device_share[i]);
    }
    t.kernels += layers;
    t.overhead += overhead_of(card, b) * p.device_share[i];
    t.slowest = max(t.slowest, layers.total());
    last = i;
  }
  const PassSite& s = cards[last];
  t.kernels += head_time({p.model, p.job, p.machine, s.rates, s.fabric, s.engine, s.quantized, s.plain}, b.head_rows);
  if (p.gpu_share < 1.0) t.host = host_time(p, b.rows());
  return t;
}

}  // namespace

PassTime pass_time(const PassPlace& p, const Batch& b, Time* messages) {
  if (!p.model->site.devices.empty()) return pass_over_devices(p, b);
  PassTime t;
  const double rows = b.rows();
  for (const LayerOperators& l : p.model->ops.kinds) {
    const KernelTime layer = gemms_time(p, l, rows) + attention_of(p, l, b) + recurrence_of(p, l, b) + streams_of(p, l, rows);
    t.kernels += layer * (l.layers * p.gpu_share);
  }
  t.kernels += head_time(p, b.head_rows);
  t.comm = comm_of(p, b, messages);
  t.overhead = overhead_of(p, b);
  if (p.gpu_share < 1.0) t.host = host_time(p, rows);
  return t;
}

}  // namespace gpuplan
