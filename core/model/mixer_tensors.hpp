#pragma once
/// Tensors of one layer's mixer and of its feed-forward part [M-params]. Used by tensors() alone.
#include <vector>

#include "core/model/tensors.hpp"

namespace gpuplan {

/// Appends to a list, leaving out tensors without elements.
class TensorList {
 public:
  TensorList(std::vector<Tensor>& out, int layer_kind) : out_(out), layer_kind_(layer_kind) {}
  /// A matrix that multiplies every token.
  void matrix(Role, Split, std::int64_t rows, std::int64_t columns, std::int64_t copies = 1);
  /// A projection divided by key/value head.
  void kv_matrix(Role, std::int64_t rows, std::int64_t columns, std::int64_t kv_heads);
  /// A vector or small table that no matrix product reads.
  void vector(Role, Split, std::int64_t length, std::int64_t copies = 1);

 private:
  void add(Tensor);
  std::vector<Tensor>& out_;
  int layer_kind_;
};

void add_mixer(TensorList&, const Mixer&, std::int64_t hidden);
void add_recurrent(TensorList&, const Mixer&, std::int64_t hidden);
void add_mlp(TensorList&, const Mlp&, std::int64_t hidden);

}  // namespace gpuplan
