/// Owned and reserved machines: their rate is stated by somebody, or said to be missing; never another kind of price in its place.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "../plan/knowledge_fixture.hpp"
#include "core/api/call.hpp"

using namespace gpuplan;
using nlohmann::json;

namespace {

const json model = {{"id", "Qwen/Qwen2.5-7B"}};

json asked(const char* op, json policy, json hardware = json::object()) {
  return answer(shipped_context(), {{"op", op}, {"now", "2026-12-01"}, {"scenario", {{"model", model}, {"task", "inference"}, {"hardware", std::move(hardware)}, {"policy", std::move(policy)}}}});
}

bool warns(const json& estimate) {
  for (const json& note : estimate["notes"]) {
    if (note["code"] == "price-missing") return true;
  }
  return false;
}

const json two_cards = {{"gpu", "rtx4090"}, {"gpus_per_node", 2}};

}  // namespace

TEST_CASE("an owned machine costs what the scenario says of its purchase and power") {
  const json e = asked("estimate", {{"pricing", "owned"}, {"purchase_usd", 8766}, {"years", 1}, {"power_kw", 2}, {"usd_per_kwh", 0.25}}, two_cards);
  CHECK(e["cost"]["usd_per_hour"].get<double>() == Approx(1.0 + 0.5));
  CHECK_FALSE(warns(e));
}

TEST_CASE("an owned offer of the catalog costs its owner's rate, not its rent") {
  const json e = asked("estimate", {{"pricing", "owned"}, {"purchase_usd", 87660}, {"years", 1}, {"power_kw", 1}, {"usd_per_kwh", 0}}, {{"instance", "aws:p5.48xlarge"}});
  CHECK(e["cost"]["usd_per_hour"].get<double>() == Approx(10.0));
}

TEST_CASE("without an owner's rate a named machine has no price, and the answer says so") {
  for (const json& hardware : {two_cards, json{{"instance", "aws:p5.48xlarge"}}}) {
    const json e = asked("estimate", {{"pricing", "owned"}}, hardware);
    CHECK(e["cost"]["usd_per_hour"].is_null());
    CHECK(warns(e));
  }
}

TEST_CASE("a search over rented offers does not answer for owned ones") {
  for (const char* op : {"plan", "tiers"}) {
    const json out = asked(op, {{"pricing", "owned"}});
    REQUIRE(out.contains("error"));
    CHECK(out["error"]["pointer"] == "/policy/pricing");
    CHECK(out["error"]["message"].get<std::string>().find("/policy/purchase_usd") != std::string::npos);
  }
}

TEST_CASE("a commitment takes its discount off the on-demand price where an offer has no reserved one") {
  const json hardware = {{"instance", "aws:g6.xlarge"}};
  const double on_demand = asked("estimate", json::object(), hardware)["cost"]["usd_per_hour"].get<double>();
  const json plain = asked("estimate", {{"pricing", "reserved"}}, hardware);
  CHECK(plain["cost"]["usd_per_hour"].is_null());
  CHECK(warns(plain));
  const json e = asked("estimate", {{"pricing", "reserved"}, {"reserved_discount", 0.4}}, hardware);
  CHECK(e["cost"]["usd_per_hour"].get<double>() == Approx(0.6 * on_demand));
}
