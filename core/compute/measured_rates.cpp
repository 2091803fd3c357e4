#include "core/compute/measured_rates.hpp"

#include "core/catalog/profile.hpp"

namespace gpuplan {
namespace {

/// The type that a kernel computes in; where two are measured, the first stands for it.
struct Pair {
  Kernel kernel;
  Arithmetic type;
};
constexpr Pair measured_as[] = {{Kernel::fp32, Arithmetic::fp32}, {Kernel::tf32, Arithmetic::tf32}, {Kernel::half, Arithmetic::bf16},
                                {Kernel::half, Arithmetic::fp16}, {Kernel::fp8, Arithmetic::fp8},   {Kernel::fp4, Arithmetic::fp4},
                                {Kernel::int8, Arithmetic::int8}};

/// Kernels that no probe measures, and the measured one whose units and memory they work with.
struct Kin {
  Kernel kernel, measured;
};
constexpr Kin kin[] = {{Kernel::weight_only_8bit, Kernel::half}, {Kernel::weight_only_4bit, Kernel::half}, {Kernel::gguf_half, Kernel::half},
                       {Kernel::fp8_block, Kernel::fp8},         {Kernel::gguf_blocks, Kernel::int8}};

/// They are faster or slower than fitted by as much as their kin.
void apply_to_kin(const GemmSurface& measured, Kernel kernel, Rates& r) {
  const auto i = static_cast<std::size_t>(kernel);
  const double rate = measured.ceiling.value / (r.peak[i].value * r.gemm[i].flops);
  const double bandwidth = measured.operand_bandwidth.value / (r.bandwidth.value * r.gemm[i].bandwidth);
  for (const Kin& k : kin) {
    const auto other = static_cast<std::size_t>(k.kernel);
    if (k.measured != kernel) continue;
    r.peak[other] = r.peak[other] * rate;
    r.gemm[other].bandwidth *= bandwidth;
  }
}

void apply_gemm(const GemmSurface& measured, Kernel kernel, Rates& r) {
  const auto i = static_cast<std::size_t>(kernel);
  apply_to_kin(measured, kernel, r);
  r.peak[i] = measured.ceiling;
  r.gemm[i] = {measured.operand_bandwidth / r.bandwidth, 1.0, 0.0, measured.half_rate_m, measured.fixed.value, 0.0};
}

/// Bandwidth of the last segment: what large transfers reach.
double sustained(const TransferFit* fit) { return fit && !fit->segments.empty() ? fit->segments.back().bandwidth.value : 0.0; }

}  // namespace

void apply_profile(const Profile& profile, Rates& r) {
  bool done[kernel_count] = {};
  for (const Pair& p : measured_as) {
    bool& kernel_done = done[static_cast<std::size_t>(p.kernel)];
    const GemmSurface* g = kernel_done ? nullptr : profile.gemm_of(p.type);
    if (!g || g->ceiling.value <= 0.0 || g->operand_bandwidth.value <= 0.0) continue;
    apply_gemm(*g, p.kernel, r);
    kernel_done = true;
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
