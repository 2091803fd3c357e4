#include "core/comm/measured_collectives.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/catalog/profile_fixture.hpp"

using namespace gpuplan;

namespace {
/// Measured: all-reduce over 4 GPUs of a node and over 8 of two nodes, one message in the node.
Profile measured() {
  Profile p;
  p.collectives = {{Collective::all_reduce, Gpus{4}, Nodes{1}, fixture::line(10e-6, 300e9)},
                   {Collective::all_reduce, Gpus{8}, Nodes{2}, fixture::line(40e-6, 50e9)},
                   {Collective::send_recv, Gpus{2}, Nodes{1}, fixture::line(8e-6, 200e9)}};
  return p;
}
/// Links without any rate: whatever is answered was measured.
Fabric bare(const CommCoefficients& c, const Profile* profile) {
  Fabric f;
  f.coefficients = &c;
  f.profile = profile;
  return f;
}
}  // namespace

TEST_CASE("a measured collective stands in place of the fitted curves") {
  const CommCoefficients c{};
  const Profile p = measured();
  const Seconds t = collective_time(bare(c, &p), CollectiveKind::all_reduce, {4, 4, 1}, Bytes{1e9});
  CHECK(t.value == Approx(10e-6 + 1.5 * 1e9 / 300e9));  // 2·3/4 of the buffer over the bus
}

TEST_CASE("group, nodes and kind must be those that were measured") {
  const Profile p = measured();
  CHECK(measured_collective(p, CollectiveKind::all_reduce, {8, 4, 1}, Bytes{1e6}));
  CHECK_FALSE(measured_collective(p, CollectiveKind::all_reduce, {8, 8, 1}, Bytes{1e6}));
  CHECK_FALSE(measured_collective(p, CollectiveKind::all_reduce, {2, 4, 1}, Bytes{1e6}));
  CHECK_FALSE(measured_collective(p, CollectiveKind::all_gather, {4, 4, 1}, Bytes{1e6}));
}

TEST_CASE("groups that share a network are not what was measured alone") {
  const Profile p = measured();
  CHECK_FALSE(measured_collective(p, CollectiveKind::all_reduce, {8, 4, 4}, Bytes{1e6}));
  CHECK(measured_collective(p, CollectiveKind::all_reduce, {4, 4, 4}, Bytes{1e6}));  // inside a node they have links of their own
}

TEST_CASE("a message of a long pipeline goes between two GPUs") {
  const Profile p = measured();
  CHECK(measured_collective(p, CollectiveKind::send_recv, {4, 4, 1}, Bytes{2e9})->value == Approx(8e-6 + 0.01));
  CHECK_FALSE(measured_collective(p, CollectiveKind::send_recv, {4, 1, 1}, Bytes{2e9}));
}
