#pragma once
/// Whole things that are counted, each its own type: GPUs are not nodes.
#include <cstdint>

namespace gpuplan {

template <class What>
struct Count {
  std::int64_t n = 0;
  friend constexpr bool operator==(Count a, Count b) { return a.n == b.n; }
  friend constexpr bool operator!=(Count a, Count b) { return a.n != b.n; }
  friend constexpr bool operator<(Count a, Count b) { return a.n < b.n; }
  friend constexpr bool operator>(Count a, Count b) { return a.n > b.n; }
  friend constexpr bool operator<=(Count a, Count b) { return a.n <= b.n; }
  friend constexpr bool operator>=(Count a, Count b) { return a.n >= b.n; }
};

using Gpus = Count<struct GpuTag>;
using Nodes = Count<struct NodeTag>;

/// GPUs of a cluster: nodes × GPUs per node.
constexpr Gpus operator*(Nodes nodes, Gpus per_node) { return Gpus{nodes.n * per_node.n}; }

/// Smallest whole number of groups of `size` that holds `n` (n ≥ 0, size ≥ 1).
constexpr std::int64_t ceil_div(std::int64_t n, std::int64_t size) { return (n + size - 1) / size; }
/// `n` rounded up to a multiple of `size` (n ≥ 0, size ≥ 1).
constexpr std::int64_t round_up(std::int64_t n, std::int64_t size) { return ceil_div(n, size) * size; }

}  // namespace gpuplan
