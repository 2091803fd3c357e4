#include "core/model/huggingface/dialect.hpp"

namespace gpuplan {
namespace {

bool is_family(const Dialect& d, std::string_view name) { return d.family->name == name; }
bool starts(const std::string& text, std::string_view with) { return text.compare(0, with.size(), with) == 0; }

void add_index(const Dialect& d, std::int64_t layer, Mixer& m) {
  const auto dim = d.text.size({"index_head_dim"});
  if (!dim) return;
  if (const auto types = d.text.texts({"indexer_types"}); types && static_cast<std::size_t>(layer) < types->size()) {
    if ((*types)[static_cast<std::size_t>(layer)] != "full") return;  // shares an earlier layer's indexer
  }
  m.index_dim = *dim;
  m.index_heads = d.text.size({"index_n_heads"}).value_or(1);
  m.index_topk = d.text.count({"index_topk"}).value_or(0);
}

/// MiniMax-M3: an indexer with its own queries and one key picks blocks of tokens; its two norms stand where DSA's layer norm does.
void add_block_index(const Dialect& d, const Sizes& s, std::int64_t layer, Mixer& m) {
  const auto sparse = d.text.object({"sparse_attention_config"});
  const auto where = sparse ? sparse->integers({"sparse_attention_freq"}) : std::nullopt;
  const bool on = where && static_cast<std::size_t>(layer) < where->size() && (*where)[static_cast<std::size_t>(layer)] != 0 && sparse->flag({"use_sparse_attention"}).value_or(true);
  if (!on) return;
  m.index_dim = sparse->size({"sparse_index_dim"}).value_or(128);
  m.index_topk = sparse->count({"sparse_topk_blocks"}).value_or(16) * sparse->size({"sparse_block_size"}).value_or(128);
  const double heads = static_cast<double>(sparse->size({"sparse_num_index_heads"}).value_or(4) + 1), dim = static_cast<double>(m.index_dim);
  const double elements = heads * dim * static_cast<double>(s.hidden) + 2.0 * dim;
  m.extra_params += elements < 1e15 ? static_cast<std::int64_t>(elements) : 0;
}

Mixer latent(const Dialect& d, const Sizes& s, std::int64_t layer, std::int64_t rank) {
  Mixer m;
  m.kind = MixerKind::mla;
  m.heads = m.kv_heads = s.heads;
  m.mla.kv_rank = rank;
  m.mla.q_rank = d.text.count({"q_lora_rank"}).value_or(0);
  m.mla.rope_dim = d.text.count({"qk_rope_head_dim", "qk_pos_emb_head_dim"}).value_or(64);
  m.mla.nope_dim = d.text.count({"qk_nope_head_dim", "qk_head_dim"}).value_or(128);
  m.mla.v_dim = d.text.size({"v_head_dim"}).value_or(is_family(d, "MiniCPM") ? s.hidden / s.heads : 128);
  m.mla.output_gate = d.text.flag({"mla_use_output_gate", "use_mla_output_gate"}).value_or(false);
  m.head_dim = m.mla.nope_dim + m.mla.rope_dim;
  m.v_head_dim = m.mla.v_dim;
  add_index(d, layer, m);
  return m;
}

/// DeepSeek-V4: one shared key/value head, a short window, and compressed entries behind it.
void compress(const Dialect& d, std::int64_t layer, Mixer& m) {
  m.mla.q_rank = d.text.count({"q_lora_rank"}).value_or(0);
  m.o_groups = d.text.count({"o_groups"}).value_or(0);
  m.o_rank = d.text.count({"o_lora_rank"}).value_or(0);
  m.k_equals_v = m.sinks = true;
  m.extra_params = m.head_dim;  // norm of the shared key/value head
  m.window = d.text.count({"sliding_window"}).value_or(128);
  const auto ratios = d.text.integers({"compress_ratios"});
  const std::int64_t ratio = ratios && static_cast<std::size_t>(layer) < ratios->size() ? (*ratios)[static_cast<std::size_t>(layer)] : 0;
  m.kind = ratio > 0 ? MixerKind::full : MixerKind::sliding;
  m.compress_ratio = ratio > 0 ? ratio : 0;
  if (ratio > 0 && ratio <= 4) add_index(d, layer, m);
}

/// Window layers with head counts and sizes of their own (MiMo-V2), full layers with theirs (Gemma-4).
void size_by_kind(const Dialect& d, Mixer& m) {
  if (m.kind == MixerKind::sliding) {
    m.heads = d.text.size({"swa_num_attention_heads"}).value_or(m.heads);
    m.kv_heads = d.text.size({"swa_num_key_value_heads"}).value_or(m.kv_heads);
    m.head_dim = d.text.size({"swa_head_dim"}).value_or(m.head_dim);
    m.v_head_dim = d.text.size({"swa_v_head_dim"}).value_or(m.v_head_dim);
    if (const auto other = d.text.object({"attention_other_setting"})) {  // Step-3.5
      m.heads = other->size({"num_attention_heads"}).value_or(m.heads);
      m.kv_heads = other->size({"num_attention_groups"}).value_or(m.kv_heads);
      m.head_dim = m.v_head_dim = other->size({"head_dim"}).value_or(m.head_dim);
    }
  }
  if (m.kind == MixerKind::full && d.text.has("global_head_dim")) {
    m.head_dim = m.v_head_dim = d.text.size({"global_head_dim"}).value_or(m.head_dim);
    m.kv_heads = d.text.size({"num_global_key_value_heads"}).value_or(m.kv_heads);
    m.k_equals_v = d.text.flag({"attention_k_eq_v"}).value_or(false);
  }
}

/// Head counts that differ from layer to layer: lists (OpenELM), blocks (Nemotron-NAS).
void size_by_layer(const Dialect& d, std::int64_t layer, Mixer& m) {
  const auto at = static_cast<std::size_t>(layer);
  if (const auto heads = d.text.integers({"num_query_heads"}); heads && at < heads->size()) m.heads = (*heads)[at];
  if (const auto kv = d.text.integers({"num_kv_heads", "num_key_value_heads"}); kv && at < kv->size()) m.kv_heads = (*kv)[at];
  const auto block = d.text.entry("block_configs", at);
  const auto attention = block ? block->object({"attention"}) : std::nullopt;
  if (!attention) return;
  if (attention->flag({"no_op"}).value_or(false) || attention->flag({"replace_with_linear"}).value_or(false)) {
    m = Mixer{};
    m.kind = MixerKind::none;
  } else if (const auto group = attention->size({"n_heads_in_group"}); group && m.heads % *group == 0) {
    m.kv_heads = m.heads / *group;
  } else if (const auto kv = attention->size({"num_key_value_heads"})) {
    m.kv_heads = *kv;
  }
}

void add_window(const Dialect& d, Mixer& m) {
  if (m.kind == MixerKind::chunked) m.window = d.text.size({"attention_chunk_size"}).value_or(8192);
  if (m.kind != MixerKind::sliding) return;
  if (const auto window = d.text.size({"sliding_window", "sliding_window_size", "window_size", "attention_window_size"})) {
    m.window = *window;
    return;
  }
  m.window = 4096;
  d.text.findings().assume("model-assumed", "No key gives the sliding window; 4096 tokens were taken.");
}

/// Keys and values of the cross-attention layers come from image tokens: up to four tiles of 1601 (Llama-3.2-Vision).
void make_cross(const Dialect& d, Mixer& m) {
  m.window = 6404;
  m.qk_norm = Mixer::QkNorm::per_head;
  m.extra_params = 2;  // gates of attention and feed-forward
  d.text.findings().assume("model-assumed", "Cross-attention layers were sized for four image tiles (6404 tokens).");
}

}  // namespace

Mixer read_attention(const Dialect& d, const Sizes& s, std::int64_t layer, MixerKind kind) {
  const auto rank = d.text.count({"kv_lora_rank"});
  const bool uses_latent = d.text.flag({"use_mla"}).value_or(true);
  if (rank && *rank > 0 && uses_latent && kind == MixerKind::full) return latent(d, s, layer, *rank);
  const Biases bias = read_biases(d);
  Mixer m;
  m.kind = kind;
  m.heads = s.heads, m.kv_heads = s.kv_heads, m.head_dim = s.head_dim, m.v_head_dim = s.v_head_dim;
  m.q_bias = m.k_bias = m.v_bias = bias.qkv;
  m.o_bias = bias.o;
  m.fused_qkv = d.family->fused_qkv;
  m.qk_norm = read_qk_norm(d);
  m.qk_norm_bias = d.type == "phi" || d.type == "persimmon";
  const bool gates = is_family(d, "Qwen3.5") || is_family(d, "Trinity");
  m.output_gate = d.text.flag({"attn_output_gate", "attention_output_gate"}).value_or(gates);
  m.sinks = d.family->sinks || (kind == MixerKind::sliding && d.text.flag({"add_swa_attention_sink_bias"}).value_or(false)) ||
            (kind == MixerKind::full && d.text.flag({"add_full_attention_sink_bias"}).value_or(false));
  size_by_kind(d, m);
  size_by_layer(d, layer, m);
  if (m.kind == MixerKind::none) return m;
  add_window(d, m);
  if (kind == MixerKind::cross) make_cross(d, m);
  add_block_index(d, s, layer, m);
  if (d.text.has("o_lora_rank") || starts(d.type, "deepseek_v4")) compress(d, layer, m);
  return m;
}

namespace {

/// RWKV-4 keeps a vector per layer, later versions a matrix per head; 5 and 6 gate the output by a full projection.
void read_rwkv(const Dialect& d, const Sizes& s, Recurrent& r) {
  const std::int64_t width = d.text.size({"attention_hidden_size"}).value_or(s.hidden);
  r.head_dim = d.type == "rwkv" ? 1 : d.text.size({"head_size", "head_dim"}).value_or(64);
  r.heads = width / r.head_dim;
  r.full_gate = d.type == "rwkv5" || d.type == "rwkv6";
}

}  // namespace

Mixer read_recurrent(const Dialect& d, const Sizes& s, MixerKind kind) {
  Mixer m;
  m.kind = kind;
  Recurrent& r = m.recurrent;
  const ConfigView linear = d.text.object({"linear_attn_config"}).value_or(d.text);
  const auto inner = [&] {
    if (const auto n = d.text.size({"intermediate_size"}); n && (d.type == "mamba" || d.type == "falcon_mamba")) return *n;
    if (const auto n = d.text.size({"mamba_d_ssm"})) return *n;
    return d.text.size({"expand", "mamba_expand"}).value_or(2) * s.hidden;
  };
  switch (kind) {
    case MixerKind::gated_delta:
      r.k_heads = d.text.size({"linear_num_key_heads"}).value_or(s.kv_heads), r.v_heads = d.text.size({"linear_num_value_heads"}).value_or(s.heads);
      r.k_dim = d.text.size({"linear_key_head_dim"}).value_or(128), r.v_dim = d.text.size({"linear_value_head_dim"}).value_or(128);
      r.conv = d.text.size({"linear_conv_kernel_dim"}).value_or(4);
      break;
    case MixerKind::kda:
      r.k_heads = r.v_heads = linear.size({"num_heads"}).value_or(s.heads);
      r.k_dim = r.v_dim = linear.size({"head_dim"}).value_or(128);
      r.conv = linear.size({"short_conv_kernel_size"}).value_or(4);
      r.full_gate = linear.flag({"use_full_rank_gate", "full_rank_gate"}).value_or(d.type == "kimi_k3");
      break;
    case MixerKind::lightning:
      r.k_heads = r.v_heads = s.heads, r.k_dim = r.v_dim = s.head_dim;
      if (is_family(d, "Ling") && d.text.flag({"use_qk_norm"}).value_or(false)) m.extra_params = 2 * s.head_dim;
      break;
    case MixerKind::mamba1:
      r.inner = inner();
      r.state = d.text.size({"state_size", "mamba_d_state", "d_state"}).value_or(16);
      r.conv = d.text.size({"conv_kernel", "mamba_d_conv", "d_conv"}).value_or(4);
      r.dt_rank = (s.hidden + 15) / 16;
      if (!d.text.text({"time_step_rank", "mamba_dt_rank"})) r.dt_rank = d.text.size({"time_step_rank", "mamba_dt_rank"}).value_or(r.dt_rank);
      r.inner_norms = is_family(d, "Jamba");
      break;
    case MixerKind::mamba2:
      r.heads = d.text.size({"mamba_num_heads", "mamba_n_heads", "num_heads"}).value_or(0);
      r.head_dim = d.text.size({"mamba_head_dim", "mamba_d_head", "head_dim"}).value_or(64);
      r.inner = r.heads > 0 ? r.heads * r.head_dim : inner();
      if (r.heads == 0 && r.head_dim > 0) r.heads = r.inner / r.head_dim;
      r.state = d.text.size({"ssm_state_size", "mamba_d_state", "state_size", "mamba_state_dim"}).value_or(128);
      r.groups = d.text.size({"n_groups", "mamba_n_groups", "mamba_num_groups"}).value_or(1);
      r.conv = d.text.size({"conv_kernel", "mamba_d_conv"}).value_or(4);
      r.no_norm = d.type == "falcon_h1" && !d.text.flag({"mamba_rms_norm"}).value_or(false);
      break;
    case MixerKind::short_conv: r.inner = s.hidden, r.conv = d.text.size({"conv_L_cache", "conv_kernel"}).value_or(3); break;
    case MixerKind::rwkv: read_rwkv(d, s, r); break;
    default: break;
  }
  return m;
}

}  // namespace gpuplan
