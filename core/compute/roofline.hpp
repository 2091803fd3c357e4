#pragma once
/// What one GPU achieves: the time of a matrix product, an attention kernel, a pass over memory [M-time-operator].
/// Rates are datasheet figures × fitted surfaces per hardware generation, or the figures of a measured profile.
#include <array>
#include <cstdint>

#include "core/calibration.hpp"
#include "core/compute/generation.hpp"
#include "core/dtype.hpp"
#include "core/layout/job.hpp"
#include "core/units.hpp"

namespace gpuplan {

/// Matrix kernels that behave differently: by compute type and by how the weights are stored.
enum class Kernel : std::uint8_t {
  fp32, tf32, half,       ///< half: bf16 and fp16 with fp32 accumulation
  fp8, fp8_block,         ///< per tensor or channel; 128 × 128 blocks. Both quantise activations on the way
  fp4, int8,              ///< NVFP4 and MXFP4 with 4-bit activations; int8 × int8
  weight_only_8bit, weight_only_4bit,  ///< dequantised to 16-bit inside the product
  gguf_half, gguf_blocks  ///< llama.cpp: 16-bit matrices; block-quantised matrices
};
inline constexpr int kernel_count = 11;
const char* name(Kernel);
/// The kernel of a serving stack for these weights ("mxfp4" and "awq" dequantise, "fp8" multiplies in 8 bits where the GPU can).
Kernel kernel_for(WeightFormat, const Gpu&);

/// A blended roofline: t = max(tc, tm) + blend · min²/max + fixed, with tc = 2·n·k·(m + ramp_rows) ÷ (peak · flops) and
/// tm = bytes ÷ (bandwidth · bandwidth_share).
struct KernelSurface {
  double bandwidth = 0.8;  ///< share of memory bandwidth when the product is narrow
  double flops = 0.7;      ///< share of peak when it is large
  double blend = 0.2;      ///< how much of the shorter part does not hide behind the longer one
  double ramp_rows = 0.0;  ///< rows at which the compute-bound rate is half of its ceiling (tile and wave quantisation, pipeline fill)
  double fixed = 2e-6;     ///< s per kernel: ramp-up and drain
  double narrow_ops = 0.0; ///< operations outside the matrix units to unpack one weight, where a few rows are multiplied there (llama.cpp)
};

/// Shares of bandwidth and peak that the other kernels reach.
struct KernelShares {
  double stream = 0.8;              ///< norms and element-wise passes, of bandwidth
  double attention_bandwidth = 0.7; ///< decode attention, of bandwidth
  double attention_flops = 0.5;     ///< prefill attention, of the 16-bit peak
};

/// All fitted surfaces, read once per job; `rates_of` picks a generation without looking names up.
struct Surfaces {
  std::array<std::array<KernelSurface, kernel_count>, generation_count> gemm{};
  std::array<KernelShares, generation_count> shares{};
  std::array<std::array<bool, kernel_count>, generation_count> own{};  ///< fitted on that generation, not on all
};
/// Coefficients "gemm.<generation>.<kernel>.bandwidth" …; one that is missing falls back to "gemm.other.<kernel>…".
Surfaces load_surfaces(const Calibration&);

/// One GPU's achieved rates.
struct Rates {
  std::array<FlopsPerSecond, kernel_count> peak{};  ///< dense
  std::array<KernelSurface, kernel_count> gemm{};
  KernelShares shares;
  BytesPerSecond bandwidth;                         ///< datasheet (or measured, then shares are relative to it)
  FlopsPerSecond vector;                            ///< fp32 outside the matrix units
  double dequantise_rows = 1e18;                    ///< llama.cpp: products of more rows expand block-quantised weights to 16 bits first
  Generation generation = Generation::other;
  bool measured = false;                            ///< from a profile
};
Rates rates_of(const Surfaces&, const Machine&);

/// Time of one kernel, given to the part that bounds it; the sum is the time.
struct KernelTime {
  Seconds compute, memory;
  Seconds total() const { return compute + memory; }
  KernelTime& operator+=(KernelTime o) { compute += o.compute; memory += o.memory; return *this; }
  friend KernelTime operator*(KernelTime t, double n) { return {t.compute * n, t.memory * n}; }
  friend KernelTime operator+(KernelTime a, KernelTime b) { return a += b; }
};

/// Y[m,n] = X[m,k] W[k,n] with `weight_bytes` of stored weights; activations are 16-bit. Rows are padded to the tile of 16.
KernelTime gemm_time(const Rates&, Kernel, double m, double n, double k, Bytes weight_bytes);
/// `groups` products of m rows each in one launch (MoE experts); bytes of all groups' weights.
KernelTime grouped_gemm_time(const Rates&, Kernel, double groups, double m, double n, double k, Bytes weight_bytes);
/// A pass over `bytes` of memory without arithmetic worth counting.
KernelTime stream_time(const Rates&, Bytes bytes);
/// Attention that does `flops` in 16 bits and reads `cache` bytes; `fixed` per kernel as in a GEMM.
KernelTime attention_time(const Rates&, Flops flops, Bytes cache);

}  // namespace gpuplan
