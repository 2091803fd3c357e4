#pragma once
/// What each operation of a layer saves for the backward pass [M-memory-activations].
#include <vector>

#include "core/memory/recipes.hpp"
#include "core/memory/sums.hpp"
#include "core/model/architecture.hpp"

namespace gpuplan::memory {

/// One tensor kept from forward to backward.
struct SavedTensor {
  const char* what;
  double bytes_per_token;      ///< of a micro-batch; `scores`: per token and key
  Divide divide;
  bool scores = false;         ///< grows with the sequence (attention without flash)
  bool weight_gradient = false;///< only the gradient of a weight reads it: a frozen layer drops it
};

/// What decides the list beside the architecture.
struct SavingRule {
  Kernels kernels = Kernels::eager;
  bool flash = true;
  bool attention_trains = true, mlp_trains = true, norms_train = true;  ///< in full or through adapters
  double dropout = 0.0;
  double element = 2.0;        ///< bytes of an activation
  Divide kv = tensor;          ///< how ranks divide keys and values
  bool autocast = false;       ///< fp32 residual stream, cast for each product
  double input_share = 1.0;    ///< of a product's input that is kept: ½ in FP8, 9/32 in NVFP4
  bool expands_kv = false;     ///< keys and values are repeated to all heads
};

/// Everything that one layer saves when nothing is recomputed.
std::vector<SavedTensor> saved_tensors(const Architecture&, const Layer&, const SavingRule&);

/// Bytes per token of a layer's attention output, 0 without attention.
double attention_output(const Layer&, double element);

/// Bytes per token of the widest moment of a forward pass that keeps nothing (inference), per division: residual, projection inputs and
/// the widest of attention and feed-forward.
Sums forward_width(const Architecture&, const Layer&, double element);

}  // namespace gpuplan::memory
