/// One box whose cards differ: whole layers per card, each with its own memory, no faster than its slowest chain.
#include <nlohmann/json.hpp>

#include "core/api/call.hpp"
#include "knowledge_fixture.hpp"

using namespace gpuplan;
using nlohmann::json;

namespace {

json estimated(json hardware, const char* model, json more = json::object()) {
  json scenario = {{"model", {{"id", model}}}, {"task", "inference"}, {"software", "llama.cpp"}, {"numerics", {{"weights", "q4_k_m"}}},
                   {"workload", {{"concurrency", 1}, {"context", 4096}}}, {"hardware", std::move(hardware)}};
  scenario.merge_patch(more);
  return answer(shipped_context(), {{"op", "estimate"}, {"now", "2026-12-01"}, {"scenario", std::move(scenario)}});
}

double speed(const json& e) { return e["throughput"]["tokens_per_s"].get<double>(); }

const char* const small = "meta-llama/Llama-3.1-8B";
const char* const large = "meta-llama/Llama-3.3-70B-Instruct";

}  // namespace

TEST_CASE("a model that no single card holds is shared by layers over unequal cards") {
  CHECK_FALSE(estimated({{"gpu", "rtx3090"}}, large)["fits"].get<bool>());
  const json e = estimated({{"gpus", {"rtx3090", "rtx3090", "rtx4060ti-16gb"}}}, large);
  REQUIRE(e["fits"].get<bool>());
  const json& layers = e["resolved"]["layout"];
  CHECK(layers["split"] == "layer");
}

TEST_CASE("memory is judged card by card, not as one pool") {
  // 24 + 8 GB as a pool would hold what the 8 GB card's part does not.
  const json even = estimated({{"gpus", {"rtx3090", "rtx3060ti"}}}, small);
  REQUIRE(even.contains("memory"));
  CHECK(even["fits"].get<bool>());
  CHECK(even["memory"]["usable_bytes"].get<double>() < 26.0e9);
  CHECK_FALSE(estimated({{"gpus", {"rtx3090", "1080ti"}}}, large)["fits"].get<bool>());
}

TEST_CASE("a slower card beside a fast one never speeds a single stream up") {
  const json fast = estimated({{"gpu", "rtx4090"}}, small), mixed = estimated({{"gpus", {"rtx4090", "1080ti"}}}, small), slow = estimated({{"gpu", "1080ti"}}, small);
  CHECK(speed(mixed) <= speed(fast) * 1.001);
  CHECK(speed(mixed) > speed(slow));
}

TEST_CASE("cards that are alike are a machine of so many cards") {
  const json listed = estimated({{"gpus", {"rtx3090", "rtx3090"}}}, small), counted = estimated({{"gpu", "rtx3090"}, {"gpus_per_node", 2}}, small);
  CHECK(listed["memory"]["usable_bytes"] == counted["memory"]["usable_bytes"]);
}

TEST_CASE("what cannot share unequal cards says so") {
  const json vllm = estimated({{"gpus", {"rtx4090", "rtx3090"}}}, small, {{"software", "vllm"}, {"numerics", {{"weights", "bf16"}}}});
  REQUIRE(vllm.contains("error"));
  CHECK(vllm["error"]["pointer"] == "/hardware/gpus");
  const json both = estimated({{"gpus", {"rtx4090", "rtx3090"}}, {"gpu", "rtx4090"}}, small);
  REQUIRE(both.contains("error"));
  CHECK(both["error"]["pointer"] == "/hardware/gpus");
  CHECK(estimated({{"gpus", {"rtx4090", "rtx39"}}}, small)["error"]["pointer"] == "/hardware/gpus/1");
}

TEST_CASE("fit keeps layers in host memory where the GPUs alone are too small") {
  const auto fit = [](json hardware) {
    return answer(shipped_context(), {{"op", "fit"}, {"now", "2026-12-01"}, {"scenario", {{"task", "inference"}, {"model", {{"id", large}}}, {"hardware", std::move(hardware)}}}})["models"][0];
  };
  CHECK_FALSE(fit({{"gpu", "rtx4090"}, {"gpus_per_node", 1}})["fits"].get<bool>());
  const json row = fit({{"gpu", "rtx4090"}, {"gpus_per_node", 1}, {"host_memory_gib", 64}});
  REQUIRE(row["fits"].get<bool>());
  CHECK(row["gpu_layers"].get<int>() > 0);
  CHECK(row["gpu_layers"].get<int>() < 80);
  CHECK(row["memory"]["host_bytes"].get<double>() > 0.0);
  CHECK_FALSE(fit({{"gpu", "rtx4090"}, {"gpus_per_node", 1}, {"host_memory_gib", 8}})["fits"].get<bool>());
}
