#include "core/compute/measured_rates.hpp"

#include "core/catalog/profile.hpp"

namespace gpuplan {
namespace {

struct Pair {
  Kernel kernel;
  Arithmetic type;
};
constexpr Pair measured_as[] = {{Kernel::fp32, Arithmetic::fp32}, {Kernel::tf32, Arithmetic::tf32}, {Kernel::half, Arithmetic::fp16},
                                {Kernel::half, Arithmetic::bf16}, {Kernel::fp8, Arithmetic::fp8},   {Kernel::fp4, Arithmetic::fp4},
                                {Kernel::int8, Arithmetic::int8}};

void apply_gemm(const GemmSurface& measured, Kernel kernel, Rates& r) {
  const auto i = static_cast<std::size_t>(kernel);
  r.peak[i] = measured.ceiling;
  r.gemm[i] = {measured.operand_bandwidth / r.bandwidth, 1.0, 0.0, measured.half_rate_m, measured.fixed.value, 0.0};
}

/// Bandwidth of the last segment: what large transfers reach.
double sustained(const TransferFit* fit) { return fit && !fit->segments.empty() ? fit->segments.back().bandwidth.value : 0.0; }

}  // namespace

void apply_profile(const Profile& profile, Rates& r) {
  for (const Pair& p : measured_as) {
    if (const GemmSurface* g = profile.gemm_of(p.type); g && g->ceiling.value > 0.0 && g->operand_bandwidth.value > 0.0) apply_gemm(*g, p.kernel, r);
  }
  if (const double copy = sustained(profile.memory_of(MemoryOperation::copy)); copy > 0.0) r.shares.stream = copy / r.bandwidth.value;
  for (const AttentionFit& a : profile.attention) {
    if (a.type != Arithmetic::bf16 && a.type != Arithmetic::fp16) continue;
    // the probe's products are not fused: a fused kernel does at least as well on reads, and keeps its fitted share of the peak
    const double decode = a.decode.value / r.bandwidth.value;
    if (decode > r.shares.attention_bandwidth) r.shares.attention_bandwidth = decode;
  }
  r.measured = true;
}

}  // namespace gpuplan
