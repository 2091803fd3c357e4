#include "core/memory/activations.hpp"

namespace gpuplan::memory {
namespace {

using List = std::vector<SavedTensor>;
double d(std::int64_t n) { return static_cast<double>(n); }

void add(List& list, const char* what, double bytes, Divide divide, bool weight_gradient = false) {
  if (bytes > 0.0) list.push_back({what, bytes, divide, false, weight_gradient});
}

/// A norm keeps its input; eager RMS norms keep an fp32 copy instead and the normalised value for the weight's gradient.
void save_norm(List& list, const Architecture& model, const SavingRule& rule, double width, Divide divide) {
  if (rule.kernels == Kernels::eager && model.norm == NormKind::rms) {
    add(list, "norm input in fp32", 4.0 * width, divide);
    if (rule.norms_train) add(list, "normalised value", rule.element * width, divide);
  } else {
    add(list, "norm input", (rule.autocast ? 4.0 : rule.element) * width, divide);
  }
}

void save_scores(List& list, const Mixer& m, const SavingRule& rule) {
  const double heads = d(m.heads);
  const bool casts = rule.element < 4.0 && rule.dropout <= 0.0;  // eager softmax runs in fp32, then casts; with dropout, its output is the cast
  const double softmax = rule.kernels == Kernels::paper ? rule.element : 4.0 + (casts ? rule.element : 0.0);
  list.push_back({"attention probabilities", softmax * heads, tensor, true, false});
  if (rule.dropout > 0.0) list.push_back({"attention dropout mask and output", (1.0 + rule.element) * heads, tensor, true, false});
}

void save_attention(List& list, const Architecture& model, const Mixer& m, const SavingRule& rule) {
  const double e = rule.element, v_dim = d(m.v_head_dim ? m.v_head_dim : m.head_dim);
  if (m.kind == MixerKind::mla) {
    const Mla& x = m.mla;
    add(list, "latent queries", e * d(x.q_rank), replicated, true);
    add(list, "latent keys and values", e * d(x.kv_rank + x.rope_dim), replicated, true);
    save_norm(list, model, rule, d(x.kv_rank + x.q_rank), replicated);
    add(list, "queries and keys", 2.0 * e * d(m.heads * (x.nope_dim + x.rope_dim)), tensor);
    add(list, "values", e * d(m.heads * x.v_dim), tensor);
  } else {
    add(list, "queries", e * d(m.heads * m.head_dim), tensor);
    const std::int64_t kv_heads = rule.expands_kv ? m.heads : m.kv_heads;
    const Divide kv = rule.expands_kv ? tensor : rule.kv;
    add(list, "keys", e * d(kv_heads * m.head_dim), kv);
    add(list, "values", e * d(kv_heads) * v_dim, kv);
    if (m.qk_norm != Mixer::QkNorm::none) save_norm(list, model, rule, d((m.heads + m.kv_heads) * m.head_dim), tensor);
  }
  const double out = d(m.heads) * (m.kind == MixerKind::mla ? d(m.mla.v_dim) : v_dim);
  if (rule.flash) {
    add(list, "attention output", e * out, tensor);
    add(list, "log-sum-exp", 4.0 * d(m.heads), tensor);
  } else {
    save_scores(list, m, rule);
    add(list, "attention output", e * out, tensor, true);
  }
}

/// Linear attention and state-space mixers: projections, convolution outputs, gates and one state per chunk of 64 tokens.
void save_recurrent(List& list, const Architecture& model, const Mixer& m, const SavingRule& rule) {
  const Recurrent& r = m.recurrent;
  const double e = rule.element, h = d(model.hidden);
  switch (m.kind) {
    case MixerKind::gated_delta:
    case MixerKind::kda:
    case MixerKind::lightning: {
      const double keys = d(r.k_heads * r.k_dim), values = d(r.v_heads * r.v_dim);
      add(list, "projections and convolution outputs", 2.0 * e * (2.0 * keys + values), tensor);
      add(list, "gates", e * (values + 2.0 * d(r.v_heads)), tensor);
      add(list, "mixer output", e * values, tensor);
      add(list, "chunk states", 4.0 * d(r.v_heads * r.k_dim * r.v_dim) / 64.0, tensor);
      break;
    }
    case MixerKind::mamba1:
      add(list, "projections, convolution, gate", 4.0 * e * d(r.inner), tensor);
      add(list, "step sizes in fp32", 4.0 * d(r.inner), tensor);
      add(list, "mixer output", e * d(r.inner), tensor);
      break;
    case MixerKind::mamba2:
      add(list, "projections and convolution", 2.0 * e * (d(r.inner) + 2.0 * d(r.groups * r.state)), tensor);
      add(list, "gate, output", 2.0 * e * d(r.inner), tensor);
      add(list, "chunk states", 4.0 * d(r.inner * r.state) / 256.0, tensor);
      break;
    case MixerKind::rwkv:
      add(list, "receptance, keys, values, gate, decay, output", 6.0 * e * h, tensor);
      break;
    case MixerKind::short_conv:
      add(list, "gates and convolution", 4.0 * e * h, tensor);
      break;
    default: break;
  }
}

void save_mixer(List& list, const Architecture& model, const Mixer& m, const SavingRule& rule) {
  if (m.kind == MixerKind::none) return;
  const double h = d(model.hidden);
  save_norm(list, model, rule, h, replicated);
  add(list, "mixer input", rule.element * h * (rule.autocast ? 3.0 : 1.0), replicated, true);  // autocast casts once for q, k and v each
  switch (m.kind) {
    case MixerKind::full:
    case MixerKind::sliding:
    case MixerKind::chunked:
    case MixerKind::cross:
    case MixerKind::mla: save_attention(list, model, m, rule); break;
    default: save_recurrent(list, model, m, rule); break;
  }
  if (rule.dropout > 0.0) add(list, "dropout mask", h, replicated);
}

/// Inner tensors of a feed-forward block of width `f`, per token and copy.
void save_inner(List& list, const SavingRule& rule, double f, bool gated) {
  const double e = rule.element;
  add(list, "activation input", e * f, tensor);
  if (gated) {
    add(list, "up projection", e * f, tensor);
    if (rule.kernels == Kernels::eager) add(list, "activation output", e * f, tensor);
  }
  if (rule.kernels != Kernels::fused || !gated) add(list, "down projection's input", e * f, tensor, true);
}

void save_mlp(List& list, const Architecture& model, const Mlp& mlp, const SavingRule& rule) {
  if (mlp.kind == MlpKind::none) return;
  const double e = rule.element, h = d(model.hidden), k = d(mlp.experts_per_token);
  save_norm(list, model, rule, h, replicated);
  add(list, "feed-forward input", e * h, replicated, true);
  if (mlp.kind != MlpKind::moe) save_inner(list, rule, d(mlp.intermediate), mlp.gated);
  if (mlp.kind != MlpKind::dense) {
    const double inside = mlp.latent ? d(mlp.latent) : h;
    add(list, "router probabilities", 4.0 * d(mlp.experts), replicated);
    add(list, "dispatched tokens", e * k * inside, tensor, true);
    save_inner(list, rule, k * d(mlp.expert_intermediate), mlp.gated);
    add(list, "expert outputs", e * k * inside, tensor);
    if (mlp.shared_intermediate) save_inner(list, rule, d(mlp.shared_intermediate), mlp.gated);
  }
  if (rule.dropout > 0.0) add(list, "dropout mask", h, replicated);
}

void drop_unread(List& list, std::size_t from, bool trains, double input_share) {
  for (std::size_t i = from; i < list.size(); ++i) {
    if (list[i].weight_gradient) list[i].bytes_per_token *= input_share;
  }
  if (trains) return;
  for (std::size_t i = list.size(); i-- > from;) {
    if (list[i].weight_gradient) list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

std::vector<SavedTensor> saved_tensors(const Architecture& model, const Layer& layer, const SavingRule& rule) {
  List list;
  save_mixer(list, model, layer.mixer, rule);
  drop_unread(list, 0, rule.attention_trains, rule.input_share);
  const std::size_t from = list.size();
  save_mlp(list, model, layer.mlp, rule);
  drop_unread(list, from, rule.mlp_trains, rule.input_share);
  return list;
}

double attention_output(const Layer& layer, double element) {
  const Mixer& m = layer.mixer;
  switch (m.kind) {
    case MixerKind::mla: return element * d(m.heads * m.mla.v_dim);
    case MixerKind::full:
    case MixerKind::sliding:
    case MixerKind::chunked:
    case MixerKind::cross: return element * d(m.heads * (m.v_head_dim ? m.v_head_dim : m.head_dim));
    default: return 0.0;
  }
}

Sums forward_width(const Architecture& model, const Layer& layer, double element) {
  const Mlp& mlp = layer.mlp;
  const Mixer& m = layer.mixer;
  double inner = 0.0;
  if (mlp.kind == MlpKind::dense || mlp.kind == MlpKind::dense_and_moe) inner = d(mlp.intermediate) * (mlp.gated ? 3.0 : 2.0);
  if (mlp.kind == MlpKind::moe || mlp.kind == MlpKind::dense_and_moe) {
    const double routed = d(mlp.experts_per_token) * (d(mlp.expert_intermediate) * (mlp.gated ? 3.0 : 2.0) + d(model.hidden));
    inner = inner > routed ? inner : routed;
  }
  const double heads = m.kind == MixerKind::mla ? d(m.heads) * (2.0 * d(m.mla.nope_dim + m.mla.rope_dim) + 2.0 * d(m.mla.v_dim))
                                                : d(2 * (m.heads + m.kv_heads) * m.head_dim);
  Sums out;
  out[width_at + replicated] = element * 3.0 * d(model.hidden);
  out[width_at + tensor] = element * (inner > heads ? inner : heads);
  return out;
}

}  // namespace gpuplan::memory
