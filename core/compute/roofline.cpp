#include "core/compute/roofline.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "core/compute/measured_rates.hpp"

namespace gpuplan {
namespace {

constexpr const char* kernel_names[] = {"fp32", "tf32", "half", "fp8", "fp8_block", "fp4", "int8", "w8a16", "w4a16", "gguf_half", "gguf_blocks"};
static_assert(sizeof kernel_names / sizeof *kernel_names == kernel_count);

struct SurfaceField { const char* name; double KernelSurface::*member; double scale; };
constexpr SurfaceField surface_fields[] = {{"bandwidth", &KernelSurface::bandwidth, 1.0}, {"flops", &KernelSurface::flops, 1.0},
                                           {"blend", &KernelSurface::blend, 1.0},         {"ramp_rows", &KernelSurface::ramp_rows, 1.0},
                                           {"fixed_us", &KernelSurface::fixed, 1e-6},     {"narrow_ops", &KernelSurface::narrow_ops, 1.0}};
struct ShareField { const char* name; double KernelShares::*member; };
constexpr ShareField share_fields[] = {{"stream", &KernelShares::stream}, {"attention_bandwidth", &KernelShares::attention_bandwidth},
                                       {"attention_flops", &KernelShares::attention_flops}};

/// "gemm.ampere.half.flops" → {"gemm", "ampere", "half", "flops"}; the last part keeps further dots.
struct NameParts {
  std::string_view part[4];
  explicit NameParts(std::string_view text) {
    for (int i = 0; i < 4; ++i) {
      const std::size_t dot = i < 3 ? text.find('.') : std::string_view::npos;
      part[i] = text.substr(0, dot);
      text = dot == std::string_view::npos ? std::string_view{} : text.substr(dot + 1);
    }
  }
};

/// Index of a name in a table; its size for none.
template <class Table>
std::size_t row_named(const Table& table, std::string_view name) {
  std::size_t i = 0;
  while (i < std::size(table) && name != table[i].name) ++i;
  return i;
}

/// Lays one coefficient over the generations from `first` to `last`.
void lay(Surfaces& out, const NameParts& n, double value, std::size_t first, std::size_t last, bool own) {
  const std::size_t share = row_named(share_fields, n.part[2]), field = row_named(surface_fields, n.part[3]);
  const auto kernel = static_cast<std::size_t>(std::find(std::begin(kernel_names), std::end(kernel_names), n.part[2]) - std::begin(kernel_names));
  for (std::size_t g = first; g <= last; ++g) {
    if (n.part[0] == "kernel" && share < std::size(share_fields)) out.shares[g].*share_fields[share].member = value;
    if (n.part[0] != "gemm" || kernel >= kernel_count || field >= std::size(surface_fields)) continue;
    out.gemm[g][kernel].*surface_fields[field].member = value * surface_fields[field].scale;
    out.own[g][kernel] = own;
  }
}

/// Those of every generation, then a generation's own.
void lay_all(Surfaces& out, const Calibration& c, bool own) {
  for (const std::string_view family : {"gemm.", "kernel."}) {
    for (auto at = c.from(family); at != c.all().end() && std::string_view(at->name).substr(0, family.size()) == family; ++at) {
      const NameParts n(at->name);
      if ((n.part[1] == "other") == own) continue;
      if (!own) lay(out, n, at->value, 0, generation_count - 1, false);
      for (std::size_t g = 0; own && g < generation_count; ++g) {
        if (n.part[1] == name(static_cast<Generation>(g))) lay(out, n, at->value, g, g, true);
      }
    }
  }
}

FlopsPerSecond first_of(FlopsPerSecond a, FlopsPerSecond b) { return a.value > 0.0 ? a : b; }

constexpr double least_intensity = 30.0;  // operations per byte of the weakest parts with published rates; stands in where none is published

/// The dense peak that a kernel works against; a part without the type falls back to what it computes in instead.
std::array<FlopsPerSecond, kernel_count> peaks(const Gpu& gpu) {
  const auto rate = [&](Arithmetic a) { return gpu.rate(a); };
  const FlopsPerSecond fp32 = rate(Arithmetic::fp32);
  const FlopsPerSecond unpublished{gpu.memory_bandwidth.value * least_intensity};
  const FlopsPerSecond half = first_of(first_of(max(rate(Arithmetic::bf16), rate(Arithmetic::fp16)), fp32), unpublished);
  const FlopsPerSecond fp8 = first_of(rate(Arithmetic::fp8), half), int8 = first_of(rate(Arithmetic::int8), half);
  std::array<FlopsPerSecond, kernel_count> out{};
  const auto set = [&](Kernel k, FlopsPerSecond v) { out[static_cast<std::size_t>(k)] = v; };
  set(Kernel::fp32, first_of(fp32, half * 0.5));
  set(Kernel::tf32, first_of(rate(Arithmetic::tf32), first_of(fp32, half * 0.5)));
  set(Kernel::half, half);
  set(Kernel::fp8, fp8);
  set(Kernel::fp8_block, fp8);
  set(Kernel::fp4, first_of(rate(Arithmetic::fp4), fp8));
  set(Kernel::int8, int8);
  set(Kernel::weight_only_8bit, half);
  set(Kernel::weight_only_4bit, half);
  set(Kernel::gguf_half, max(half, rate(Arithmetic::int8) * 0.5));  // accumulates in 16 bits, which runs at half the int8 rate
  set(Kernel::gguf_blocks, int8);
  return out;
}

/// Work of two bounds that overlap but for a share of the shorter one.
KernelTime blended(double compute, double memory, double blend, double fixed) {
  const double longer = std::max(compute, memory), shorter = std::min(compute, memory);
  const double t = longer + (longer > 0.0 ? blend * shorter * shorter / longer : 0.0) + fixed;
  return compute >= memory ? KernelTime{Seconds{t}, Seconds{}} : KernelTime{Seconds{}, Seconds{t}};
}

constexpr double tile = 16.0;           // rows of the smallest matrix-unit tile
constexpr double largest_tile = 64.0;   // grouped products pad each group to 16, 32 or 64 rows
constexpr double vector_rows = 8.0;     // llama.cpp multiplies up to so many rows without matrix units
constexpr double activation_bytes = 2.0;

double group_tile(double rows) { return rows <= tile ? tile : rows <= 2.0 * tile ? 2.0 * tile : largest_tile; }

double padded(double rows, double to) { return std::ceil(rows / to) * to; }

}  // namespace

const char* name(Kernel k) { return kernel_names[static_cast<int>(k)]; }

Kernel kernel_for(WeightFormat f, const Gpu& gpu) {
  if (is_gguf(f)) return Kernel::gguf_blocks;
  switch (f) {
    case WeightFormat::fp32: return Kernel::fp32;
    case WeightFormat::fp8: return gpu.has(Arithmetic::fp8) ? Kernel::fp8 : Kernel::weight_only_8bit;
    case WeightFormat::nvfp4: return gpu.has(Arithmetic::fp4) ? Kernel::fp4 : Kernel::weight_only_4bit;
    case WeightFormat::int8: return gpu.has(Arithmetic::int8) ? Kernel::int8 : Kernel::weight_only_8bit;
    case WeightFormat::gptq_8bit: return Kernel::weight_only_8bit;
    case WeightFormat::mxfp4: case WeightFormat::int4: case WeightFormat::awq: case WeightFormat::gptq_4bit: case WeightFormat::nf4:
    case WeightFormat::nf4_double: return Kernel::weight_only_4bit;
    default: return Kernel::half;
  }
}

Surfaces load_surfaces(const Calibration& c) {
  Surfaces out;
  lay_all(out, c, false);
  lay_all(out, c, true);
  return out;
}

Rates rates_of(const Surfaces& surfaces, const Machine& machine) {
  const Gpu& gpu = *machine.gpu;
  Rates out;
  out.generation = generation_of(gpu);
  out.peak = peaks(gpu);
  out.gemm = surfaces.gemm[static_cast<std::size_t>(out.generation)];
  out.shares = surfaces.shares[static_cast<std::size_t>(out.generation)];
  out.bandwidth = gpu.memory_bandwidth;
  out.vector = gpu.rate(Arithmetic::fp32);
  if (machine.profile) apply_profile(*machine.profile, out);
  return out;
}

KernelTime gemm_time(const Rates& r, Kernel kernel, double m, double n, double k, Bytes weight_bytes) {
  return grouped_gemm_time(r, kernel, 1.0, m, n, k, weight_bytes);
}

KernelTime grouped_gemm_time(const Rates& r, Kernel kernel, double groups, double m, double n, double k, Bytes weight_bytes) {
  if (kernel == Kernel::gguf_blocks && m > r.dequantise_rows) {
    const Bytes expanded{groups * n * k * activation_bytes};
    return stream_time(r, weight_bytes + expanded) + grouped_gemm_time(r, Kernel::gguf_half, groups, m, n, k, expanded);
  }
  const auto i = static_cast<std::size_t>(kernel);
  const KernelSurface& s = r.gemm[i];
  const bool narrow = (kernel == Kernel::gguf_half || kernel == Kernel::gguf_blocks) && m <= vector_rows;
  const double rows = narrow ? m : padded(m, groups > 1.0 ? group_tile(m) : tile) + s.ramp_rows;
  double compute = 2.0 * groups * rows * n * k / (r.peak[i].value * s.flops);
  if (narrow && r.vector.value > 0.0) compute += groups * n * k * s.narrow_ops / r.vector.value;
  const double memory = (weight_bytes.value + groups * m * (n + k) * activation_bytes) / (r.bandwidth.value * s.bandwidth);
  return blended(compute, memory, s.blend, s.fixed);
}

KernelTime stream_time(const Rates& r, Bytes bytes) { return {Seconds{}, bytes / (r.bandwidth * r.shares.stream)}; }

KernelTime attention_time(const Rates& r, Flops flops, Bytes cache) {
  const auto half = static_cast<std::size_t>(Kernel::half);
  const double compute = flops.value / (r.peak[half].value * r.shares.attention_flops);
  const double memory = cache.value / (r.bandwidth.value * r.shares.attention_bandwidth);
  return blended(compute, memory, r.gemm[half].blend, r.gemm[half].fixed);
}

}  // namespace gpuplan
