#include "core/compute/training_layer.hpp"

#include <algorithm>

namespace gpuplan {
namespace {

constexpr double half_bytes = 2.0;
constexpr double packed_launches = 12.0;  // unpacking GPTQ weights and zeros in framework operations: shifts, masks, casts, scaling
constexpr double nf4_launches = 2.0;      // bitsandbytes: one kernel for the scales, one for the weights
constexpr double expert_launches = 9.0;   // one expert alone: find its tokens, gather, three products, activation, weight, scatter
constexpr double fused_loss_bytes = 4.0;  // 16-bit logits written and read once

/// Forward, input-gradient and weight-gradient products have the same flops; which of m, n, k is summed over differs.
struct ProductTimes {
  KernelTime forward, input_gradient, weight_gradient;
};

/// The last wave of output tiles is full by half on average: a product takes the time of so many outputs more.
KernelTime wave_time(const TrainingPlace& at, Kernel kernel, double inner) {
  const auto i = static_cast<std::size_t>(kernel);
  return {Seconds{2.0 * at.coefficients->wave * inner / (at.rates.peak[i].value * at.rates.gemm[i].flops)}, {}};
}

ProductTimes product_times(const TrainingPlace& at, Kernel kernel, double gradient_bytes, double groups, double m, double n, double k) {
  const Bytes weights{groups * n * k * half_bytes}, sum{groups * n * k * 2.0 * gradient_bytes};  // the gradient is added to: read and written
  return {grouped_gemm_time(at.rates, kernel, groups, m, n, k, weights) + wave_time(at, kernel, k),
          grouped_gemm_time(at.rates, kernel, groups, m, k, n, weights) + wave_time(at, kernel, n),
          grouped_gemm_time(at.rates, kernel, groups, k, n, m, sum) + wave_time(at, kernel, m)};
}

/// Adapters read the product's input and add to its output in small kernels of their own.
KernelTime adapter_time(const TrainingPlace& at, double m, double n, double k) { return stream_time(at.rates, Bytes{m * (k + 2.0 * n) * half_bytes}); }

/// 8-bit products: inputs and gradients are read in 16 bits and written in 8; weight gradients need both transposed.
void add_casts(PassTimes& t, const PreparedTraining& p, const TrainingPlace& at, double m, double n, double k) {
  const auto pass = [&](double elements, double bytes) { return stream_time(at.rates, Bytes{elements * bytes * at.coefficients->cast}); };
  t.forward += pass(m * k, half_bytes + 1.0);
  t.backward += pass(m * n, half_bytes + 1.0);
  if (!p.adapters) t.backward += pass(m * (k + n), 2.0);
}

void add_product(PassTimes& t, const PreparedTraining& p, const TrainingPlace& at, const TrainedLayer& layer, const TrainedGemm& g) {
  double groups = 1.0, m = at.tokens, n = g.gemm.n_at(at.tp), k = g.gemm.k_at(at.tp);
  if (g.gemm.expert) {
    groups = std::max(1.0, static_cast<double>(layer.mlp.experts) / at.ep);
    m = at.tokens * static_cast<double>(layer.mlp.experts_per_token) * at.coefficients->imbalance / groups;
    n = g.gemm.n_at(at.expert_tp), k = g.gemm.k_at(at.expert_tp);
  }
  const ProductTimes x = product_times(at, at.products, p.gradient_bytes, groups, m, n, k);
  const bool narrow = at.products == Kernel::fp8 || at.products == Kernel::fp4;
  const double kernel = at.products == Kernel::fp8 ? at.coefficients->fp8 : narrow ? at.coefficients->fp4 : at.coefficients->compute;
  const double scale = kernel * at.throttle * (g.gemm.expert ? at.coefficients->expert : 1.0);
  t.forward += x.forward * scale;
  t.backward += x.input_gradient * scale;
  if (!p.adapters) {
    const KernelTime weights = x.weight_gradient * (narrow ? scale * at.coefficients->fp8_gradient : scale);
    t.backward += weights;
    t.weights += weights;
  }
  if (narrow) add_casts(t, p, at, groups * m, n, k);
  if (!g.adapted) return;
  const KernelTime extra = adapter_time(at, groups * m, n, k);
  t.forward += extra;
  t.backward += extra * 2.0;
}

/// Fused attention does its flops near the matrix rate; without fusion the scores go through memory several times.
KernelTime attention_core(const PreparedTraining& p, const TrainingPlace& at, const TrainedLayer& layer, double share, double passes) {
  const double pairs = layer.pairs * at.sequences * share, flops = pairs * layer.flops_per_pair * passes;
  if (flops <= 0.0) return {};
  if (p.flash) return attention_time(at.rates, Flops{flops}, Bytes{}) * at.coefficients->attention;
  const double scores = static_cast<double>(layer.mixer.heads) * p.sequence * p.sequence * at.sequences * share;  // masked ones are computed too
  const KernelTime products = attention_time(at.rates, Flops{2.0 * flops}, Bytes{}) * at.coefficients->attention;
  return products + stream_time(at.rates, Bytes{scores * at.coefficients->score_bytes * passes});
}

/// Sustained products draw energy × rate; where the board's limit is lower, clocks fall. Measured rates have it in them already.
double throttle_of(const Rates& rates, const Gpu& gpu, double energy) {
  if (rates.measured || gpu.tdp_watts <= 0.0) return 1.0;
  return std::max(1.0, rates.peak[static_cast<std::size_t>(Kernel::half)].value * energy / gpu.tdp_watts);
}

}  // namespace

RankDegrees rank_degrees(const PreparedTraining& p, const Layout& layout) {
  RankDegrees d;
  d.tp = layout.split == ModelSplit::layer ? 1.0 : layout.tp;
  d.cp = layout.cp, d.ep = layout.ep, d.stride = layout.tp;
  d.expert_tp = layout.ep > std::int64_t{layout.dp} * layout.cp ? 1.0 : d.tp;
  d.sequences = static_cast<double>(layout.micro_batch) * p.sequences_per_sample;
  d.sequence_parallel = layout.sequence_parallel;
  return d;
}

TrainingPlace place_training(const PreparedTraining& p, const Rates& rates, const Gpu& gpu, const RankDegrees& degrees) {
  TrainingPlace at;
  static_cast<RankDegrees&>(at) = degrees;
  at.rates = rates;
  at.coefficients = &p.coefficients[static_cast<std::size_t>(at.rates.generation)];
  at.products = p.fp8 && at.rates.peak[static_cast<std::size_t>(Kernel::fp8)] > at.rates.peak[static_cast<std::size_t>(Kernel::half)] ? Kernel::fp8 : Kernel::half;
  if (p.fp4 && at.rates.peak[static_cast<std::size_t>(Kernel::fp4)] > at.rates.peak[static_cast<std::size_t>(Kernel::fp8)]) at.products = Kernel::fp4;
  if (p.fp32) at.products = Kernel::fp32, at.element = 4.0;
  at.throttle = throttle_of(at.rates, gpu, at.coefficients->energy);
  at.tokens = at.sequences * p.sequence / at.cp;
  return at;
}

PassTimes& PassTimes::operator+=(const PassTimes& o) {
  forward += o.forward, backward += o.backward, attention += o.attention, weights += o.weights;
  launches += o.launches, host += o.host, gathering_host += o.gathering_host;
  return *this;
}
PassTimes operator*(PassTimes t, double n) { return {t.forward * n, t.backward * n, t.attention * n, t.weights * n, t.launches * n, t.host * n, t.gathering_host * n}; }

PassTimes layer_times(const PreparedTraining& p, const TrainingPlace& at, const TrainedLayer& layer) {
  PassTimes t;
  for (const TrainedGemm& g : layer.gemms) add_product(t, p, at, layer, g);
  const double share = 1.0 / (at.tp * at.cp);
  t.attention = attention_core(p, at, layer, share, 1.0);
  t.forward += t.attention;
  t.backward += t.attention * at.coefficients->attention_backward;
  const double shared = at.sequence_parallel ? at.tp : 1.0;
  const double elements = layer.stream_elements / shared + layer.stream_elements_split / at.tp;
  const KernelTime stream = stream_time(at.rates, Bytes{elements * at.tokens * at.element * at.coefficients->stream});
  t.forward += stream;
  t.backward += stream * 2.0;  // reads what forward read and the gradients
  if (layer.routed_elements > 0.0) {
    const double rows = at.tokens * at.coefficients->imbalance / at.expert_tp;
    const KernelTime routed = stream_time(at.rates, Bytes{layer.routed_elements * rows * at.element * at.coefficients->expert_stream});
    t.forward += routed;
    t.backward += routed * 2.0;
  }
  const Flops recurrent{layer.recurrence * at.tokens / at.tp};
  if (recurrent.value > 0.0) {
    const KernelTime scan = attention_time(at.rates, recurrent, Bytes{}) * at.coefficients->scan;
    t.forward += scan;
    t.backward += scan * at.coefficients->attention_backward;
  }
  t.launches = layer.launches + 3.0 * layer.adapted_products;
  if (p.quantized) t.launches += (p.packed ? packed_launches : nf4_launches) * static_cast<double>(layer.gemms.size());
  t.gathering_host = at.coefficients->gather_layer;
  if (layer.mlp.experts > 0) {
    t.host += at.coefficients->expert_layer;
    t.gathering_host += at.coefficients->expert_layer;
    if (p.behaviour->experts_apart) t.launches += expert_launches * static_cast<double>(layer.mlp.experts) / at.ep;
  }
  return t;
}

PassTimes item_times(const PreparedTraining& p, const TrainingPlace& at) {
  const auto kernel = static_cast<std::size_t>(p.fp32 ? Kernel::fp32 : Kernel::half);
  const double rate = at.rates.peak[kernel].value * at.rates.gemm[kernel].flops;
  const KernelTime convolutions{Seconds{at.sequences * p.item_flops / rate * at.coefficients->compute * at.throttle}, {}};
  const KernelTime passes = stream_time(at.rates, Bytes{at.sequences * p.item_elements * at.coefficients->image_bytes * at.element / half_bytes / 3.0});
  PassTimes t;
  t.forward = convolutions + passes;
  t.backward = t.forward * 2.0;
  return t;
}

PassTimes head_times(const PreparedTraining& p, const TrainingPlace& at) {
  if (p.item_flops > 0.0) return item_times(p, at);
  PassTimes t;
  const double tokens = at.tokens * p.head_share;
  const ProductTimes x = product_times(at, p.fp32 ? Kernel::fp32 : Kernel::half, p.gradient_bytes, 1.0, tokens, p.vocab / at.tp, p.hidden);
  const double scale = at.coefficients->compute * at.throttle;
  t.forward = x.forward * scale;
  t.backward = x.input_gradient * scale;
  if (!p.adapters) t.backward += x.weight_gradient * scale;
  const KernelTime loss = stream_time(at.rates, Bytes{tokens * p.vocab / at.tp * (p.fused_loss ? fused_loss_bytes : at.coefficients->loss_bytes)});
  t.forward += loss * 0.5;
  t.backward += loss * 0.5;
  t.launches = 8.0;
  return t;
}

KernelTime dequantize_time(const PreparedTraining& p, const TrainingPlace& at, const TrainedLayer& layer) {
  if (!p.quantized) return {};
  const double elements = layer.elements.dense_at(at.tp) + layer.elements.expert_at(at.ep, at.expert_tp);
  return stream_time(at.rates, Bytes{elements * (layer.elements.stored_bytes + half_bytes) * (p.packed ? at.coefficients->dequantize_packed : at.coefficients->dequantize)});
}

}  // namespace gpuplan
