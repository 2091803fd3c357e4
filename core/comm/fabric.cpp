#include "core/comm/fabric.hpp"

#include <algorithm>

namespace gpuplan {
namespace {

/// NVLink generations behave differently at the same rate (protocol, reductions in the switch), so they are told apart by the GPU.
LinkClass nvlink_class(const Gpu& gpu) {
  if (gpu.compute_capability_major >= 10) return LinkClass::nvlink5;
  return gpu.compute_capability_major == 9 ? LinkClass::nvlink4 : LinkClass::nvlink3;
}

/// Peer access that the driver grants still crosses the host on older PCIe servers (measured), so it counts from a rate up.
LinkClass pcie_class(const CommCoefficients& c, const Machine& m) {
  if (m.gpu && m.gpu->vendor == "Intel") return LinkClass::pcie_oneccl;
  const bool peer = m.scale_up == ScaleUp::pcie_p2p && m.pcie_each_way.value >= c.peer_rate_min;
  return peer ? LinkClass::pcie_peer : LinkClass::pcie_host;
}

LinkClass link_class(const CommCoefficients& c, const Machine& m) {
  switch (m.scale_up) {
    case ScaleUp::mesh:
    case ScaleUp::switched: return m.gpu ? nvlink_class(*m.gpu) : LinkClass::nvlink3;
    case ScaleUp::bridge: return LinkClass::bridge;
    case ScaleUp::all_to_all: return LinkClass::direct;
    case ScaleUp::none:
    case ScaleUp::pcie:
    case ScaleUp::pcie_p2p: break;
  }
  if (m.scale_up_each_way.value > 1.5 * m.pcie_each_way.value) return LinkClass::bridge;  // a person's figure beyond PCIe: cards with a bridge
  return pcie_class(c, m);
}

NetClass net_class(const Machine& m) {
  switch (m.scale_out) {
    case ScaleOut::infiniband: return NetClass::infiniband;
    case ScaleOut::roce:
    case ScaleOut::ici: return NetClass::roce;
    case ScaleOut::efa: return NetClass::efa;
    case ScaleOut::none:
    case ScaleOut::tcp:
    case ScaleOut::gpudirect_tcpx: break;
  }
  return m.rdma ? NetClass::roce : NetClass::tcp;
}

/// A chassis holds at most this many GPUs; a larger scale-up domain spans nodes (NVL72 racks, supernodes, pods).
constexpr std::int64_t largest_chassis = 16;

/// GPUs that reach each other without the network.
std::int64_t local_gpus(const Machine& m) {
  const bool spans = m.scale_up_domain.n > largest_chassis && m.scale_up_domain > m.gpus_per_node;
  return std::max<std::int64_t>(1, std::min(spans ? m.scale_up_domain.n : m.gpus_per_node.n, m.gpus().n));
}

/// GPUs that one bridge joins at full rate.
std::int64_t bridged_gpus(const Machine& m) { return m.gpu ? std::max<std::int64_t>(2, std::min<std::int64_t>(m.gpu->scale_up_max.n, 4)) : 2; }

bool over_pcie(LinkClass c) { return c == LinkClass::pcie_host || c == LinkClass::pcie_peer || c == LinkClass::pcie_oneccl; }

}  // namespace

Fabric make_fabric(const CommCoefficients& c, const Machine& m) {
  Fabric f;
  f.coefficients = &c;
  f.profile = m.profile;
  f.link = link_class(c, m);
  f.host_link = pcie_class(c, m);
  f.net = net_class(m);
  f.local = local_gpus(m);
  f.pair = f.link == LinkClass::bridge ? bridged_gpus(m) : 0;
  f.pcie_rate = m.pcie_each_way.value;
  f.link_rate = over_pcie(f.link) && f.pcie_rate > 0.0 ? f.pcie_rate : m.scale_up_each_way.value;
  if (m.scale_up == ScaleUp::pcie && f.link == LinkClass::pcie_host) f.link_rate *= c.no_peer_share;
  f.peer_rate = f.link_rate / static_cast<double>(std::max<std::int64_t>(1, m.scale_up_domain.n - 1));
  const double nodes_per_domain = static_cast<double>(f.local) / static_cast<double>(std::max<std::int64_t>(1, m.gpus_per_node.n));
  f.net_rate = m.scale_out_per_node_each_way.value * nodes_per_domain;
  const double nics = std::max(1, m.nics_per_node), gpus = static_cast<double>(std::max<std::int64_t>(1, m.gpus_per_node.n));
  f.nic_rate = m.scale_out_per_node_each_way.value / (m.nics_per_node > 0 ? std::min(nics, gpus) : 1.0);
  f.has_switch_reduce = m.scale_up == ScaleUp::switched && (f.link == LinkClass::nvlink4 || f.link == LinkClass::nvlink5);
  return f;
}

}  // namespace gpuplan
