#pragma once
/// Which part of a model a tensor of a file is, by its name in GGUF or Hugging Face spelling.
#include <optional>
#include <string_view>

#include "core/model/tensors.hpp"

namespace gpuplan {

struct NamedTensor {
  std::int64_t layer = -1;      ///< −1 outside the layers
  Role role = Role::other;
  std::string_view part;        ///< the name behind the layer number, without ".weight"
  bool fused_qkv = false;
  bool fused_gate = false;      ///< gate and up projection in one
  bool side = false;            ///< scales, zero points or an index of another tensor: bytes without weights of its own
  bool vision = false;
};

/// Never fails: what is not known is Role::other.
NamedTensor name_tensor(std::string_view name);

}  // namespace gpuplan
