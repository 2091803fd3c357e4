/// Feed-forward tensors: one dense network, or a router over experts beside shared ones [M-params].
#include "core/model/mixer_tensors.hpp"

namespace gpuplan {
namespace {

struct Projections {
  Role gate, up, down;
};

void add_network(TensorList& list, Projections role, bool gated, std::int64_t width, std::int64_t hidden) {
  if (gated) list.matrix(role.gate, Split::column, width, hidden);
  list.matrix(role.up, Split::column, width, hidden);
  list.matrix(role.down, Split::row, hidden, width);
}

void add_dense(TensorList& list, const Mlp& m, std::int64_t hidden) {
  add_network(list, {Role::mlp_gate, Role::mlp_up, Role::mlp_down}, m.gated, m.intermediate, hidden);
  if (!m.bias) return;
  list.vector(Role::bias, Split::column, (m.gated ? 2 : 1) * m.intermediate);
  list.vector(Role::bias, Split::replicated, hidden);
}

void add_experts(TensorList& list, const Mlp& m, std::int64_t hidden) {
  const std::int64_t input = m.latent > 0 ? m.latent : hidden;
  list.matrix(Role::router, Split::replicated, m.experts, hidden);
  if (m.router_bias) list.vector(Role::bias, Split::replicated, m.experts);
  if (m.latent > 0) {
    list.matrix(Role::latent_proj, Split::replicated, m.latent, hidden);
    list.matrix(Role::latent_proj, Split::replicated, hidden, m.latent);
  }
  if (m.gated) list.matrix(Role::expert_gate, Split::expert, m.expert_intermediate, input, m.experts);
  list.matrix(Role::expert_up, Split::expert, m.expert_intermediate, input, m.experts);
  list.matrix(Role::expert_down, Split::expert, input, m.expert_intermediate, m.experts);
  if (m.expert_bias) list.vector(Role::bias, Split::expert, (m.gated ? 2 : 1) * m.expert_intermediate + input, m.experts);
}

void add_shared(TensorList& list, const Mlp& m, std::int64_t hidden) {
  add_network(list, {Role::shared_gate_proj, Role::shared_up, Role::shared_down}, m.gated, m.shared_intermediate, hidden);
  if (m.shared_gate) list.matrix(Role::shared_expert_gate, Split::replicated, 1, hidden);
}

}  // namespace

void add_mlp(TensorList& list, const Mlp& m, std::int64_t hidden) {
  if (m.kind == MlpKind::dense || m.kind == MlpKind::dense_and_moe) add_dense(list, m, hidden);
  if (m.kind != MlpKind::moe && m.kind != MlpKind::dense_and_moe) return;
  add_experts(list, m, hidden);
  if (m.shared_intermediate > 0) add_shared(list, m, hidden);
}

}  // namespace gpuplan
