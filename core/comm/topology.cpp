#include <algorithm>

#include "core/comm/collectives.hpp"

namespace gpuplan {

GroupPlacement place_group(const Fabric& fabric, std::int64_t ranks, std::int64_t stride) {
  const std::int64_t n = std::max<std::int64_t>(1, ranks), apart = std::max<std::int64_t>(1, stride);
  const std::int64_t inside = std::max<std::int64_t>(1, fabric.local / apart);
  GroupPlacement p;
  p.ranks = static_cast<std::int32_t>(n);
  p.per_node = static_cast<std::int32_t>(std::min(n, inside));
  p.sharing = static_cast<std::int32_t>(std::min(apart, std::max<std::int64_t>(1, fabric.local / p.per_node)));
  return p;
}

LinkKind link_kind(const Fabric& fabric, const GroupPlacement& p) {
  if (p.ranks <= 1) return LinkKind::none;
  if (p.ranks > p.per_node) return p.per_node > 1 ? LinkKind::mixed : LinkKind::network;
  const bool pcie = fabric.link >= LinkClass::pcie_host || (fabric.link == LinkClass::bridge && p.ranks > fabric.pair);
  return pcie ? LinkKind::pcie : LinkKind::nvlink;
}

}  // namespace gpuplan
