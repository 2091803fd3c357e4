#include "core/comm/fabric.hpp"

namespace gpuplan {
namespace {

constexpr const char* link_names[link_class_count] = {"nvlink3", "nvlink4", "nvlink5", "bridge", "direct", "pcie_host", "pcie_peer", "pcie_oneccl"};
constexpr const char* net_names[net_class_count] = {"infiniband", "roce", "efa", "tcp"};
constexpr const char* pattern_names[pattern_count] = {"all_reduce", "gather_scatter", "all_to_all", "send_recv"};
constexpr const char* range_names[3] = {"large", "small", "network"};

/// Calls `f(head, rest, field)` for every coefficient, which is named head + rest, so that reading them and listing their names cannot differ.
template <class F>
void each_coefficient(CommCoefficients& c, F f) {
  const std::string comm = "comm.";
  for (int l = 0; l < link_class_count; ++l) {
    const std::string link = std::string("comm.") + link_names[l] + ".";
    for (int p = 0; p < pattern_count; ++p) {
      LinkCurve& k = c.link[l][p];
      const std::string at = link + pattern_names[p] + ".";
      f(at, "base", k.base), f(at, "hop", k.hop), f(at, "slow", k.slow), f(at, "knee", k.knee);
      f(at, "settle", k.settle), f(at, "fast", k.fast), f(at, "few", k.few), f(at, "crowd", k.crowd);
      if (p == static_cast<int>(Pattern::gather_scatter)) f(at, "scatter", k.scatter);
    }
    f(link, "switch.base", c.in_switch[l].base), f(link, "switch.share", c.in_switch[l].share), f(link, "switch.ranks", c.in_switch[l].ranks);
    EngineCurve& e = c.engine[l];
    f(link, "engine.base", e.base), f(link, "engine.hop", e.hop), f(link, "engine.one_shot", e.one_shot);
    f(link, "engine.two_shot", e.two_shot), f(link, "engine.second", e.second);
  }
  for (int n = 0; n < net_class_count; ++n) {
    const std::string net = std::string("comm.") + net_names[n] + ".";
    NetCurve& k = c.net[n];
    f(net, "base", k.base), f(net, "step", k.step), f(net, "slow", k.slow), f(net, "settle", k.settle);
    f(net, "rank", k.rank), f(net, "fast", k.fast);
  }
  f(comm, "nics_per_collective", c.nics_per_collective);
  f(comm, "no_peer_share", c.no_peer_share);
  f(comm, "peer_rate_min", c.peer_rate_min), f(comm, "eager_floor", c.eager_floor);
  for (int r = 0; r < 3; ++r) {
    const std::string range = std::string("comm.range.") + range_names[r] + ".";
    f(range, "low", c.range_low[r]), f(range, "high", c.range_high[r]);
  }
}

}  // namespace

CommCoefficients resolve_comm(const Calibration& calibration) {
  CommCoefficients c;
  std::string name;
  each_coefficient(c, [&](const std::string& head, const char* rest, double& field) { field = calibration.value(name.assign(head).append(rest)); });
  return c;
}

std::vector<std::string> comm_coefficient_names() {
  CommCoefficients c;
  std::vector<std::string> names;
  each_coefficient(c, [&](const std::string& head, const char* rest, double&) { names.push_back(head + rest); });
  return names;
}

}  // namespace gpuplan
