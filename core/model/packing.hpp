#pragma once
/// How weight-only formats pack a matrix: bits of a value, and what a group of inputs, an output row, an input column and a matrix add [M-weights].
#include <cstdint>

#include "core/dtype.hpp"
#include "core/model/tensors.hpp"

namespace gpuplan {

struct Packing {
  double bits = 16.0;
  std::int64_t group = 0;          ///< inputs that share a scale, 0 = none
  std::int64_t group_rows = 1;     ///< output rows that share it too (block formats)
  double group_bytes = 0.0;        ///< scale and zero point of one group
  double row_bytes = 0.0, column_bytes = 0.0, matrix_bytes = 0.0;
};

/// The usual form of a format's checkpoints.
Packing packing(WeightFormat);
/// Bytes of all copies of a tensor.
double packed_bytes(const Tensor&, const Packing&);

bool is_expert(Role);
/// Projections that the quantisers of serving stacks take; embeddings, heads, norms, routers, towers and small tensors stay 16-bit.
bool is_linear(Role);

}  // namespace gpuplan
