#include "core/catalog/profile.hpp"

#include <algorithm>

#include "core/catalog/profile_fields.hpp"

namespace gpuplan {
namespace {

/// Bytes per element of the weights, the inputs and the outputs of one product.
struct OperandBytes { double weight, input, output; };
OperandBytes operand_bytes(Arithmetic type) {
  switch (type) {
    case Arithmetic::fp64: return {8, 8, 8};
    case Arithmetic::fp32:
    case Arithmetic::tf32: return {4, 4, 4};
    case Arithmetic::fp16:
    case Arithmetic::bf16: return {2, 2, 2};
    case Arithmetic::fp8: return {1, 1, 2};
    case Arithmetic::fp6: return {0.78125, 0.78125, 2};   // 6 bits + one scale byte per 32
    case Arithmetic::fp4: return {0.5625, 0.5625, 2};     // 4 bits + one scale byte per 16
    case Arithmetic::int8: return {1, 1, 4};
    case Arithmetic::int4: return {0.5, 0.5, 4};
  }
  return {2, 2, 2};
}

Seconds fitted_gemm_time(const GemmSurface& g, std::int64_t m, std::int64_t n, std::int64_t k) {
  const double nk = static_cast<double>(n) * static_cast<double>(k);
  const Flops padded{2.0 * nk * (static_cast<double>(m) + g.half_rate_m)};
  return g.fixed + max(gemm_bytes(g.type, m, n, k) / g.operand_bandwidth, padded / g.ceiling);
}

/// How far N·K is from the wanted one, as a ratio ≥ 1.
double shape_distance(const GemmShape& s, double nk) {
  const double own = static_cast<double>(s.n) * static_cast<double>(s.k);
  return own > nk ? own / nk : nk / own;
}

const GemmShape* nearest_shape(const GemmSurface& g, double nk) {
  const GemmShape* best = nullptr;
  for (const GemmShape& s : g.shapes) {
    if (best == nullptr || shape_distance(s, nk) < shape_distance(*best, nk)) best = &s;
  }
  return best;
}

/// Measured ÷ fitted time at a point of the table, 0 where nothing was measured.
double correction_at(const GemmSurface& g, const GemmShape& s, std::size_t i) {
  if (s.rates[i].value <= 0.0) return 0.0;
  const Flops work{2.0 * static_cast<double>(g.m[i]) * static_cast<double>(s.n) * static_cast<double>(s.k)};
  return (work / s.rates[i]) / fitted_gemm_time(g, g.m[i], s.n, s.k);
}

/// The correction at M: straight lines between measured points, constant outside them.
double correction(const GemmSurface& g, const GemmShape& s, std::int64_t m) {
  double before = 0.0;
  std::int64_t before_m = 0;
  for (std::size_t i = 0; i < g.m.size() && i < s.rates.size(); ++i) {
    const double here = correction_at(g, s, i);
    if (here <= 0.0) continue;
    if (g.m[i] >= m) {
      if (before <= 0.0) return here;
      const double share = static_cast<double>(m - before_m) / static_cast<double>(g.m[i] - before_m);
      return before + share * (here - before);
    }
    before = here;
    before_m = g.m[i];
  }
  return before > 0.0 ? before : 1.0;
}

}  // namespace

const GemmSurface* Profile::gemm_of(Arithmetic type) const {
  const auto it = std::find_if(gemm.begin(), gemm.end(), [type](const GemmSurface& g) { return g.type == type; });
  return it == gemm.end() ? nullptr : &*it;
}

const TransferFit* Profile::memory_of(MemoryOperation operation) const {
  const auto it = std::find_if(memory.begin(), memory.end(), [operation](const MemoryFit& m) { return m.operation == operation; });
  return it == memory.end() ? nullptr : &it->fit;
}

namespace {
const TransferSegment* segment_of(const TransferFit& f, Bytes bytes) {
  const TransferSegment* held = nullptr;
  for (const TransferSegment& s : f.segments) {
    if (held == nullptr || s.from <= bytes) held = &s;
  }
  return held;
}
}  // namespace

Seconds transfer_time(const TransferFit& f, Bytes bytes) {
  const TransferSegment* s = segment_of(f, bytes);
  return s == nullptr ? Seconds{} : s->latency + bytes / s->bandwidth;
}

double collective_bus_factor(Collective kind, Gpus ranks) {
  const double n = static_cast<double>(ranks.n);
  if (kind == Collective::send_recv) return 1.0;
  return (kind == Collective::all_reduce ? 2.0 : 1.0) * (n - 1.0) / n;
}

Seconds collective_time(const CollectiveFit& c, Bytes bytes) {
  const TransferSegment* s = segment_of(c.fit, bytes);
  return s == nullptr ? Seconds{} : s->latency + collective_bus_factor(c.kind, c.ranks) * bytes / s->bandwidth;
}

Bytes gemm_bytes(Arithmetic type, std::int64_t m, std::int64_t n, std::int64_t k) {
  const OperandBytes b = operand_bytes(type);
  const double M = static_cast<double>(m), N = static_cast<double>(n), K = static_cast<double>(k);
  return Bytes{N * K * b.weight + M * K * b.input + M * N * b.output};
}

Seconds gemm_time(const GemmSurface& g, std::int64_t m, std::int64_t n, std::int64_t k) {
  const Seconds fitted = fitted_gemm_time(g, m, n, k);
  const GemmShape* s = nearest_shape(g, static_cast<double>(n) * static_cast<double>(k));
  return s == nullptr ? fitted : fitted * correction(g, *s, m);
}

const char* name(MemoryOperation v) { return profile_fields::memory_operations[static_cast<std::size_t>(v)]; }
const char* name(HostDirection v) { return profile_fields::directions[static_cast<std::size_t>(v)]; }
const char* name(Collective v) { return profile_fields::collectives[static_cast<std::size_t>(v)]; }
const char* name(MeasurementStatus v) { return profile_fields::statuses[static_cast<std::size_t>(v)]; }

}  // namespace gpuplan
