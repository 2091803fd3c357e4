#include "core/compute/training_rollout.hpp"

#include <algorithm>

namespace gpuplan {
namespace {

constexpr double half_bytes = 2.0;

/// One decode step of one layer: weights are read once, keys and values of all samples at half their final length on average.
KernelTime decode_layer(const PreparedTraining& p, const TrainingPlace& at, const TrainedLayer& layer, double samples, double output_tokens) {
  KernelTime t;
  for (const TrainedGemm& g : layer.gemms) {
    const double experts = static_cast<double>(layer.mlp.experts);
    const double visited = g.gemm.expert ? distinct_experts(experts, static_cast<double>(layer.mlp.experts_per_token), samples) / at.ep : 1.0;
    const double rows = g.gemm.expert ? samples * static_cast<double>(layer.mlp.experts_per_token) / std::max(1.0, visited * at.ep) : samples;
    const double tp = g.gemm.expert ? at.expert_tp : at.tp, n = g.gemm.n_at(tp), k = g.gemm.k_at(tp);
    t += grouped_gemm_time(at.rates, Kernel::half, std::max(1.0, visited), rows, n, k, Bytes{std::max(1.0, visited) * n * k * half_bytes});
  }
  const double context = std::max(0.0, p.sequence - output_tokens) + output_tokens / 2.0;
  const double window = layer.mixer.window > 0 ? std::min(context, static_cast<double>(layer.mixer.window)) : context;
  const double heads = static_cast<double>(std::max<std::int64_t>(1, layer.mixer.kv_heads));
  const double cached = layer.mixer.kind == MixerKind::mla ? static_cast<double>(layer.mixer.mla.kv_rank + layer.mixer.mla.rope_dim)
                                                           : 2.0 * heads * static_cast<double>(layer.mixer.head_dim) / std::min(at.tp, heads);
  if (layer.pairs > 0.0) t += attention_time(at.rates, Flops{}, Bytes{samples * window * cached * half_bytes});
  return t;
}

}  // namespace

KernelTime rollout_time(const PreparedTraining& p, const TrainingPlace& at, double samples, double output_tokens) {
  KernelTime step;
  for (const TrainedLayer& layer : p.kinds) step += decode_layer(p, at, layer, samples, output_tokens) * layer.layers;
  return step * output_tokens;
}

}  // namespace gpuplan
