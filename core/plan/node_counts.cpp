#include "core/plan/node_counts.hpp"

namespace gpuplan {
namespace {
// Beyond these nobody recommends without being asked: a serving replica over more nodes, a training job over more than 2,048 nodes.
constexpr std::int64_t most_serving_nodes = 4, most_training_nodes = 2048, most_sized_nodes = 64;

/// All weights' gradients cross the links of every node: full training on many nodes is for those whose GPUs do not share PCIe.
bool clusters(const Offer& offer, Task task) {
  const ScaleUp up = offer.machine.scale_up;
  const bool fabric = up == ScaleUp::switched || up == ScaleUp::mesh || up == ScaleUp::all_to_all;
  return offer.can_cluster && (fabric || !is_training(task) || is_adapter(task));
}

}  // namespace

std::vector<Nodes> node_counts(const Scenario& s, const Offer& offer) {
  if (s.hardware.nodes) return {Nodes{*s.hardware.nodes}};
  // What the person has is what there is; of a named offer as many can be had as a training job needs.
  if (s.hardware.named() && !s.hardware.instance) return {offer.machine.nodes};
  if (s.hardware.instance && !is_training(s.task) && !s.policy.min_tokens_per_s) return {Nodes{1}};
  const std::int64_t most = !clusters(offer, s.task) ? 1 : is_training(s.task) ? most_training_nodes : most_serving_nodes;
  std::vector<Nodes> out;
  // A throughput to reach is reached with replicas: between the doublings too, so that nobody buys almost twice what is needed.
  const bool sized = !is_training(s.task) && s.policy.min_tokens_per_s && most > 1;
  for (std::int64_t n = 1; n <= (sized ? most_sized_nodes : most); n *= 2) {
    out.push_back(Nodes{n});
    if (sized && n > 1 && n < most_sized_nodes) out.push_back(Nodes{n + n / 2});
  }
  return out;
}

}  // namespace gpuplan
