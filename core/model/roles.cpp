#include <iterator>

#include "core/model/tensors.hpp"

namespace gpuplan {
namespace {

constexpr const char* names[] = {"token_embedding", "position_embedding", "lm_head", "norm", "bias", "attn_q", "attn_k", "attn_v", "attn_o", "mla_q_a", "mla_q_b", "mla_kv_a",
                                 "mla_kv_b", "index", "mlp_gate", "mlp_up", "mlp_down", "router", "expert_gate", "expert_up", "expert_down", "shared_gate_proj", "shared_up",
                                 "shared_down", "shared_expert_gate", "latent_proj", "ssm_in", "ssm_out", "ssm_small", "vision", "audio", "mtp", "other"};
static_assert(std::size(names) == static_cast<std::size_t>(Role::other) + 1);

}  // namespace

const char* role_name(Role role) { return names[static_cast<std::size_t>(role)]; }

std::optional<Role> parse_role(std::string_view text) {
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (text == names[i]) return static_cast<Role>(i);
  }
  return std::nullopt;
}

}  // namespace gpuplan
