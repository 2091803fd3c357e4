#include "core/comm/measured_collectives.hpp"

#include "core/catalog/profile.hpp"

namespace gpuplan {
namespace {

Collective measured_kind(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_reduce: return Collective::all_reduce;
    case CollectiveKind::all_gather: return Collective::all_gather;
    case CollectiveKind::reduce_scatter: return Collective::reduce_scatter;
    case CollectiveKind::all_to_all: return Collective::all_to_all;
    case CollectiveKind::send_recv: break;
  }
  return Collective::send_recv;
}

/// A message goes between two GPUs, however long the chain of stages is.
bool same_group(const CollectiveFit& c, const GroupPlacement& p) {
  const std::int64_t nodes = p.nodes() > 1 ? p.nodes() : 1;
  if (c.kind == Collective::send_recv) return (c.nodes.n > 1) == (nodes > 1);
  return c.ranks.n == p.ranks && c.nodes.n == nodes;
}

}  // namespace

std::optional<Seconds> measured_collective(const Profile& profile, CollectiveKind kind, const GroupPlacement& p, Bytes bytes) {
  if (p.nodes() > 1 && p.sharing > 1) return std::nullopt;
  for (const CollectiveFit& c : profile.collectives) {
    if (c.kind == measured_kind(kind) && same_group(c, p)) return collective_time(c, bytes);
  }
  return std::nullopt;
}

}  // namespace gpuplan
