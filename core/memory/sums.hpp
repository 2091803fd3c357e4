#pragma once
/// What memory needs to know of a layer, added up once per job: each quantity by how ranks divide it [M-memory].
/// Prefix sums over the layers give any pipeline stage by one subtraction, so a layout costs no loop over tensors.
#include <array>
#include <cstdint>

namespace gpuplan::memory {

/// How ranks divide a quantity. Two kv groups because hybrid models give full and sliding layers different head counts.
enum Divide : int { replicated, tensor, kv_a, kv_b, expert };
inline constexpr int divide_count = 5;

/// Number of cached-token groups: layers with the same window and head count share one.
inline constexpr int cache_groups = 4;

/// First slot of each quantity; those divided over ranks take `divide_count` slots.
inline constexpr int weights_at = 0;                              ///< bytes in the job's weight format of what does not train
inline constexpr int params_at = weights_at + divide_count;       ///< elements
inline constexpr int trained_at = params_at + divide_count;       ///< elements that train in full
inline constexpr int adapters_at = trained_at + divide_count;     ///< elements of low-rank adapters
inline constexpr int saved_at = adapters_at + divide_count;       ///< bytes per token saved for backward
inline constexpr int scores_at = saved_at + divide_count;         ///< bytes per token and key saved without flash attention (divided by tp)
inline constexpr int width_at = scores_at + 1;                    ///< bytes per token of the widest moment of a forward pass
inline constexpr int checkpoint_at = width_at + divide_count;     ///< bytes per token of a layer's input
inline constexpr int factored_at = checkpoint_at + 1;             ///< rows + columns of trained matrices (Adafactor)
inline constexpr int vectors_at = factored_at + 1;                ///< trained elements that are not hidden matrices (Muon, GaLore: plain Adam)
inline constexpr int galore_at = vectors_at + 1;                  ///< elements of projections and moments per unit of GaLore rank
inline constexpr int cache_at = galore_at + 1;                    ///< cached elements per token, by cache group
inline constexpr int state_at = cache_at + cache_groups;          ///< bytes per sequence that do not grow
inline constexpr int layers_at = state_at + 1;                    ///< number of layers
inline constexpr int cached_layers_at = layers_at + 1;            ///< number of layers with a growing cache
inline constexpr int matrices_at = cached_layers_at + 1;          ///< trained elements of matrices inside layers
inline constexpr int shapes_at = matrices_at + divide_count;      ///< the same with equal matrices (experts) counted once
inline constexpr int attended_at = shapes_at + divide_count;      ///< bytes per token of attention outputs (divided by tp)
inline constexpr int slot_count = attended_at + 1;

struct Sums {
  std::array<double, slot_count> v{};
  double operator[](int slot) const { return v[static_cast<std::size_t>(slot)]; }
  double& operator[](int slot) { return v[static_cast<std::size_t>(slot)]; }
  friend Sums operator+(Sums a, const Sums& b) {
    for (std::size_t i = 0; i < slot_count; ++i) a.v[i] += b.v[i];
    return a;
  }
  friend Sums operator-(Sums a, const Sums& b) {
    for (std::size_t i = 0; i < slot_count; ++i) a.v[i] -= b.v[i];
    return a;
  }
};

/// Divisors of one layout, index = Divide.
struct Ranks {
  std::array<double, divide_count> divisor{};
  double dense_group = 1.0;   ///< ranks that hold the same dense parameters: what ZeRO divides by
  double expert_group = 1.0;  ///< ranks that hold the same experts
};

/// The share of one rank of the quantity that starts at `slot`; expert part left out.
inline double dense_share(const Sums& s, int slot, const Ranks& r) {
  return s[slot + replicated] + s[slot + tensor] / r.divisor[tensor] + s[slot + kv_a] / r.divisor[kv_a] + s[slot + kv_b] / r.divisor[kv_b];
}
inline double expert_share(const Sums& s, int slot, const Ranks& r) { return s[slot + expert] / r.divisor[expert]; }
/// The share of one rank, experts included.
inline double share(const Sums& s, int slot, const Ranks& r) { return dense_share(s, slot, r) + expert_share(s, slot, r); }
/// The same when the ranks that hold equal copies divide it among themselves as well (ZeRO).
inline double sharded(const Sums& s, int slot, const Ranks& r) {
  return dense_share(s, slot, r) / r.dense_group + expert_share(s, slot, r) / r.expert_group;
}

}  // namespace gpuplan::memory
