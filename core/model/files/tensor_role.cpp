#include "core/model/files/tensor_role.hpp"

namespace gpuplan {
namespace {

struct Rule {
  const char* part;   ///< a piece of the name, first match wins
  Role role;
};

// GGUF names (llama.cpp) first, then Hugging Face ones; pieces that contain others stand before them.
constexpr Rule rules[] = {
    {"ffn_gate_inp_shexp", Role::shared_expert_gate}, {"shared_expert_gate", Role::shared_expert_gate}, {"ffn_gate_inp", Role::router}, {"exp_probs_b", Role::bias},
    {"ffn_gate_shexp", Role::shared_gate_proj}, {"ffn_up_shexp", Role::shared_up}, {"ffn_down_shexp", Role::shared_down},
    {"ffn_gate_exps", Role::expert_gate}, {"ffn_gate_up_exps", Role::expert_up}, {"ffn_up_exps", Role::expert_up}, {"ffn_down_exps", Role::expert_down},
    {"nextn", Role::mtp}, {"indexer", Role::index},
    {"attn_q_a", Role::mla_q_a}, {"attn_q_b", Role::mla_q_b}, {"attn_kv_a", Role::mla_kv_a}, {"attn_kv_b", Role::mla_kv_b}, {"attn_k_b", Role::mla_kv_b}, {"attn_v_b", Role::mla_kv_b},
    {"attn_qkv", Role::attn_q}, {"attn_q", Role::attn_q}, {"attn_k", Role::attn_k}, {"attn_v", Role::attn_v}, {"attn_output", Role::attn_o},
    {"ffn_gate", Role::mlp_gate}, {"ffn_up", Role::mlp_up}, {"ffn_down", Role::mlp_down},
    {"ssm_conv1d", Role::ssm_small}, {"ssm_in", Role::ssm_in}, {"ssm_out", Role::ssm_out}, {"ssm_x", Role::ssm_in}, {"ssm_dt", Role::ssm_in}, {"ssm_ba", Role::ssm_in}, {"ssm_beta", Role::ssm_in}, {"ssm_alpha", Role::ssm_in},
    {"ssm_f_", Role::ssm_in}, {"ssm_g_", Role::ssm_in}, {"ssm_", Role::ssm_small}, {"attn_gate", Role::attn_q},
    {"shortconv.in_proj", Role::ssm_in}, {"shortconv.out_proj", Role::ssm_out}, {"shortconv", Role::ssm_small},
    {"token_embd", Role::token_embedding}, {"position_embd", Role::position_embedding}, {"token_types", Role::position_embedding},
    {"shared_expert.gate_proj", Role::shared_gate_proj}, {"shared_expert.up_proj", Role::shared_up}, {"shared_expert.down_proj", Role::shared_down},
    {"shared_experts.gate_proj", Role::shared_gate_proj}, {"shared_experts.up_proj", Role::shared_up}, {"shared_experts.down_proj", Role::shared_down},
    {"experts.gate_up_proj", Role::expert_up}, {"gate_up_proj", Role::mlp_up}, {"embed_tokens", Role::token_embedding}, {"wte", Role::token_embedding},
    {"word_embeddings", Role::token_embedding}, {"wpe", Role::position_embedding}, {"embed_positions", Role::position_embedding}, {"lm_head", Role::lm_head},
    {"q_a_proj", Role::mla_q_a}, {"q_b_proj", Role::mla_q_b}, {"kv_a_proj", Role::mla_kv_a}, {"kv_b_proj", Role::mla_kv_b},
    {"qkv_proj", Role::attn_q}, {"query_key_value", Role::attn_q}, {"c_attn", Role::attn_q}, {"W_pack", Role::attn_q}, {"Wqkv", Role::attn_q}, {"wqkv", Role::attn_q},
    {"conv1d", Role::ssm_small}, {"A_log", Role::ssm_small}, {"dt_bias", Role::ssm_small}, {"in_proj", Role::ssm_in}, {"x_proj", Role::ssm_in}, {"dt_proj", Role::ssm_in},
    {"q_proj", Role::attn_q}, {"k_proj", Role::attn_k}, {"v_proj", Role::attn_v}, {"o_proj", Role::attn_o}, {"out_proj", Role::attn_o}, {"attn.c_proj", Role::attn_o},
    {"mlp.gate.", Role::router}, {"block_sparse_moe.gate.", Role::router}, {"router", Role::router},
    {"gate_proj", Role::mlp_gate}, {"up_proj", Role::mlp_up}, {"down_proj", Role::mlp_down}, {"c_fc", Role::mlp_up}, {"mlp.c_proj", Role::mlp_down},
    {"dense_h_to_4h", Role::mlp_up}, {"dense_4h_to_h", Role::mlp_down}, {"fc1", Role::mlp_up}, {"fc2", Role::mlp_down},
    {".w1", Role::expert_gate}, {".w3", Role::expert_up}, {".w2", Role::expert_down},
};

bool holds(std::string_view text, std::string_view piece) { return text.find(piece) != std::string_view::npos; }
bool ends(std::string_view text, std::string_view tail) { return text.size() >= tail.size() && text.substr(text.size() - tail.size()) == tail; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The first ".<number>." of a name, as in blk.12. and model.layers.12.
bool split_layer(std::string_view name, std::int64_t& layer, std::string_view& rest) {
  for (std::size_t at = name.find('.'); at != std::string_view::npos; at = name.find('.', at + 1)) {
    std::size_t end = at + 1;
    std::int64_t number = 0;
    while (end < name.size() && is_digit(name[end]) && end - at <= 6) number = number * 10 + (name[end++] - '0');
    if (end == at + 1 || end >= name.size() || name[end] != '.') continue;
    layer = number;
    rest = name.substr(end + 1);
    return true;
  }
  return false;
}

Role expert_role(Role r) {
  if (r == Role::mlp_gate) return Role::expert_gate;
  if (r == Role::mlp_up) return Role::expert_up;
  return r == Role::mlp_down ? Role::expert_down : r;
}

/// "ffn_up.3.weight" of old mixture files and "experts.3.up_proj" are experts.
bool is_single_expert(std::string_view part) {
  if (holds(part, "experts.") && !holds(part, "shared_expert")) return true;
  for (const std::string_view old : {"ffn_gate.", "ffn_up.", "ffn_down."}) {
    const std::size_t at = part.find(old);
    if (at != std::string_view::npos && at + old.size() < part.size() && is_digit(part[at + old.size()])) return true;
  }
  return false;
}

/// Scales, zero points, indices and books beside a packed matrix, as the quantisers name them.
bool is_side(std::string_view name) {
  for (const std::string_view tail : {".scales", ".qzeros", ".g_idx", ".weight_scale", ".weight_scale_inv", ".weight_scale_2", ".weight_zero_point", ".weight_shape", ".weight_global_scale",
                                      ".input_scale", ".input_global_scale", ".absmax", ".quant_map", ".nested_absmax", ".nested_quant_map", ".SCB", ".weight_format", ".codebooks", "_scales",
                                      ".scale", ".biases"}) {
    if (ends(name, tail)) return true;
  }
  return holds(name, ".quant_state.");
}

}  // namespace

NamedTensor name_tensor(std::string_view name) {
  NamedTensor out;
  out.part = name;
  const std::string_view whole = name;
  if (holds(name, "visual.") || holds(name, "vision_") || name.substr(0, 2) == "v." || name.substr(0, 3) == "mm.") out.vision = true, out.role = Role::vision;
  const bool in_layer = split_layer(name, out.layer, out.part);
  out.side = is_side(name);
  if (out.vision) return out.layer = -1, out;
  if (!in_layer) out.layer = -1;
  if (ends(out.part, ".weight")) out.part.remove_suffix(7);
  if (ends(whole, ".bias") || ends(whole, "_bias")) return out.role = Role::bias, out;
  if (holds(out.part, "norm") || holds(out.part, "ln_") || holds(out.part, "layernorm")) return out.role = Role::norm, out;
  if (holds(out.part, "sinks")) return out;
  if (!in_layer && out.part == "output") return out.role = Role::lm_head, out;
  out.fused_qkv = holds(out.part, "attn_qkv") || holds(out.part, "qkv_proj") || holds(out.part, "query_key_value") || holds(out.part, "c_attn") || holds(out.part, "W_pack") || holds(out.part, "qkv");
  out.fused_gate = holds(out.part, "gate_up_proj") || holds(out.part, "ffn_gate_up");
  for (const Rule& rule : rules) {
    if (!holds(whole, rule.part)) continue;
    out.role = is_single_expert(out.part) ? expert_role(rule.role) : rule.role;
    return out;
  }
  return out;
}

}  // namespace gpuplan
