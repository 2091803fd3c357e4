#pragma once
/// Low-rank adapters: which tensors they sit on and how many elements they add [M-memory-adapters].
#include <cstdint>
#include <string>
#include <vector>

#include "core/memory/sums.hpp"
#include "core/model/tensors.hpp"

namespace gpuplan::memory {

/// Tensors that adapters sit on, by role.
class AdapterTargets {
 public:
  /// "all-linear", "attention", "qv", "mlp", or projection names ("q_proj", "gate_proj", …). Names that no model has are ignored here;
  /// the scenario's reader refuses them.
  explicit AdapterTargets(const std::vector<std::string>& names);
  bool has(Role role) const { return (roles_ >> static_cast<unsigned>(role)) & 1u; }
  bool any_attention() const;
  bool any_mlp() const;

 private:
  void add(Role role) { roles_ |= std::uint64_t{1} << static_cast<unsigned>(role); }
  void add_named(const std::string& name);
  std::uint64_t roles_ = 0;
};

/// Adds the two matrices of rank `r` that adapt `t` (Hu et al. 2021, arXiv:2106.09685): r·(inputs + outputs) elements per copy, the side that
/// follows the tensor's own division is divided with it.
void add_adapter(Sums& sums, const Tensor& t, double rank, Divide divide);

}  // namespace gpuplan::memory
