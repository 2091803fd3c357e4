#include "core/plan/advise.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/compute/training_machines.hpp"

using namespace gpuplan;
using gpuplan::testing::shipped;

namespace {

Scenario on(const std::string& model, const std::string& software, Task task, const std::string& gpu, std::int64_t count) {
  Scenario s;
  s.model.id = model;
  s.software = software;
  s.task = task;
  s.hardware.gpu = gpu;
  s.hardware.gpus_per_node = count;
  s.hardware.nodes = 1;
  return s;
}

Advice advice_for(const Scenario& s) {
  auto a = advise(shipped().knowledge, s, "2026-12-01");
  REQUIRE(a);
  return *std::move(a);
}

bool has(const Advice& a, const std::string& pointer) {
  for (const Change& c : a.changes) {
    if (c.pointer == pointer) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("what fits needs no advice") {
  const Advice a = advice_for(on("Qwen/Qwen2.5-7B", "vllm", Task::inference, "nvidia-h100-sxm-80gb", 1));
  CHECK(a.fits);
  CHECK(a.changes.empty());
}

TEST_CASE("a model that is too large is told how many bytes it lacks and what would do") {
  const Advice a = advice_for(on("meta-llama/Llama-3.1-70B", "vllm", Task::inference, "nvidia-a100-sxm4-80gb", 1));
  CHECK_FALSE(a.fits);
  CHECK(a.short_by.value > 50e9);
  CHECK(has(a, "/numerics/weights"));
  CHECK(has(a, "/hardware/gpu"));
  CHECK(has(a, "/hardware/gpus_per_node"));
  CHECK_FALSE(has(a, "/workload/context"));
}

TEST_CASE("every change that is listed makes the scenario fit, and so does every pair") {
  auto s = GENERATE(on("meta-llama/Llama-3.1-8B", "deepspeed", Task::full_finetune, "nvidia-a100-sxm4-80gb", 2),
                          on("Qwen/Qwen2.5-32B", "vllm", Task::inference, "nvidia-l40s", 1), on("Qwen/Qwen2.5-14B", "transformers", Task::lora, "nvidia-rtx4090-24gb", 1));
  if (is_training(s.task)) s.layout.zero = 0, s.layout.offload = Offload::none, s.layout.recompute = Recompute::none;
  const Advice a = advice_for(s);
  REQUIRE_FALSE(a.fits);
  CHECK(a.changes.size() + a.pairs.size() > 0);
  for (const Change& c : a.changes) {
    INFO(c.pointer);
    CHECK(estimate(shipped().knowledge, c.scenario, "2026-12-01")->option.memory.fits);
  }
  for (const auto& pair : a.pairs) {
    INFO(pair.first.pointer + " and " + pair.second.pointer);
    CHECK(estimate(shipped().knowledge, pair.second.scenario, "2026-12-01")->option.memory.fits);
  }
}

TEST_CASE("a length that is advised is the longest that fits") {
  Scenario s = on("Qwen/Qwen2.5-7B", "vllm", Task::inference, "nvidia-l4", 1);
  s.workload.context = 131072;
  s.workload.max_sequences = 16;
  s.workload.max_batched_tokens = 2048;
  const Advice a = advice_for(s);
  REQUIRE_FALSE(a.fits);
  for (const Change& c : a.changes) {
    if (c.pointer != "/workload/context") continue;
    Scenario longer = c.scenario;
    longer.workload.context += 512;
    CHECK_FALSE(estimate(shipped().knowledge, longer, "2026-12-01")->option.memory.fits);
    return;
  }
  FAIL("the context is not among the changes");
}
