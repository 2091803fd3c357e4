#include "core/scenario/machine_counts.hpp"

#include <algorithm>

#include "core/catalog/profile.hpp"

namespace gpuplan {

namespace {
constexpr std::int64_t usual_node = 8;  // GPUs; HGX and OAM boards
}

Hardware with_counts(Hardware hardware, const LayoutWish& wish) {
  const std::int64_t wished = wish.tp.value_or(1) * wish.pp.value_or(1) * wish.dp.value_or(1) * wish.cp.value_or(1);
  if (!hardware.gpus_per_node && hardware.profile) hardware.gpus_per_node = hardware.profile->machine.gpus_per_node.n;
  if (!hardware.gpus_per_node && hardware.nodes) hardware.gpus_per_node = std::max<std::int64_t>(1, wished / *hardware.nodes);
  if (!hardware.gpus_per_node) hardware.gpus_per_node = wished > usual_node && wished % usual_node == 0 ? usual_node : std::max<std::int64_t>(1, wished);
  if (!hardware.nodes) hardware.nodes = std::max<std::int64_t>(1, wished / *hardware.gpus_per_node);
  return hardware;
}

}  // namespace gpuplan
