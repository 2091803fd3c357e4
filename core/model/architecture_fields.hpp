#pragma once
/// The fields of the architecture's own JSON, listed once for reader and writer: `visit(name, member)` in the order of writing.
#include <string_view>

#include "core/model/architecture.hpp"
#include "core/model/architecture_json.hpp"

namespace gpuplan {

inline constexpr const char* mixer_names[] = {"none", "full", "sliding", "chunked", "mla", "gated_delta", "kda", "lightning", "mamba1", "mamba2", "rwkv", "short_conv", "cross"};
inline constexpr const char* qk_norm_names[] = {"none", "per_head", "full"};
inline constexpr const char* mlp_names[] = {"none", "dense", "moe", "dense_and_moe"};
inline constexpr const char* norm_names[] = {"rms", "layer", "none"};
inline constexpr const char* class_names[] = {"decoder", "encoder", "encoder_decoder", "vision", "audio", "diffusion"};

/// The largest value of a size by its name, so that no product of sizes overflows: heads and their sizes, kernels, else any width or count.
inline std::int64_t size_limit(std::string_view name) {
  for (const std::string_view small : {"heads", "kv_heads", "k_heads", "v_heads", "index_heads", "groups", "o_groups", "head_dim", "v_head_dim", "k_dim", "v_dim", "rope_dim",
                                       "nope_dim", "index_dim", "state", "experts", "experts_per_token", "norms", "extra_norms", "layers", "mtp_layers"}) {
    if (name == small) return 100'000;
  }
  return name == "conv" ? 1'000 : largest_size;
}

template <class Visit>
void fields(Visit& visit, Mla& m) {
  visit("q_rank", m.q_rank), visit("kv_rank", m.kv_rank), visit("rope_dim", m.rope_dim), visit("nope_dim", m.nope_dim), visit("v_dim", m.v_dim);
  visit("output_gate", m.output_gate);
}

template <class Visit>
void fields(Visit& visit, Recurrent& r) {
  visit("k_heads", r.k_heads), visit("v_heads", r.v_heads), visit("k_dim", r.k_dim), visit("v_dim", r.v_dim);
  visit("inner", r.inner), visit("state", r.state), visit("groups", r.groups), visit("dt_rank", r.dt_rank);
  visit("heads", r.heads), visit("head_dim", r.head_dim), visit("conv", r.conv);
  visit("inner_norms", r.inner_norms), visit("full_gate", r.full_gate), visit("no_norm", r.no_norm);
}

template <class Visit>
void fields(Visit& visit, Mixer& m) {
  visit("kind", m.kind, mixer_names);
  visit("heads", m.heads), visit("kv_heads", m.kv_heads), visit("head_dim", m.head_dim), visit("v_head_dim", m.v_head_dim);
  visit("window", m.window);
  visit("q_bias", m.q_bias), visit("k_bias", m.k_bias), visit("v_bias", m.v_bias), visit("o_bias", m.o_bias);
  visit("qk_norm", m.qk_norm, qk_norm_names), visit("qk_norm_bias", m.qk_norm_bias);
  visit("output_gate", m.output_gate), visit("k_equals_v", m.k_equals_v), visit("shares_kv", m.shares_kv), visit("spare_kv", m.spare_kv), visit("sinks", m.sinks), visit("fused_qkv", m.fused_qkv);
  visit("index_heads", m.index_heads), visit("index_dim", m.index_dim), visit("index_topk", m.index_topk);
  visit("compress_ratio", m.compress_ratio), visit("o_groups", m.o_groups), visit("o_rank", m.o_rank);
  visit.params("extra_params", m.extra_params);
  visit.object("mla", m.mla), visit.object("recurrent", m.recurrent);
}

template <class Visit>
void fields(Visit& visit, Mlp& m) {
  visit("kind", m.kind, mlp_names);
  visit("gated", m.gated), visit("bias", m.bias), visit("intermediate", m.intermediate);
  visit("experts", m.experts), visit("experts_per_token", m.experts_per_token), visit("expert_intermediate", m.expert_intermediate);
  visit("shared_intermediate", m.shared_intermediate), visit("shared_gate", m.shared_gate);
  visit("router_bias", m.router_bias), visit("expert_bias", m.expert_bias), visit("latent", m.latent);
}

template <class Visit>
void fields(Visit& visit, Layer& l) {
  visit.object("mixer", l.mixer), visit.object("mlp", l.mlp);
  visit("norms", l.norms), visit.params("extra_params", l.extra_params);
}

template <class Visit>
void fields(Visit& visit, Tower& t) {
  visit.params("params", t.params);
  visit("layers", t.layers), visit("hidden", t.hidden), visit("heads", t.heads), visit("intermediate", t.intermediate);
  visit("patch", t.patch), visit("merge", t.merge), visit("image_size", t.image_size), visit("tokens_per_item", t.tokens_per_item);
}

template <class Visit>
void fields(Visit& visit, Classic& c) {
  visit.params("params", c.params);
  visit("forward_flops_per_item", c.forward_flops_per_item), visit("activation_elements_per_item", c.activation_elements_per_item);
  visit("image_size", c.image_size);
}

template <class Visit>
void fields(Visit& visit, Architecture& a) {
  visit("id", a.id), visit("name", a.name), visit("family", a.family), visit("class", a.model_class, class_names);
  visit("year", a.year), visit("license", a.license);
  visit("hidden", a.hidden), visit("vocab", a.vocab), visit("max_context", a.max_context);
  visit("tied", a.tied), visit("lm_head_bias", a.lm_head_bias);
  visit("learned_positions", a.learned_positions), visit("token_types", a.token_types), visit("embedding_dim", a.embedding_dim);
  visit("extra_norms", a.extra_norms), visit("norm", a.norm, norm_names), visit("norm_bias", a.norm_bias);
  visit.layers("kinds", a.kinds), visit.runs("order", a.order), visit.runs("decoder_order", a.decoder_order);
  visit("mtp_layers", a.mtp_layers), visit.params("mtp_params", a.mtp_params), visit.params("extra_params", a.extra_params);
  visit.object("vision", a.vision), visit.object("audio", a.audio), visit.object("classic", a.classic);
  visit("dropout", a.dropout), visit("published_dtype", a.published_dtype), visit.stored("stored", a.stored);
}

}  // namespace gpuplan
