#include <catch2/catch.hpp>

#include <cmath>

#include "core/assets.hpp"
#include "core/comm/collectives.hpp"

using namespace gpuplan;
using namespace gpuplan::literals;

namespace {

/// Coefficients of an ideal machine: no latency, full rate, no reductions in the switch.
CommCoefficients ideal() {
  CommCoefficients c;
  for (auto& link : c.link) {
    for (LinkCurve& k : link) k = LinkCurve{0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0};
  }
  for (SwitchCurve& s : c.in_switch) s = SwitchCurve{0.0, 1.0, 1e9};
  for (EngineCurve& e : c.engine) e = EngineCurve{0.0, 0.0, 1.0, 1.0, 1.0};
  for (NetCurve& n : c.net) n = NetCurve{0.0, 0.0, 1.0, 0.0, 0.0, 1.0};
  c.nics_per_collective = 64.0;
  c.peer_rate_min = 40e9;
  return c;
}

Machine hgx(const Gpu& gpu, std::int64_t nodes) {
  Machine m;
  m.gpu = &gpu;
  m.gpus_per_node = Gpus{8};
  m.nodes = Nodes{nodes};
  m.scale_up = ScaleUp::switched;
  m.scale_up_domain = Gpus{8};
  m.scale_up_each_way = 450_GBps;
  m.pcie_each_way = 63_GBps;
  m.scale_out = ScaleOut::infiniband;
  m.scale_out_per_node_each_way = 400_GBps;
  m.nics_per_node = 8;
  m.rdma = true;
  return m;
}

Gpu hopper() {
  Gpu g;
  g.vendor = "NVIDIA";
  g.compute_capability_major = 9;
  return g;
}

constexpr CollectiveKind kinds[] = {CollectiveKind::all_reduce, CollectiveKind::all_gather, CollectiveKind::reduce_scatter,
                                    CollectiveKind::all_to_all, CollectiveKind::send_recv};

CommCoefficients fitted() {
  const auto calibration = load_calibration(embedded_asset("calibration"));
  REQUIRE(calibration);
  return resolve_comm(*calibration);
}

}  // namespace

TEST_CASE("without latency and losses a collective takes its traffic over the link") {
  const CommCoefficients c = ideal();
  const Gpu gpu = hopper();
  const Fabric one = make_fabric(c, hgx(gpu, 1));
  const GroupPlacement node = place_group(one, 8, 1);
  CHECK(collective_time(one, CollectiveKind::all_reduce, node, 1_GB).value == Approx(1e9 * 2 * 7 / 8 / 450e9));
  CHECK(collective_time(one, CollectiveKind::all_gather, node, 1_GB).value == Approx(1e9 * 7 / 8 / 450e9));
  CHECK(collective_time(one, CollectiveKind::all_to_all, node, 1_GB).value == Approx(1e9 * 7 / 8 / 450e9));
  CHECK(collective_time(one, CollectiveKind::send_recv, place_group(one, 2, 1), 1_GB).value == Approx(1e9 / 450e9));
}

TEST_CASE("one GPU and no bytes need no time") {
  const CommCoefficients c = ideal();
  const Gpu gpu = hopper();
  const Fabric f = make_fabric(c, hgx(gpu, 2));
  for (const CollectiveKind kind : kinds) {
    CHECK(collective_time(f, kind, place_group(f, 1, 1), 1_GB).value == 0.0);
    CHECK(collective_time(f, kind, place_group(f, 8, 1), 0_B).value == 0.0);
  }
}

TEST_CASE("groups land on nodes innermost first") {
  const CommCoefficients c = ideal();
  const Gpu gpu = hopper();
  const Fabric f = make_fabric(c, hgx(gpu, 4));
  const GroupPlacement tp = place_group(f, 8, 1), dp = place_group(f, 4, 8), mixed = place_group(f, 16, 2);
  CHECK(tp.per_node == 8);
  CHECK(tp.nodes() == 1);
  CHECK(dp.per_node == 1);
  CHECK(dp.sharing == 8);  // one group per GPU of the node uses its network
  CHECK(mixed.per_node == 4);
  CHECK(mixed.sharing == 2);
  CHECK(link_kind(f, tp) == LinkKind::nvlink);
  CHECK(link_kind(f, dp) == LinkKind::network);
  CHECK(link_kind(f, mixed) == LinkKind::mixed);
}

TEST_CASE("a rack that NVLink spans is one domain") {
  const CommCoefficients c = ideal();
  Gpu gpu = hopper();
  gpu.compute_capability_major = 10;
  Machine m = hgx(gpu, 36);
  m.gpus_per_node = Gpus{4};
  m.scale_up_domain = Gpus{72};
  const Fabric f = make_fabric(c, m);
  CHECK(place_group(f, 72, 1).nodes() == 1);
  CHECK(place_group(f, 144, 1).nodes() == 2);
  CHECK(f.net_rate == Approx(18 * 400e9));
}

TEST_CASE("with the fitted coefficients more data is never faster and more bandwidth never slower") {
  const CommCoefficients c = fitted();
  const Gpu gpu = hopper();
  for (const std::int64_t nodes : {std::int64_t{1}, std::int64_t{2}, std::int64_t{16}}) {
    Machine m = hgx(gpu, nodes), faster = m;
    faster.scale_up_each_way = 600_GBps;
    faster.scale_out_per_node_each_way = 800_GBps;
    const Fabric f = make_fabric(c, m), g = make_fabric(c, faster);
    for (const CollectiveKind kind : kinds) {
      double before = 0.0;
      for (double bytes = 1024.0; bytes < 4e10; bytes *= 1.37) {
        const GroupPlacement p = kind == CollectiveKind::send_recv ? place_group(f, 2, 8 * nodes - 1) : place_group(f, 8 * nodes, 1);
        const double t = collective_time(f, kind, p, Bytes{bytes}).value;
        REQUIRE(t >= before);
        REQUIRE(t > 0.0);
        REQUIRE(collective_time(g, kind, p, Bytes{bytes}).value <= t);
        before = t;
      }
    }
  }
}

TEST_CASE("every coefficient of communication is in the calibration and is a number") {
  const auto calibration = load_calibration(embedded_asset("calibration"));
  REQUIRE(calibration);
  for (const std::string& name : comm_coefficient_names()) {
    INFO(name);
    REQUIRE(calibration->find(name) != nullptr);
    CHECK(std::isfinite(calibration->value(name)));
  }
}

TEST_CASE("bridged GPUs beyond a pair go over PCIe") {
  const CommCoefficients c = fitted();
  Gpu gpu = hopper();
  gpu.scale_up_max = Gpus{2};
  Machine m = hgx(gpu, 1);
  m.scale_up = ScaleUp::bridge;
  m.scale_up_each_way = 300_GBps;
  const Fabric f = make_fabric(c, m);
  const Seconds pair = collective_time(f, CollectiveKind::all_reduce, place_group(f, 2, 1), 1_GB);
  const Seconds four = collective_time(f, CollectiveKind::all_reduce, place_group(f, 4, 1), 1_GB);
  CHECK(four.value > 2.5 * pair.value);
  CHECK(link_kind(f, place_group(f, 4, 1)) == LinkKind::pcie);
}
