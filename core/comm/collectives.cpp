#include "core/comm/collectives.hpp"

#include <algorithm>
#include <cmath>

#include "core/comm/measured_collectives.hpp"

namespace gpuplan {
namespace {

Pattern pattern(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_reduce: return Pattern::all_reduce;
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter: return Pattern::gather_scatter;
    case CollectiveKind::all_to_all: return Pattern::all_to_all;
    case CollectiveKind::send_recv: break;
  }
  return Pattern::send_recv;
}

/// A level's time split in the part that overlaps with other levels (data) and the part that does not (latency).
struct LevelTime {
  double latency = 0.0, data = 0.0;
  double total() const { return latency + data; }
};

/// The two protocols of [M-comm-link]; more data never takes less time, across the knee too.
LevelTime curve_time(const LinkCurve& k, bool scatter, double n, double crowding, double bytes, double traffic, double rate) {
  const double share = (scatter ? k.scatter : 1.0) * (1.0 - k.few / n) / (1.0 + k.crowd * std::max(0.0, crowding - 2.0));
  const double latency = k.base + k.hop * (n - 1.0), slow = rate * k.slow * share, fast = rate * k.fast * share;
  const double low = latency + traffic / slow;
  if (bytes <= k.knee) return {latency, low - latency};
  const double at_knee = latency + traffic * (k.knee / bytes) / slow;
  const double bulk = std::min(low, k.settle * latency + traffic / fast);
  return {latency, std::max(at_knee, bulk) - latency};
}

/// Rate of the links inside a domain for a group of n, the class whose curve holds, and how many hops crowd the host's path.
struct LocalLink {
  LinkClass kind;
  double rate, crowding;
};
LocalLink local_link(const Fabric& f, double n) {
  const double pair = static_cast<double>(f.pair);
  if (f.link == LinkClass::bridge && n > pair) return {f.host_link, f.pcie_rate, std::ceil(n / pair)};  // only hops between pairs use PCIe
  if (f.link == LinkClass::direct) return {f.link, std::min(f.link_rate, f.peer_rate * std::max(1.0, n - 1.0)), n};
  return {f.link, f.link_rate, n};
}

LevelTime engine_time(const EngineCurve& e, double crowd, double n, double bytes, double full_rate) {
  const double latency = e.base + e.hop * (n - 1.0), rate = full_rate / (1.0 + crowd * std::max(0.0, n - 2.0));
  const double one_shot = (n - 1.0) * bytes / (rate * e.one_shot);
  const double two_shot = e.second * latency + 2.0 * (n - 1.0) / n * bytes / (rate * e.two_shot);
  return {latency, std::min(one_shot, two_shot)};
}

LevelTime local_time(const Fabric& f, CollectiveKind kind, double n, double bytes, bool engine_kernel) {
  if (n <= 1.0) return {};
  const LocalLink link = local_link(f, n);
  const auto c = static_cast<std::size_t>(link.kind);
  const bool reduce = kind == CollectiveKind::all_reduce;
  const double traffic = traffic_factor(kind, static_cast<std::int64_t>(n)) * bytes;
  LevelTime best = curve_time(f.coefficients->link[c][static_cast<std::size_t>(pattern(kind))],
                              kind == CollectiveKind::reduce_scatter, n, link.crowding, bytes, traffic, link.rate);
  const SwitchCurve& s = f.coefficients->in_switch[c];
  if (reduce && f.has_switch_reduce && n >= s.ranks) {
    const LevelTime in_switch{best.latency, std::max(0.0, s.base - best.latency) + traffic / (link.rate * s.share)};
    if (in_switch.total() < best.total()) best = in_switch;
  }
  if (reduce && engine_kernel) {
    const LevelTime own = engine_time(f.coefficients->engine[c], f.coefficients->link[c][0].crowd, n, bytes, link.rate);
    if (own.total() < best.total()) best = own;
  }
  return best;
}

double doublings(double n) {
  double steps = 0.0;
  for (double reach = 1.0; reach < n; reach *= 2.0) steps += 1.0;
  return steps;
}

/// Bytes that the busiest domain sends ÷ message size: double binary tree or ring for all-reduce (the better), ring for gathers.
double domain_traffic(CollectiveKind kind, double nodes, double n) {
  switch (kind) {
    case CollectiveKind::all_reduce: return std::min(nodes <= 2.0 ? 1.0 : 2.0, 2.0 * (n - 1.0) / n);
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter: return (n - 1.0) / n;
    case CollectiveKind::all_to_all: return (nodes - 1.0) / nodes;  // × ranks in the domain ÷ ranks, and each keeps (nodes − 1)/nodes
    case CollectiveKind::send_recv: break;
  }
  return 1.0;
}

LevelTime network_time(const Fabric& f, CollectiveKind kind, const GroupPlacement& p, double bytes) {
  const NetCurve& k = f.coefficients->net[static_cast<std::size_t>(f.net)];
  const double driven = f.coefficients->nics_per_collective * f.nic_rate;
  const double nodes = p.nodes(), sharing = std::max(1, p.sharing), per_node = p.per_node;
  const double rate = std::min(f.net_rate / sharing, std::min(driven, f.nic_rate * (kind == CollectiveKind::send_recv ? 1.0 : per_node)));
  if (rate <= 0.0) return {0.0, 1e30};  // nodes without a network: never chosen, never infinite
  double sent = domain_traffic(kind, nodes, p.ranks) * bytes;
  if (kind == CollectiveKind::all_to_all) sent *= per_node;
  const double latency = k.base + k.step * doublings(nodes);
  const double bulk = k.settle * latency + k.rank * p.ranks + sent / (rate * k.fast), low = latency + sent / (rate * k.slow);
  return {latency, std::min(bulk, low) - latency};
}

/// By the fitted curves of each level.
Seconds fitted_time(const Fabric& fabric, CollectiveKind kind, const GroupPlacement& p, Bytes bytes, bool engine_kernel) {
  if (p.ranks <= p.per_node) return Seconds{local_time(fabric, kind, p.ranks, bytes.value, engine_kernel).total()};
  const LevelTime net = network_time(fabric, kind, p, bytes.value);
  if (kind == CollectiveKind::send_recv) return Seconds{net.total()};
  const LevelTime local = local_time(fabric, kind, p.per_node, bytes.value, false);
  return Seconds{local.latency + net.latency + std::max(local.data, net.data)};  // levels work on different chunks at once
}

}  // namespace

