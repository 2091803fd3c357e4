#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/catalog/describe.hpp"
#include "shipped.hpp"

using namespace gpuplan;
using nlohmann::json;

namespace {

/// Every object with a "value" anywhere below.
void each_figure(const json& below, const std::function<void(const std::string&, const json&)>& see, const std::string& at = "") {
  if (below.is_object() && below.contains("value")) return see(at, below);
  if (below.is_structured()) {
    for (const auto& [key, inner] : below.items()) each_figure(inner, see, at + "/" + key);
  }
}

}  // namespace

TEST_CASE("every figure of the catalog says value, unit, kind, source and date, and its source has a text") {
  const json texts = json::parse(embedded_asset("sources"));
  std::size_t seen = 0;
  for (const auto& answer : {describe_gpus(shipped()), describe_instances(shipped()), describe_software(shipped())}) {
    REQUIRE(answer);
    each_figure(*answer, [&](const std::string& at, const json& figure) {
      INFO(at << " " << figure.dump());
      ++seen;
      REQUIRE(figure.size() == 5);
      REQUIRE_FALSE(figure["kind"].get<std::string>().empty());
      REQUIRE_FALSE(figure["source"].get<std::string>().empty());
      std::istringstream words(figure["source"].get<std::string>());
      for (std::string word; words >> word;) REQUIRE(texts.contains(word));
      if (at.find("per_hour") == std::string::npos) REQUIRE(figure["date"].get<std::string>().size() == 10);
    });
  }
  CHECK(seen > 8000);
}

TEST_CASE("what is described is what the asset says") {
  const json answer = *describe_gpus(shipped(), "h100");
  REQUIRE(answer["gpus"].size() == 1);
  const json& h100 = answer["gpus"][0];
  CHECK(h100["id"] == "nvidia-h100-sxm-80gb");
  CHECK(h100["memory_advertised_bytes"]["value"].dump() == "80000000000");
  CHECK(h100["memory_usable_bytes"]["kind"] == "measured");
  CHECK(h100["memory_usable_bytes"]["source"] == "driver-readings");
  CHECK(h100["pcie_bytes_per_second_each_way"]["kind"] == "derived");
  CHECK(h100["bf16_dense_flops_per_second"]["unit"] == "flop/s");
}

TEST_CASE("texts of sources come along only when the asset is given") {
  CHECK_FALSE(describe_gpus(shipped(), "l4")->contains("sources"));
  const json answer = *describe_gpus(shipped(), "l4", embedded_asset("sources"));
  CHECK(answer["sources"].contains("driver-readings"));
  CHECK(answer["sources"].size() < 20);
  CHECK_FALSE(describe_gpus(shipped(), "l4", "{").operator bool());
}

TEST_CASE("a CNY price is shown in CNY and, at a dated rate, in USD") {
  const json offer = (*describe_instances(shipped(), "alibaba:ecs.ebmgn7.26xlarge"))["instances"][0];
  CHECK(offer["on_demand_per_hour"]["unit"] == "CNY/h");
  CHECK(offer["on_demand_usd_per_hour"]["value"].get<double>() == Approx(252.6667 * usd_per_unit(shipped(), "CNY")));
  CHECK(offer["on_demand_usd_per_hour"]["date"] == "2026-09-29");
}

TEST_CASE("an offer without a price says so") {
  CHECK((*describe_instances(shipped(), "volcengine:ecs.ebmhpcpni2l.32xlarge"))["instances"][0]["unpriced"] == true);
  CHECK_FALSE((*describe_instances(shipped(), "aws:p5.48xlarge"))["instances"][0].contains("unpriced"));
}

TEST_CASE("an unknown id is an error with the nearest ones") {
  const auto answer = describe_software(shipped(), "vlm");
  REQUIRE_FALSE(answer);
  CHECK(answer.problem().nearest[0] == "vllm");
}

TEST_CASE("a GPU says its kind of memory and its vendor's name for its instruction set") {
  CHECK((*describe_gpus(shipped(), "mi300x"))["gpus"][0]["compute_capability"] == "gfx942");
  CHECK((*describe_gpus(shipped(), "h200"))["gpus"][0]["memory_type"] == "HBM3e");
}
