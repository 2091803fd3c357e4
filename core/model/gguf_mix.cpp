/// The rules of llama.cpp's quantiser (src/llama-quant.cpp, 2025), retold by role. They assume an importance matrix for the mixes that need one
/// (IQ1 to IQ3) and none for the others, as the published files do.
#include "core/model/gguf_mix.hpp"

namespace gpuplan {
namespace {

using F = WeightFormat;
using G = GgmlType;

G base_type(F f) {
  switch (f) {
    case F::q4_0: return G::q4_0;
    case F::q4_1: return G::q4_1;
    case F::q5_0: return G::q5_0;
    case F::q5_1: return G::q5_1;
    case F::q8_0: return G::q8_0;
    case F::q2_k:
    case F::q2_k_s: return G::q2_k;
    case F::q3_k_s:
    case F::q3_k_m:
    case F::q3_k_l: return G::q3_k;
    case F::q4_k_s:
    case F::q4_k_m: return G::q4_k;
    case F::q5_k_s:
    case F::q5_k_m: return G::q5_k;
    case F::q6_k: return G::q6_k;
    case F::iq1_s: return G::iq1_s;
    case F::iq1_m: return G::iq1_m;
    case F::iq2_xxs: return G::iq2_xxs;
    case F::iq2_xs:
    case F::iq2_s: return G::iq2_xs;
    case F::iq2_m: return G::iq2_s;
    case F::iq3_xxs: return G::iq3_xxs;
    case F::iq3_xs:
    case F::iq3_s:
    case F::iq3_m: return G::iq3_s;
    case F::iq4_nl: return G::iq4_nl;
    case F::iq4_xs: return G::iq4_xs;
    case F::tq1_0: return G::tq1_0;
    case F::tq2_0: return G::tq2_0;
    default: return G::f16;
  }
}

/// Mixes below three bits follow rules of their own.
bool is_tiny(F f) { return f == F::iq1_s || f == F::iq1_m || f == F::iq2_xxs || f == F::iq2_xs || f == F::iq2_s || f == F::iq2_m; }
bool is_larger_tiny(F f) { return f == F::iq2_s || f == F::iq2_m; }

/// The first and last eighth of the layers and every third between get more bits.
bool more_bits(std::int64_t i, std::int64_t n) { return i < n / 8 || i >= 7 * n / 8 || (i - n / 8) % 3 == 2; }

G output_type(F f, const MixPlace& p) {
  if (p.falcon) return G::q8_0;
  if (is_tiny(f) || f == F::iq3_xxs) return G::q5_k;
  return base_type(f) == G::q8_0 ? G::q8_0 : G::q6_k;
}

G embedding_type(F f, const MixPlace& p) {
  if (p.tied) return output_type(f, p);
  if (is_larger_tiny(f) || f == F::iq3_xxs) return G::iq3_s;
  if (is_tiny(f)) return G::q2_k;
  if (f == F::tq1_0 || f == F::tq2_0) return G::q4_k;
  return base_type(f);
}

G tiny_type(F f, const MixPlace& p) {
  const G raised = is_larger_tiny(f) ? G::iq3_s : G::q2_k;
  switch (p.role) {
    case Role::attn_v: return p.heads_per_kv >= 4 || p.experts >= 4 ? G::q4_k : raised;
    case Role::attn_k: return p.experts == 8 ? G::q4_k : base_type(f);
    case Role::mlp_down:
    case Role::expert_down:
    case Role::shared_down: return p.layer < p.layers / 8 ? raised : base_type(f);
    case Role::attn_o:
      if (p.experts == 8) return G::q5_k;
      if (f == F::iq1_s || f == F::iq1_m) return G::iq2_xxs;
      return is_larger_tiny(f) ? G::iq3_s : base_type(f);
    default: return base_type(f);
  }
}

G value_type_by_mix(F f, const MixPlace& p) {
  const bool grouped = p.heads_per_kv >= 4;
  switch (f) {
    case F::q2_k: return grouped ? G::q4_k : G::q3_k;
    case F::q2_k_s: return grouped ? G::q4_k : G::q2_k;
    case F::iq3_xxs: return grouped ? G::q4_k : G::iq3_xxs;
    case F::iq3_xs:
    case F::iq3_s: return grouped ? G::q4_k : G::iq3_s;
    case F::iq3_m: return G::q4_k;
    case F::q3_k_m: return p.value_layer < 2 ? G::q5_k : G::q4_k;
    case F::q3_k_l: return G::q5_k;
    case F::iq4_nl:
    case F::iq4_xs: return grouped ? G::q5_k : base_type(f);
    case F::q4_k_m:
    case F::q5_k_m: return more_bits(p.value_layer, p.value_layers) ? G::q6_k : base_type(f);
    case F::q4_k_s: return p.value_layer < 4 ? G::q5_k : G::q4_k;
    default: return base_type(f);
  }
}

G value_type(F f, const MixPlace& p) {
  if (p.experts == 8) return G::q8_0;
  const G type = value_type_by_mix(f, p);
  return p.seventy_b && (type == G::q3_k || type == G::q4_k) ? G::q5_k : type;
}

G query_or_key_type(F f, const MixPlace& p) {
  if (p.role == Role::attn_k && p.experts == 8) return G::q8_0;
  if (f == F::iq3_xs) return G::iq3_xxs;
  if (f == F::iq3_xxs) return G::iq2_s;
  return base_type(f);
}

G falcon_down_type(F f, const MixPlace& p) {
  const bool first = p.layer < p.layers / 16, more = more_bits(p.layer, p.layers);
  if (f == F::q3_k_m) return first ? G::q5_k : more ? G::q4_k : G::q3_k;
  if (f == F::q3_k_l) return G::q4_k;
  if (f == F::q4_k_m) return first ? G::q6_k : more ? G::q5_k : G::q4_k;
  return f == F::q2_k ? G::q3_k : f == F::q5_k_m && more ? G::q6_k : base_type(f);
}

G down_type(F f, const MixPlace& p) {
  if (p.falcon) return falcon_down_type(f, p);
  const bool first_eighth = p.layer < p.layers / 8;
  switch (f) {
    case F::q2_k: return G::q3_k;
    case F::q2_k_s: return first_eighth ? G::q4_k : G::q2_k;
    case F::q3_k_m: return p.layer < p.layers / 16 ? G::q5_k : G::q4_k;
    case F::q3_k_l: return G::q5_k;
    case F::iq3_m: return first_eighth || (p.experts == 8 && more_bits(p.layer, p.layers)) ? G::q4_k : G::iq3_s;
    case F::q4_k_m:
    case F::q5_k_m: return more_bits(p.layer, p.layers) ? G::q6_k : base_type(f);
    case F::q4_k_s:
    case F::iq4_nl:
    case F::iq4_xs: return first_eighth ? G::q5_k : base_type(f);
    default: return base_type(f);
  }
}

G attention_output_type(F f, const MixPlace& p) {
  if (p.falcon) return f == F::q3_k_l ? G::q4_k : base_type(f);
  const bool raised_with_experts = (f >= F::q2_k && f <= F::q4_k_m && f != F::q2_k_s && f != F::q3_k_l) || (f >= F::iq3_xxs && f <= F::iq4_xs);
  if (p.experts == 8) return raised_with_experts ? G::q5_k : base_type(f);
  switch (f) {
    case F::q2_k: return G::q3_k;
    case F::iq3_xxs: return G::iq3_s;
    case F::q3_k_m:
    case F::iq3_m: return G::q4_k;
    case F::q3_k_l: return G::q5_k;
    default: return base_type(f);
  }
}

G fused_qkv_type(F f) {
  if (f == F::q3_k_m || f == F::q3_k_l || f == F::iq3_m) return G::q4_k;
  if (f == F::q4_k_m) return G::q5_k;
  return f == F::q5_k_m ? G::q6_k : base_type(f);
}

G gate_or_up_type(F f, const MixPlace& p) {
  const bool middle = p.layer >= p.layers / 8 && p.layer < 7 * p.layers / 8;
  return f == F::iq3_xs && middle ? G::iq3_xxs : base_type(f);
}

G type_by_role(F f, const MixPlace& p) {
  if (p.role == Role::lm_head) return output_type(f, p);
  if (p.role == Role::token_embedding) return embedding_type(f, p);
  if (is_tiny(f)) return tiny_type(f, p);
  switch (p.role) {
    case Role::attn_q: return p.fused_qkv ? fused_qkv_type(f) : query_or_key_type(f, p);
    case Role::attn_k: return p.fused_qkv ? fused_qkv_type(f) : query_or_key_type(f, p);
    case Role::attn_v: return p.fused_qkv ? fused_qkv_type(f) : value_type(f, p);
    case Role::attn_o: return attention_output_type(f, p);
    case Role::mlp_down:
    case Role::expert_down:
    case Role::shared_down: return down_type(f, p);
    case Role::mlp_gate:
    case Role::mlp_up:
    case Role::expert_gate:
    case Role::expert_up:
    case Role::shared_gate_proj:
    case Role::shared_up: return gate_or_up_type(f, p);
    default: return base_type(f);
  }
}

/// Rows that are not a multiple of 256 take the next larger type with blocks of 32; rows not a multiple of 32 stay 16-bit.
G fall_back(G type, std::int64_t columns) {
  if (columns % ggml_block(type).elements == 0) return type;
  G next = G::iq4_nl;
  if (type == G::tq1_0 || type == G::tq2_0) next = G::q4_0;
  if (type == G::q4_k) next = G::q5_0;
  if (type == G::q5_k) next = G::q5_1;
  if (type == G::q6_k) next = G::q8_0;
  return columns % 32 == 0 ? next : G::f16;
}

/// The head of a model whose rows do not fit the mix's blocks is stored with 8 bits at once.
bool is_output(const MixPlace& p) { return p.role == Role::lm_head || (p.role == Role::token_embedding && p.tied); }

/// Layers before `end` whose value projection the mix counts (MLA's combined one included).
std::int64_t value_layers_before(const Architecture& a, std::int64_t end) {
  std::int64_t seen = 0, counted = 0;
  for (const auto* runs : {&a.order, &a.decoder_order}) {
    for (const LayerRun& run : *runs) {
      const MixerKind kind = a.kinds[static_cast<std::size_t>(run.kind)].mixer.kind;
      const std::int64_t inside = end - seen < run.count ? end - seen : run.count;
      if (inside > 0 && kind >= MixerKind::full && kind <= MixerKind::mla) counted += inside;
      seen += run.count;
    }
  }
  return counted;
}

}  // namespace

MixPlace mix_place(const Architecture& a, const Tensor& t, std::int64_t layer, std::int64_t layer_count) {
  MixPlace p;
  p.role = t.role, p.layer = layer, p.layers = layer_count, p.tied = a.tied;
  p.falcon = a.family == "Falcon";
  for (const Layer& l : a.kinds) p.experts = l.mlp.experts > p.experts ? l.mlp.experts : p.experts;
  if (t.layer_kind < 0) return p;
  const Mixer& m = a.kinds[static_cast<std::size_t>(t.layer_kind)].mixer;
  p.heads_per_kv = m.kv_heads > 0 ? m.heads / m.kv_heads : 1;
  p.fused_qkv = m.fused_qkv;
  p.seventy_b = a.layer_count() == 80 && p.heads_per_kv > 1 && p.experts == 0;
  if (t.role == Role::attn_v) p.value_layer = value_layers_before(a, layer), p.value_layers = value_layers_before(a, a.layer_count());
  return p;
}

GgmlType mix_type(WeightFormat mix, const MixPlace& place, std::int64_t columns) {
  if (is_output(place) && columns % ggml_block(base_type(mix)).elements != 0) return fall_back(G::q8_0, columns);
  return fall_back(type_by_role(mix, place), columns);
}

}  // namespace gpuplan
