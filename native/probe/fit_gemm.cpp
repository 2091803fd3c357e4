#include "native/probe/fit_gemm.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "native/probe/statistics.hpp"

namespace gpuplan::probe {
namespace {

/// Logarithms of fixed time, operand bandwidth, ceiling and half-rate rows: steps are then relative and nothing becomes negative.
using Logs = std::array<double, 4>;

GemmSurface surface(Arithmetic type, const Logs& x) {
  GemmSurface g;
  g.type = type;
  g.fixed = Seconds{std::exp(x[0])};
  g.operand_bandwidth = BytesPerSecond{std::exp(x[1])};
  g.ceiling = FlopsPerSecond{std::exp(x[2])};
  g.half_rate_m = std::exp(x[3]);
  return g;
}

double cost(Arithmetic type, const std::vector<GemmPoint>& points, const Logs& x) {
  const GemmSurface g = surface(type, x);
  double sum = 0.0;
  for (const GemmPoint& p : points) {
    const double off = std::log(gemm_time(g, p.m, p.n, p.k).value / p.seconds);
    sum += off * off;
  }
  return sum;
}

/// Tries a step up and down in each direction; shrinks the step when none helps (Hooke and Jeeves 1961).
double pattern_search(Arithmetic type, const std::vector<GemmPoint>& points, Logs& x) {
  double best = cost(type, points, x);
  for (double step = 0.5; step > 1e-5;) {
    const Logs before = x;
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (double sign : {1.0, -1.0}) {
        Logs tried = x;
        tried[i] += sign * step;
        const double c = cost(type, points, tried);
        if (c < best) best = c, x = tried;
      }
    }
    Logs further = x;  // go on in the direction that just helped
    for (std::size_t i = 0; i < x.size(); ++i) further[i] += x[i] - before[i];
    const double c = cost(type, points, further);
    if (c < best) best = c, x = further;
    else if (x == before) step *= 0.5;
  }
  return best;
}

}  // namespace

GemmSurface fit_gemm(Arithmetic type, const std::vector<GemmPoint>& points) {
  double rate = 1.0, bandwidth = 1.0, shortest = 1.0;
  for (const GemmPoint& p : points) {
    rate = std::max(rate, 2.0 * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) / p.seconds);
    bandwidth = std::max(bandwidth, gemm_bytes(type, p.m, p.n, p.k).value / p.seconds);
    shortest = std::min(shortest, p.seconds);
  }
  Logs best{};
  double least = INFINITY;
  for (double fixed_share : {0.05, 0.3, 0.8}) {
    for (double half : {8.0, 64.0, 256.0}) {
      Logs x{std::log(shortest * fixed_share), std::log(bandwidth), std::log(rate), std::log(half)};
      const double c = pattern_search(type, points, x);
      if (c < least) least = c, best = x;
    }
  }
  GemmSurface g = surface(type, best);
  std::vector<double> errors;
  for (const GemmPoint& p : points) errors.push_back(p.seconds / gemm_time(g, p.m, p.n, p.k).value - 1.0);
  g.fit_error_rms = root_mean_square(errors);
  return g;
}

}  // namespace gpuplan::probe
