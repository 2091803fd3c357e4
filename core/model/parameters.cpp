/// Total and active parameters as sums over the tensors [M-params].
#include "core/model/tensors.hpp"

namespace gpuplan {
namespace {

bool is_routed(Role r) { return r == Role::expert_gate || r == Role::expert_up || r == Role::expert_down; }
bool outside_text(Role r) { return r == Role::vision || r == Role::audio || r == Role::mtp; }

/// The share of a routed tensor that one token visits; biases of experts count with their experts.
double active_share(const Architecture& a, const Tensor& t) {
  if (t.layer_kind < 0 || t.split != Split::expert) return 1.0;
  const Mlp& mlp = a.kinds[static_cast<std::size_t>(t.layer_kind)].mlp;
  if (!is_routed(t.role) && t.role != Role::bias) return 1.0;
  return static_cast<double>(mlp.experts_per_token) / static_cast<double>(mlp.experts);
}

}  // namespace

ParameterCount count_parameters(const Architecture& a) {
  ParameterCount count;
  const std::vector<std::int64_t> layers = layers_by_kind(a);
  for (const Tensor& t : tensors(a)) {
    const double times = t.layer_kind < 0 ? 1.0 : static_cast<double>(layers[static_cast<std::size_t>(t.layer_kind)]);
    const double elements = t.elements() * times;
    count.total += elements;
    if (outside_text(t.role)) continue;
    count.text += elements;
    count.active += elements * active_share(a, t);
    if (t.role == Role::token_embedding || t.role == Role::lm_head) count.embedding += elements;
  }
  return count;
}

}  // namespace gpuplan
