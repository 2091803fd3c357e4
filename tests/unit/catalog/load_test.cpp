#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "shipped.hpp"

using namespace gpuplan;
using nlohmann::json;

namespace {

/// The shipped assets, to be broken one at a time.
struct Assets {
  json gpus = json::parse(embedded_asset("gpus")), instances = json::parse(embedded_asset("instances")), software = json::parse(embedded_asset("software"));

  Problem refused() const {
    const Result<Catalog> read = load_catalog(gpus.dump(), instances.dump(), software.dump());
    REQUIRE_FALSE(read);
    return read.problem();
  }
};

}  // namespace

TEST_CASE("text that is not JSON is refused by name") {
  CHECK(load_catalog("", "{}", "{}").problem().pointer == "/gpus");
  CHECK(load_catalog(std::string(100000, '['), "{}", "{}").problem().code == ProblemCode::too_large);
  CHECK(load_catalog("[]", "{}", "{}").problem().pointer == "/gpus/columns");
}

TEST_CASE("a figure that cannot be true is refused with column and row") {
  Assets assets;
  assets.gpus["columns"]["memory_usable_bytes"][3] = 1e15;
  CHECK(assets.refused().pointer == "/gpus/columns/memory_usable_bytes/3");
}

TEST_CASE("a usable size above the advertised one is refused") {
  Assets assets;
  assets.gpus["columns"]["memory_usable_bytes"][3] = 20e9;
  CHECK(assets.refused().code == ProblemCode::conflict);
}

TEST_CASE("a missing figure that every GPU has is refused") {
  Assets assets;
  assets.gpus["columns"]["memory_advertised_bytes"][5] = nullptr;
  CHECK(assets.refused().pointer == "/gpus/columns/memory_advertised_bytes/5");
}

TEST_CASE("a missing column is refused by name") {
  Assets assets;
  assets.gpus["columns"].erase("bf16_dense_flops_per_second");
  CHECK(assets.refused().pointer == "/gpus/columns/bf16_dense_flops_per_second");
}

TEST_CASE("a column of another length or shape is refused") {
  Assets assets;
  assets.gpus["columns"]["year"].push_back(2026);
  CHECK(assets.refused().pointer == "/gpus/columns/year");
  Assets coded;
  coded.gpus["columns"]["year"] = json{{"of", json::array({"x"})}, {"at", json::array({0})}};
  CHECK(coded.refused().pointer == "/gpus/columns/year");
}

TEST_CASE("two GPUs with one id are refused") {
  Assets assets;
  assets.gpus["columns"]["id"][1] = assets.gpus["columns"]["id"][0];
  CHECK(assets.refused().pointer == "/gpus/columns/id/1");
}

TEST_CASE("an offer with an unknown GPU, provider, link or currency is refused") {
  Assets assets;
  assets.instances["columns"]["gpu"]["of"][0] = "nvidia-t5";
  CHECK(assets.refused().pointer == "/instances/columns/gpu/0");
  Assets provider;
  provider.instances["providers"].erase("aws");
  CHECK(provider.refused().pointer == "/instances/columns/provider/0");
  Assets link;
  link.instances["columns"]["scale_up"]["of"][0] = "string";
  CHECK(link.refused().code == ProblemCode::unknown_id);
  Assets rate;
  rate.instances["exchange_rates"] = json::array({json{{"currency", "EUR"}, {"usd_per_unit", 1.1}}});
  CHECK(rate.refused().pointer == "/instances/columns/currency/0");
}

TEST_CASE("a price of zero or below is refused: no price is null") {
  Assets assets;
  assets.instances["columns"]["on_demand_per_hour"][0] = 0;
  CHECK(assets.refused().pointer == "/instances/columns/on_demand_per_hour/0");
}

TEST_CASE("software without a version, or with a limit that is no whole number, is refused") {
  Assets assets;
  assets.software["software"][0]["versions"] = json::array();
  CHECK(assets.refused().pointer == "/software/software/0/versions");
  Assets limit;
  limit.software["software"][0]["max_tp"] = 1.5;
  CHECK(limit.refused().pointer == "/software/software/0/max_tp");
  Assets gone;
  gone.software["software"][0].erase("vendors");
  CHECK(gone.refused().pointer == "/software/software/0/vendors");
}
