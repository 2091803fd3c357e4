#pragma once
/// Which block type llama.cpp gives to each tensor of a quantised mix (Q4_K_M and others): by role, layer, head grouping and experts.
#include "core/dtype.hpp"
#include "core/model/architecture.hpp"
#include "core/model/ggml_types.hpp"
#include "core/model/tensors.hpp"

namespace gpuplan {

/// Where a tensor stands, as far as a mix asks.
struct MixPlace {
  Role role = Role::other;
  std::int64_t layer = 0, layers = 0;            ///< index of the layer and their number
  std::int64_t value_layer = 0, value_layers = 0;  ///< the same, counting only layers with a value projection of their own
  std::int64_t heads_per_kv = 1, experts = 0;
  bool tied = false;
  bool falcon = false;     ///< the Falcon rules of the k-quant mixes
  bool fused_qkv = false;  ///< q, k and v are one tensor in the file
  bool seventy_b = false;  ///< 80 layers with grouped heads: values get more bits
};

/// Facts of the architecture for the mix rules; `layer` < 0 for tensors outside the layers.
MixPlace mix_place(const Architecture&, const Tensor&, std::int64_t layer, std::int64_t layer_count);

/// The type of a tensor with rows of `columns` elements, fall-backs for rows that no block divides included [M-weights].
GgmlType mix_type(WeightFormat mix, const MixPlace&, std::int64_t columns);

}  // namespace gpuplan
