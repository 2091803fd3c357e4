#include "core/units.hpp"

#include <type_traits>

#include <catch2/catch.hpp>

#include "core/counts.hpp"

using namespace gpuplan;
using namespace gpuplan::literals;

static_assert(std::is_same_v<decltype(1_GB / 1_GBps), Seconds>);
static_assert(std::is_same_v<decltype(1_GB / 2_GB), double>);
static_assert(std::is_same_v<decltype(1.0 / Seconds{2}), Quantity<0, 0, -1, 0, 0, 0>>);

TEST_CASE("GB and GiB are different literals") {
  CHECK((80_GB).value == 80e9);
  CHECK((80_GiB).value == 80.0 * 1073741824.0);
  CHECK(80_GB < 80_GiB);
}

TEST_CASE("network speeds count bits, link speeds count bytes") { CHECK((400_Gbps).value == (50_GBps).value); }

TEST_CASE("GPUs of a cluster are nodes times GPUs per node") { CHECK((Nodes{4} * Gpus{8}) == Gpus{32}); }

TEST_CASE("rounding up to groups") {
  CHECK(ceil_div(17, 16) == 2);
  CHECK(round_up(17, 16) == 32);
  CHECK(round_up(16, 16) == 16);
}
