#include "core/catalog/ownership.hpp"

#include <catch2/catch.hpp>

using namespace gpuplan;

namespace {

Gpu card() {
  Gpu g;
  g.tdp_watts = 500;
  return g;
}

}  // namespace

TEST_CASE("an owned hour is the purchase over its years and the electricity of that hour") {
  Ownership o;
  o.purchase_usd = 2 * 8766;
  o.years = 2;
  o.power_kw = 3;
  o.usd_per_kwh = 0.2;
  CHECK(usd_per_hour(o, card(), Gpus{8}) == Approx(1.0 + 0.6));
}

TEST_CASE("where nothing is said the power comes from the GPUs, the server around them and its cooling") {
  Ownership o;
  o.usd_per_kwh = 1;
  CHECK(usd_per_hour(o, card(), Gpus{2}) == Approx(1.0 * assumed_server_over_gpus * assumed_cooling));
}