double traffic_factor(CollectiveKind kind, std::int64_t ranks) {
  const double n = static_cast<double>(std::max<std::int64_t>(1, ranks)), others = (n - 1.0) / n;
  if (kind == CollectiveKind::send_recv) return n > 1.0 ? 1.0 : 0.0;
  return kind == CollectiveKind::all_reduce ? 2.0 * others : others;
}

Seconds collective_time(const Fabric& fabric, CollectiveKind kind, const GroupPlacement& p, Bytes bytes, bool engine_kernel) {
  if (p.ranks <= 1 || bytes.value <= 0.0) return Seconds{0.0};
  if (fabric.profile != nullptr) {
    if (const auto measured = measured_collective(*fabric.profile, kind, p, bytes)) return engine_kernel ? min(*measured, fitted_time(fabric, kind, p, bytes, true)) : *measured;
  }
  return fitted_time(fabric, kind, p, bytes, engine_kernel);
}

Seconds exchange_time(const Fabric& fabric, const GroupPlacement& p, Bytes bytes, Bytes away) {
  if (p.ranks <= 1 || bytes.value <= 0.0) return Seconds{0.0};
  const LevelTime local = local_time(fabric, CollectiveKind::all_to_all, p.per_node, bytes.value, false);
  if (p.ranks <= p.per_node) return Seconds{local.total()};
  const LevelTime net = network_time(fabric, CollectiveKind::all_to_all, p, away.value);
  return Seconds{local.latency + net.latency + std::max(local.data, net.data)};
}

}  // namespace gpuplan
