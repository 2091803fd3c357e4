#pragma once
/// Fits the four numbers of a GEMM surface (core/catalog/profile.hpp, GemmSurface) to measured products.
#include <vector>

#include "core/catalog/profile.hpp"

namespace gpuplan::probe {

struct GemmPoint {
  std::int64_t m, n, k;
  double seconds;
};

/// Least squares on relative errors, found by pattern search in the logarithms from several starts.
/// Fills type, the four numbers and the fit error; the table is the caller's.
GemmSurface fit_gemm(Arithmetic type, const std::vector<GemmPoint>& points);

}  // namespace gpuplan::probe
