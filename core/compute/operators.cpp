#include "core/compute/operators.hpp"

#include <algorithm>
#include <cmath>

namespace gpuplan {
namespace {

/// Tensors of one group are one product: engines fuse q, k, v, then gate and up.
int fusion_group(Role r) {
  switch (r) {
    case Role::attn_q: case Role::attn_k: case Role::attn_v: return 1;
    case Role::attn_o: return 2;
    case Role::mla_q_a: case Role::mla_kv_a: return 3;
    case Role::mla_q_b: return 4;
    case Role::mla_kv_b: return 5;
    case Role::index: return 6;
    case Role::ssm_in: return 7;
    case Role::ssm_out: return 8;
    case Role::mlp_gate: case Role::mlp_up: return 9;
    case Role::mlp_down: return 10;
    case Role::router: return 11;
    case Role::expert_gate: case Role::expert_up: return 12;
    case Role::expert_down: return 13;
    case Role::shared_gate_proj: case Role::shared_up: return 14;
    case Role::shared_down: return 15;
    case Role::latent_proj: return 16;
    default: return 0;
  }
}

bool is_expert(Role r) { return r == Role::expert_gate || r == Role::expert_up || r == Role::expert_down; }

/// Layer positions of a kind; GGUF mixes choose by position, other formats do not.
std::vector<std::int64_t> positions(const Architecture& a, int kind) {
  std::vector<std::int64_t> at;
  std::int64_t layer = 0;
  for (const auto* order : {&a.order, &a.decoder_order}) {
    for (const LayerRun& run : *order) {
      for (std::int64_t i = 0; i < run.count; ++i, ++layer) {
        if (run.kind == kind) at.push_back(layer);
      }
    }
  }
  return at;
}

double mean_bytes(const Architecture& a, const Tensor& t, WeightFormat format, const std::vector<std::int64_t>& at) {
  const std::int64_t layers = a.layer_count();
  if (!is_gguf(format) || at.empty()) return stored_bytes(a, t, format, at.empty() ? 0 : at.front(), layers);
  double sum = 0.0;
  for (std::int64_t layer : at) sum += stored_bytes(a, t, format, layer, layers);
  return sum / static_cast<double>(at.size());
}

/// Adds tensor `t` to product `g`, whose stored bytes are kept as a total until the end.
void fuse(Gemm& g, const Tensor& t, double bytes, WeightFormat format, double experts) {
  const bool expert = is_expert(t.role);
  const double n = static_cast<double>(t.rows) * static_cast<double>(t.copies) / (expert ? std::max(1.0, experts) : 1.0);
  const double old_weights = (g.n_column + g.n_kv + g.n_replicated) * g.k;
  g.k = static_cast<double>(t.columns);
  g.expert = expert;
  switch (t.split) {
    case Split::kv_heads: g.n_kv += n; g.kv_heads = static_cast<double>(std::max<std::int64_t>(1, t.kv_heads)); break;
    case Split::row: g.row = true; g.n_replicated += n; break;
    case Split::replicated: g.n_replicated += n; break;
    default:
      // an expert's down projection is divided along its inputs, its gate and up along their outputs
      if (t.role == Role::expert_down) { g.row = true; g.n_replicated += n; } else { g.n_column += n; }
  }
  const double here = bytes / std::max(1.0, t.elements());
  const double added = n * g.k;
  g.bytes_per_weight = (g.bytes_per_weight * old_weights + here * added) / std::max(1.0, old_weights + added);
  g.quantized = is_quantized(format) && here < 1.9;
}

void add_gemms(LayerOperators& layer, const Architecture& a, const std::vector<Tensor>& all, int kind, WeightFormat format) {
  const auto at = positions(a, kind);
  int groups[32];
  for (const Tensor& t : all) {
    if (t.layer_kind != kind || !t.matmul) continue;
    const int group = fusion_group(t.role);
    std::size_t i = 0;
    while (i < layer.gemms.size() && !(group != 0 && groups[i] == group && layer.gemms[i].k == static_cast<double>(t.columns))) ++i;
    if (i == layer.gemms.size()) {
      if (i == 32) continue;
      groups[i] = group;
      layer.gemms.push_back({});
      layer.gemms.back().role = t.role;
    }
    fuse(layer.gemms[i], t, mean_bytes(a, t, format, at), format, static_cast<double>(layer.mlp.experts));
  }
}

/// Elements that norms, residuals and activation functions read and write per token [M-flops].
void add_streams(LayerOperators& layer, const Layer& source, double hidden) {
  const Mlp& mlp = layer.mlp;
  layer.stream_hidden = hidden;
  layer.stream_elements = 4.0 * hidden * static_cast<double>(source.norms);  // fused add + norm: two read, two written
  const double gates = mlp.gated ? 3.0 : 2.0;
  double width = static_cast<double>(mlp.shared_intermediate);
  if (mlp.kind == MlpKind::dense || mlp.kind == MlpKind::dense_and_moe) width += static_cast<double>(mlp.intermediate);
  const double routed = mlp.kind == MlpKind::moe || mlp.kind == MlpKind::dense_and_moe ? static_cast<double>(mlp.experts_per_token) : 0.0;
  width += routed * static_cast<double>(mlp.expert_intermediate);
  layer.stream_elements += routed * 3.0 * hidden;  // gather, scatter and the weighted sum
  layer.stream_elements_split = gates * width;
  layer.stream_elements_split += 2.0 * static_cast<double>((layer.mixer.heads + layer.mixer.kv_heads) * layer.mixer.head_dim);  // rotary
  layer.launches = static_cast<double>(layer.gemms.size()) + static_cast<double>(source.norms) + 4.0 + (routed > 0.0 ? 4.0 : 0.0);
  layer.reductions = (layer.mixer.kind != MixerKind::none ? 1 : 0) + (mlp.kind != MlpKind::none ? 1 : 0);
}

Gemm head_of(const Architecture& a, const std::vector<Tensor>& all, WeightFormat format) {
  Gemm head;
  head.role = Role::lm_head;
  head.n_column = static_cast<double>(a.vocab);
  head.k = static_cast<double>(a.hidden);
  for (const Tensor& t : all) {
    const bool is_head = t.role == Role::lm_head || (a.tied && t.role == Role::token_embedding);
    if (is_head && t.columns > 1) head.bytes_per_weight = stored_bytes(a, t, format, 0, a.layer_count()) / std::max(1.0, t.elements());
  }
  head.quantized = is_quantized(format) && head.bytes_per_weight < 1.9;
  return head;
}

double value_dim(const Mixer& m) { return static_cast<double>(m.v_head_dim > 0 ? m.v_head_dim : m.head_dim); }

bool attends(const Mixer& m) {
  return m.kind == MixerKind::full || m.kind == MixerKind::sliding || m.kind == MixerKind::chunked || m.kind == MixerKind::mla ||
         m.kind == MixerKind::cross;
}

}  // namespace

double Gemm::n_at(double tp) const { return n_column / tp + n_kv / std::min(tp, kv_heads) + n_replicated; }

Operators operators(const Architecture& a, WeightFormat format) {
  Operators out;
  out.hidden = static_cast<double>(a.hidden);
  out.vocab = static_cast<double>(a.vocab);
  const std::vector<Tensor> all = tensors(a);
  const std::vector<std::int64_t> counts = layers_by_kind(a);
  for (std::size_t kind = 0; kind < a.kinds.size(); ++kind) {
    LayerOperators layer;
    layer.layers = static_cast<double>(counts[kind]);
    layer.mixer = a.kinds[kind].mixer;
    layer.mlp = a.kinds[kind].mlp;
    layer.cache = cache_shape(a.kinds[kind]);
    add_gemms(layer, a, all, static_cast<int>(kind), format);
    add_streams(layer, a.kinds[kind], out.hidden);
    out.layers += layer.layers;
    out.kinds.push_back(std::move(layer));
  }
  out.head = head_of(a, all, format);
  return out;
}

double attended_pairs(const Mixer& m, double tokens, double past) {
  if (!attends(m)) return 0.0;
  double window = static_cast<double>(m.window);
  if (m.kind == MixerKind::mla && m.index_topk > 0) window = static_cast<double>(m.index_topk);  // the indexer picks what is attended to
  if (m.compress_ratio > 1) { past /= static_cast<double>(m.compress_ratio); }
  if (window <= 0.0) return tokens * past + tokens * (tokens + 1.0) / 2.0;
  const double growing = std::max(0.0, std::min(tokens, window - past));  // tokens that still see everything before them
  return growing * past + growing * (growing + 1.0) / 2.0 + (tokens - growing) * window;
}

double flops_per_pair(const Mixer& m, bool absorbed) {
  if (!attends(m)) return 0.0;
  const double heads = static_cast<double>(m.heads);
  if (m.kind != MixerKind::mla) return 2.0 * heads * (static_cast<double>(m.head_dim) + value_dim(m));
  const double rope = static_cast<double>(m.mla.rope_dim);
  const double rank = static_cast<double>(m.mla.kv_rank);
  if (absorbed) return 2.0 * heads * (2.0 * rank + rope);
  return 2.0 * heads * (static_cast<double>(m.mla.nope_dim) + rope + static_cast<double>(m.mla.v_dim));
}

double recurrence_flops_per_token(const Mixer& m) {
  const Recurrent& r = m.recurrent;
  switch (m.kind) {
    case MixerKind::gated_delta: case MixerKind::kda: case MixerKind::lightning:
      return 6.0 * static_cast<double>(r.v_heads) * static_cast<double>(r.k_dim) * static_cast<double>(r.v_dim);  // decay, update, read
    case MixerKind::mamba1: case MixerKind::mamba2: return 6.0 * static_cast<double>(r.inner) * static_cast<double>(r.state);
    case MixerKind::rwkv: return 6.0 * static_cast<double>(r.heads) * static_cast<double>(r.head_dim) * static_cast<double>(r.head_dim);
    case MixerKind::short_conv: return 2.0 * static_cast<double>(r.inner) * static_cast<double>(r.conv);
    default: return 0.0;
  }
}

double distinct_experts(double experts, double per_token, double tokens) {
  if (experts <= 0.0) return 0.0;
  double base = std::max(0.0, 1.0 - per_token / experts), missed = 1.0;
  const double whole = std::floor(tokens);
  missed = 1.0 - (tokens - whole) * (1.0 - base);  // a fraction of a token, linearly
  for (auto n = static_cast<std::int64_t>(std::min(whole, 1e9)); n > 0; n /= 2, base *= base) {
    if (n % 2 != 0) missed *= base;
  }
  return experts * (1.0 - missed);
}

Flops forward_flops(const Operators& ops, double past, bool with_head) {
  double sum = with_head ? 2.0 * ops.vocab * ops.hidden : 0.0;
  for (const LayerOperators& layer : ops.kinds) {
    double per_layer = recurrence_flops_per_token(layer.mixer) + attended_pairs(layer.mixer, 1.0, past) * flops_per_pair(layer.mixer, false);
    for (const Gemm& g : layer.gemms) {
      per_layer += 2.0 * g.weights_at(1.0) * (g.expert ? static_cast<double>(layer.mlp.experts_per_token) : 1.0);
    }
    sum += layer.layers * per_layer;
  }
  return Flops{sum};
}

}  // namespace gpuplan
