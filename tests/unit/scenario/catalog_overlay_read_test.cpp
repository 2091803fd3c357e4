#include "core/scenario/catalog_overlay.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "../plan/knowledge_fixture.hpp"
#include "core/api/call.hpp"

using namespace gpuplan;
using nlohmann::json;

namespace {

const Catalog& shipped() { return shipped_context().knowledge.catalog; }

Catalog laid(const json& overlay) {
  auto out = lay_over(shipped(), overlay);
  if (!out) FAIL(out.problem().message);
  return *out;
}

const Instance& offer(const Catalog& c, const char* id) { return c.instances[static_cast<std::size_t>(*find_instance(c, id, ""))]; }

std::string refused_at(const json& overlay) {
  auto out = lay_over(shipped(), overlay);
  return out ? "" : out.problem().pointer;
}

}  // namespace

TEST_CASE("an own machine stands beside the shipped offers, wired as its GPU usually is") {
  const Catalog c = laid({{"version", 1}, {"date", "2026-11-01"}, {"machines", {{{"id", "lab:rack-1"}, {"gpu", "nvidia-h100-sxm-80gb"}, {"gpus", 8}, {"on_demand_per_hour", 9.5}}}}});
  CHECK(c.instances.size() == shipped().instances.size() + 1);
  const Instance& rack = offer(c, "lab:rack-1");
  CHECK(rack.scale_up == ScaleUp::switched);
  CHECK(rack.scale_out == ScaleOut::none);
  CHECK(rack.price_date == "2026-11-01");
  CHECK(rack.currency == "USD");
}

TEST_CASE("a negotiated price replaces the shipped one, with its own date and region") {
  const Catalog c = laid({{"prices", {{{"instance", "aws:p5.48xlarge"}, {"on_demand_per_hour", 20}, {"price_date", "2026-10-10"}, {"region", "eu-west-1"}}}}});
  CHECK(offer(c, "aws:p5.48xlarge").on_demand_per_hour == 20);
  CHECK(offer(c, "aws:p5.48xlarge").price_date == "2026-10-10");
  CHECK(offer(c, "aws:p5.48xlarge").region == "eu-west-1");
  CHECK(c.instances.size() == shipped().instances.size());
}

TEST_CASE("an owned machine costs its purchase over its years and its electricity") {
  const Catalog c = laid({{"machines", {{{"id", "box"}, {"gpu", "nvidia-rtx4090-24gb"}, {"purchase_usd", 8766}, {"years", 1}, {"power_kw", 2}, {"usd_per_kwh", 0.25}}}}});
  CHECK(offer(c, "own:box").on_demand_per_hour == Approx(1.0 + 0.5));
  CHECK(offer(c, "own:box").provider_class == ProviderClass::owned);
}

TEST_CASE("with only the person's own machines nothing else is searched") {
  const json request = {{"op", "plan"}, {"now", "2026-12-01"}, {"scenario", {{"model", {{"id", "Qwen/Qwen2.5-7B"}}}, {"task", "inference"}}},
                        {"catalog_overlay", {{"only", true}, {"machines", {{{"id", "box"}, {"gpu", "nvidia-rtx4090-24gb"}, {"gpus", 2}, {"purchase_usd", 6000}}}}}}};
  const json out = answer(shipped_context(), request);
  REQUIRE(out["options"].size() == 1);
  CHECK(out["options"][0]["instance"] == "own:box");
  CHECK(out["options"][0]["cost"]["usd_per_hour"].get<double>() > 0.0);
}

TEST_CASE("a bad own catalog is refused at the field") {
  CHECK(refused_at(json::array()) == "/catalog_overlay");
  CHECK(refused_at({{"version", 2}}) == "/catalog_overlay/version");
  CHECK(refused_at({{"machine", json::array()}}) == "/catalog_overlay/machine");
  CHECK(refused_at({{"only", true}}) == "/catalog_overlay");
  CHECK(refused_at({{"date", "soon"}}) == "/catalog_overlay/date");
  CHECK(refused_at({{"machines", {{{"id", "a"}}}}}) == "/catalog_overlay/machines/0/gpu");
  CHECK(refused_at({{"machines", {{{"id", "a"}, {"gpu", "h1000"}}}}}) == "/catalog_overlay/machines/0/gpu");
  CHECK(refused_at({{"machines", {{{"id", "a"}, {"gpu", "nvidia-l4"}, {"gpus", 1.5}}}}}) == "/catalog_overlay/machines/0/gpus");
  CHECK(refused_at({{"machines", {{{"id", "a"}, {"gpu", "nvidia-l4"}}, {{"id", "own:a"}, {"gpu", "nvidia-l4"}}}}}) == "/catalog_overlay/machines/1/id");
  CHECK(refused_at({{"machines", {{{"id", "a\n"}, {"gpu", "nvidia-l4"}}}}}) == "/catalog_overlay/machines/0/id");
  CHECK(refused_at({{"machines", {{{"id", "a"}, {"gpu", "nvidia-l4"}, {"currency", "XXX"}}}}}) == "/catalog_overlay/machines/0/currency");
  CHECK(refused_at({{"machines", {{{"id", "a"}, {"gpu", "nvidia-l4"}, {"years", 4}, {"on_demand_per_hour", 1}}}}}) == "/catalog_overlay/machines/0/purchase_usd");
  CHECK(refused_at({{"prices", {{{"instance", "aws:p5.48xlarge"}}}}}) == "/catalog_overlay/prices/0");
  CHECK(refused_at({{"prices", {{{"instance", "aws:none"}, {"on_demand_per_hour", 1}}}}}) == "/catalog_overlay/prices/0/instance");
  CHECK(refused_at({{"prices", {{{"instance", "aws:p5.48xlarge"}, {"on_demand_per_hour", -1}}}}}) == "/catalog_overlay/prices/0/on_demand_per_hour");
}
