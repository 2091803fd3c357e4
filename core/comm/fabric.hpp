#pragma once
/// The links of one machine with their fitted coefficients resolved, so that the search asks for a collective's time without look-ups [M-comm].
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/calibration.hpp"
#include "core/layout/job.hpp"

namespace gpuplan {

/// Families of links inside one scale-up domain that share coefficients; rates themselves come from the catalog.
enum class LinkClass : std::uint8_t { nvlink3, nvlink4, nvlink5, bridge, direct, pcie_host, pcie_peer, pcie_oneccl };
inline constexpr int link_class_count = 8;
/// Families of networks between domains.
enum class NetClass : std::uint8_t { infiniband, roce, efa, tcp };
inline constexpr int net_class_count = 4;
/// Collectives that share coefficients: all-gather and reduce-scatter move the same data.
enum class Pattern : std::uint8_t { all_reduce, gather_scatter, all_to_all, send_recv };
inline constexpr int pattern_count = 4;

/// Time of one pattern over n ranks of a link that moves `rate` bytes per second: latency + data ÷ rate in two protocols,
/// the low-latency one up to `knee` bytes, the bulk one beyond [M-comm-link].
struct LinkCurve {
  double base = 0.0, hop = 0.0;  ///< latency = base + hop × (n − 1), s
  double slow = 0.0;             ///< share of the link's rate in the low-latency protocol
  double knee = 0.0;             ///< message size at which the library changes protocol, B
  double settle = 0.0;           ///< latency of the bulk protocol ÷ latency of the other
  double fast = 0.0;             ///< share of the link's rate in the bulk protocol, many ranks
  double few = 0.0;              ///< rate lost with few ranks: × (1 − few ÷ n)
  double crowd = 0.0;            ///< rate lost as ranks crowd a shared path: ÷ (1 + crowd × (n − 2))
  double scatter = 1.0;          ///< rate of reduce-scatter ÷ rate of all-gather (libraries that copy one and ring the other)
};

/// All-reduce in the switch (NVLink SHARP): one line, from `ranks` GPUs up.
struct SwitchCurve {
  double base = 0.0, share = 0.0, ranks = 0.0;
};

/// All-reduce kernels of serving engines: one-shot (every rank reads all) or two-shot, whichever is faster [M-comm-engine].
struct EngineCurve {
  double base = 0.0, hop = 0.0, one_shot = 0.0, two_shot = 0.0, second = 0.0;
};

/// Between domains, in two protocols as inside: latency = base + step per doubling of domains; the bulk one starts later by `settle`
/// latencies and `rank` per rank [M-comm-net].
struct NetCurve {
  double base = 0.0, step = 0.0, slow = 0.0, settle = 0.0, rank = 0.0, fast = 0.0;
};

/// Every coefficient of communication, resolved once per calibration.
struct CommCoefficients {
  std::array<std::array<LinkCurve, pattern_count>, link_class_count> link{};
  std::array<SwitchCurve, link_class_count> in_switch{};
  std::array<EngineCurve, link_class_count> engine{};
  std::array<NetCurve, net_class_count> net{};
  double nics_per_collective = 0.0;             ///< network cards of one domain that a collective drives at most
  double no_peer_share = 1.0;                   ///< PCIe rate of cards whose driver refuses peer access ÷ rate of those that allow it
  double peer_rate_min = 0.0;                   ///< B/s, PCIe rate from which peer access was seen to work across a whole node
  double eager_floor = 0.0;                     ///< s, shortest collective that a framework launches one by one
  double range_low[3]{}, range_high[3]{};       ///< factors of the central 90 %: ≥ 1 MiB, < 1 MiB, across nodes
};
CommCoefficients resolve_comm(const Calibration&);
/// Names of all coefficients that resolve_comm asks for.
std::vector<std::string> comm_coefficient_names();

/// One machine's links, plain numbers only.
struct Fabric {
  const CommCoefficients* coefficients = nullptr;
  const Profile* profile = nullptr;  ///< measured collectives of this machine, where there are any
  LinkClass link = LinkClass::pcie_host;
  LinkClass host_link = LinkClass::pcie_host;  ///< between bridged pairs
  NetClass net = NetClass::tcp;
  std::int64_t local = 1;      ///< GPUs of one domain (a node, or a rack that NVLink spans)
  std::int64_t pair = 0;       ///< bridge: GPUs joined at full rate
  double link_rate = 0.0;      ///< B/s per GPU one way
  double peer_rate = 0.0;      ///< direct links: B/s between two GPUs
  double pcie_rate = 0.0;      ///< B/s per GPU one way
  double net_rate = 0.0;       ///< B/s per domain one way; 0 = no network
  double nic_rate = 0.0;       ///< B/s that one GPU can send alone
  bool has_switch_reduce = false;
};
Fabric make_fabric(const CommCoefficients&, const Machine&);

}  // namespace gpuplan
