#include "core/memory/memory.hpp"

#include <catch2/catch.hpp>

#include "core/memory/coefficients.hpp"
#include "tests/unit/memory/memory_fixture.hpp"

using namespace gpuplan;
using namespace gpuplan::literals;
using namespace gpuplan::testing;

TEST_CASE("every coefficient that memory may ask for is shipped") {
  for (const std::string& name : memory::coefficient_names()) {
    INFO(name);
    CHECK(shipped().knowledge.calibration.find(name) != nullptr);
  }
}

TEST_CASE("the parts of an explanation add up to what is used") {
  const auto [software_id, task] = GENERATE(std::pair<std::string, Task>{"vllm", Task::inference}, std::pair<std::string, Task>{"deepspeed", Task::full_finetune},
                                            std::pair<std::string, Task>{"ms-swift", Task::lora}, std::pair<std::string, Task>{"llama.cpp", Task::inference});
  Job job = job_for("meta-llama/Llama-3.1-8B", software_id, task);
  if (software_id == "llama.cpp") job.weights = WeightFormat::q4_k_m;
  Explanation why;
  const Memory m = memory_of(job, machine_of("nvidia-h100-sxm-80gb", 8), degrees(1, 1, 8), &why);
  double sum = 0.0;
  for (const Term& t : why.terms) {
    if (t.unit == "B" && t.term != "kv_pool") sum += t.value;
  }
  INFO(software_id);
  CHECK(sum == Approx(m.used.value).epsilon(1e-9));
  CHECK(m.used.value == Approx(m.parts.total().value));
}

TEST_CASE("a longer context never needs less") {
  const std::string id = GENERATE("Qwen/Qwen2.5-7B", "google/gemma-3-27b-it", "deepseek-ai/DeepSeek-V3", "Qwen/Qwen3.5-27B");
  const Machine machine = machine_of("nvidia-b200-sxm-180gb", 8);
  Bytes before;
  for (std::int64_t context = 1024; context <= 131072; context *= 2) {
    Job job = job_for(id, "vllm", Task::inference);
    job.workload.context = context;
    const Memory m = memory_of(job, machine, degrees(8, 1, 1));
    CHECK(m.used >= before);
    before = m.used;
  }
}

TEST_CASE("the lower bound is never above what a layout needs") {
  const std::string id = GENERATE("meta-llama/Llama-3.1-70B", "Qwen/Qwen3-235B-A22B", "deepseek-ai/DeepSeek-V3");
  const auto [software_id, task] = GENERATE(std::pair<std::string, Task>{"vllm", Task::inference}, std::pair<std::string, Task>{"deepspeed", Task::full_finetune},
                                            std::pair<std::string, Task>{"megatron", Task::pretraining}, std::pair<std::string, Task>{"deepspeed", Task::lora});
  const Job job = job_for(id, software_id, task);
  const Machine machine = machine_of("nvidia-h100-sxm-80gb", 8, 4);
  const PreparedMemoryPtr prepared = prepare_memory(job);
  for (std::int32_t tp : {1, 2, 4, 8}) {
    for (std::int32_t pp : {1, 2, 4}) {
      for (int zero = 0; zero <= job.software->max_zero; ++zero) {
        Layout l = degrees(tp, pp, 32 / tp / pp, zero);
        const Bytes bound = memory_lower_bound(job, *prepared, machine, l);
        CHECK(bound <= estimate_memory(job, *prepared, machine, l).used);
      }
    }
  }
}

TEST_CASE("a pool's tokens divide over tensor parallel ranks as far as there are kv heads") {
  const Job job = job_for("meta-llama/Llama-3.1-70B", "vllm", Task::inference);
  const Machine machine = machine_of("nvidia-h200-sxm-141gb", 8, 2);
  const double four = memory_of(job, machine, degrees(4, 1, 1)).kv.bytes_per_token.value;
  CHECK(memory_of(job, machine, degrees(8, 1, 1)).kv.bytes_per_token.value == four / 2.0);
  CHECK(memory_of(job, machine, degrees(16, 1, 1)).kv.bytes_per_token.value == four / 2.0);  // 8 kv heads: copies beyond
  CHECK(four == 2.0 * 80 * 8 * 128 * 2.0 / 4.0);
}

TEST_CASE("latent attention is cached once, whatever tp is") {
  const Job job = job_for("deepseek-ai/DeepSeek-V3", "vllm", Task::inference);
  const Machine machine = machine_of("nvidia-h200-sxm-141gb", 8);
  CHECK(memory_of(job, machine, degrees(8, 1, 1)).kv.bytes_per_token.value == 61.0 * 576 * 2);
}
