#include <cmath>

#include "native/probe/fit_transfer.hpp"
#include "native/probe/measure/measure.hpp"
#include "native/probe/sampler.hpp"
#include "native/probe/statistics.hpp"

namespace gpuplan::probe {
namespace {

constexpr std::int64_t heads = 32, head_dim = 128, group_size = 128;

/// bf16 where the GPU has it, else fp16.
Arithmetic attention_type(Context& ctx) {
  return ctx.facts.gpu.compute_capability_major >= 8 ? Arithmetic::bf16 : Arithmetic::fp16;
}
/// QKᵀ and PV: 2 products of 2·queries·keys·head_dim flop per head.
double prefill_flops(const AttentionWork& w) {
  return 4.0 * static_cast<double>(w.batch * w.heads) * static_cast<double>(w.queries) * static_cast<double>(w.keys) * static_cast<double>(w.head_dim);
}
/// Keys and values, 2 bytes each.
double decode_bytes(const AttentionWork& w) {
  return 4.0 * static_cast<double>(w.batch * w.heads) * static_cast<double>(w.keys) * static_cast<double>(w.head_dim);
}

/// The rate of t = α + amount/rate over the works, and its fit error.
template <class Amount>
Outcome<TransferFit> rate_of(Context& ctx, const std::vector<Work>& works, Amount amount) {
  auto points = sweep(ctx, works);
  if (!points) return points.failure();
  std::vector<TransferPoint> line;
  for (std::size_t i = 0; i < works.size(); ++i) {
    if ((*points)[i]) line.push_back({amount(works[i]), (*points)[i]->seconds});
  }
  return fit_transfer(line, 1);
}

Outcome<Done> measure_attention(Context& ctx) {
  const Arithmetic type = attention_type(ctx);
  std::vector<Work> prefill, decode;
  for (std::int64_t s : {512, 1024, 2048, 4096}) prefill.push_back(AttentionWork{type, 1, heads, head_dim, s, s});
  for (std::int64_t batch : {1, 4, 16, 64}) decode.push_back(AttentionWork{type, batch, heads, head_dim, 1, 4096});
  const double half_time = (ctx.slice_end - ctx.now()) / 2.0;
  const double end = ctx.slice_end;
  ctx.slice_end -= half_time;
  auto flops = rate_of(ctx, prefill, [](const Work& w) { return prefill_flops(std::get<AttentionWork>(w)); });
  ctx.slice_end = end;
  if (!flops) return flops.failure();
  auto bytes = rate_of(ctx, decode, [](const Work& w) { return decode_bytes(std::get<AttentionWork>(w)); });
  if (!bytes) return bytes.failure();
  ctx.profile.attention.push_back({type, FlopsPerSecond{flops->segments[0].bandwidth.value}, bytes->segments[0].bandwidth,
                                   root_mean_square({flops->fit_error_rms, bytes->fit_error_rms})});
  return Done{};
}

/// Expanding and then multiplying should take the sum of the two times; how far it does not is told beside the rate.
Outcome<double> sum_rule_error(Context& ctx) {
  std::vector<double> errors;
  for (std::int64_t m : {16, 512}) {
    const std::vector<Work> works{DequantiseWork{0, 14336, 4096, group_size}, GemmWork{Arithmetic::fp16, m, 14336, 4096},
                                  DequantiseWork{m, 14336, 4096, group_size}};
    auto points = sweep(ctx, works);
    if (!points) return points.failure();
    if (!(*points)[0] || !(*points)[1] || !(*points)[2]) return Failure{Fault::out_of_memory, "the expanded weights do not fit"};
    errors.push_back((*points)[2]->seconds / ((*points)[0]->seconds + (*points)[1]->seconds) - 1.0);
  }
  return median(errors);
}

Outcome<Done> measure_dequantise(Context& ctx) {
  std::vector<Work> works;
  for (auto [n, k] : {std::pair<int, int>{4096, 4096}, {14336, 4096}, {8192, 8192}, {8192, 28672}}) works.push_back(DequantiseWork{0, n, k, group_size});
  auto rate = rate_of(ctx, works, [](const Work& w) {
    return static_cast<double>(std::get<DequantiseWork>(w).n) * static_cast<double>(std::get<DequantiseWork>(w).k);
  });
  if (!rate) return rate.failure();
  Outcome<double> error = sum_rule_error(ctx);
  if (!error) return error.failure();
  ctx.profile.dequantise = {true, rate->segments[0].bandwidth.value, group_size, *error};
  return Done{};
}

}  // namespace

std::vector<MeasurementSpec> attention_measurements() {
  return {{"attention", "attention-like batched products without fusion: prefill and decode", 3.0, false,
           [](Context& ctx) { return ctx.machine.cannot(AttentionWork{attention_type(ctx), 1, heads, head_dim, 512, 512}); }, measure_attention},
          {"dequantise", "4-bit weights expanded to 16 bits, then multiplied", 2.0, false,
           [](Context& ctx) { return ctx.machine.cannot(DequantiseWork{16, 4096, 4096, group_size}); }, measure_dequantise}};
}

}  // namespace gpuplan::probe
