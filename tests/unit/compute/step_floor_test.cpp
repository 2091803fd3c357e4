#include "core/compute/step_floor.hpp"

#include <catch2/catch.hpp>

#include "core/layout/enumerate.hpp"
#include "core/layout/rules.hpp"
#include "tests/unit/memory/memory_fixture.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;

TEST_CASE("no step is faster than its floor, whatever is recomputed, sharded, offloaded or sent") {
  const auto [model_id, software_id, task] = GENERATE(std::tuple<std::string, std::string, Task>{"meta-llama/Llama-3.1-70B", "deepspeed", Task::full_finetune},
                                                      std::tuple<std::string, std::string, Task>{"Qwen/Qwen3-235B-A22B", "megatron", Task::pretraining},
                                                      std::tuple<std::string, std::string, Task>{"meta-llama/Llama-3.1-8B", "fsdp", Task::qlora},
                                                      std::tuple<std::string, std::string, Task>{"meta-llama/Llama-3.1-8B", "megatron", Task::grpo});
  const bool zero_bubble = GENERATE(false, true);
  Job job = job_for(model_id, software_id, task);
  job.workload.global_batch = 64;
  const auto prepared = prepare_time(job);
  int looked_at = 0, within_half = 0;
  for (const auto& place : {std::pair<std::string, std::int64_t>{"nvidia-h100-sxm-80gb", 1}, {"nvidia-a100-sxm-80gb", 8}, {"nvidia-h100-sxm-80gb", 8}}) {
    const std::string& gpu_id = place.first;
    const std::int64_t nodes = place.second;
    const Machine machine = machine_of(gpu_id, 8, nodes);
    LayoutWish wish;
    wish.zero_bubble = zero_bubble;
    for_each_layout(job, machine, wish, [&](const Layout& l) {
      if (check_layout(job, machine, l) != Refusal::none) return;
      const double floor = step_floor(job, *prepared, machine, l).value, step = estimate_time(job, *prepared, machine, l, Memory{}).step.value;
      CAPTURE(gpu_id, nodes, l.tp, l.pp, l.dp, l.ep, int(l.zero), name(l.recompute), name(l.offload));
      REQUIRE(floor > 0.0);
      REQUIRE(floor * (1.0 - 1e-9) <= step);
      ++looked_at;
      within_half += floor > 0.5 * step;
    });
  }
  CHECK(looked_at > 10);
  CHECK(within_half > 0);  // a floor far below every step would leave nothing out
}
