/// Claims of two published guides, answered with our own numbers (METHOD.md [M-memory-claims]).
#include <catch2/catch.hpp>

#include "tests/unit/memory/memory_fixture.hpp"

using namespace gpuplan;
using namespace gpuplan::literals;
using namespace gpuplan::testing;

namespace {

Job tuning(const std::string& id, const std::string& software_id, Task task, std::int64_t sequence) {
  Job job = job_for(id, software_id, task);
  job.workload.sequence = sequence;
  job.workload.global_batch = 16;
  return job;
}

Layout recomputed(Layout l) {
  l.recompute = Recompute::full;
  return l;
}

}  // namespace

TEST_CASE("13B in 16 bits holds 26 GB of weights and far more than 70 GB when all of it trains with Adam") {
  const Job serve = job_for("meta-llama/Llama-2-13b-hf", "vllm", Task::inference);
  CHECK(memory_of(serve, machine_of("nvidia-a100-sxm4-80gb", 1), degrees(1, 1, 1)).parts.weights.value == Approx(26e9).epsilon(0.01));
  const Job train = tuning("meta-llama/Llama-2-13b-hf", "deepspeed", Task::full_finetune, 2048);
  const Memory m = memory_of(train, machine_of("nvidia-a100-sxm4-80gb", 1), recomputed(degrees(1, 1, 1)));
  CHECK(m.used > 200_GB);
  CHECK_FALSE(m.fits);
}

TEST_CASE("QLoRA of 70B does not fit 24 GB, but does fit 80 GB") {
  const Job job = tuning("meta-llama/Llama-2-70b-hf", "unsloth", Task::qlora, 512);
  CHECK_FALSE(memory_of(job, machine_of("nvidia-rtx4090-24gb", 1), recomputed(degrees(1, 1, 1))).fits);
  CHECK(memory_of(job, machine_of("nvidia-a100-sxm4-80gb", 1), recomputed(degrees(1, 1, 1))).fits);
}

TEST_CASE("a 16 GB T4 does QLoRA of 13B with short sequences") {
  Job job = tuning("meta-llama/Llama-2-13b-hf", "unsloth", Task::qlora, 512);
  job.activations = PlainType::fp16;
  CHECK(memory_of(job, machine_of("nvidia-t4", 1), recomputed(degrees(1, 1, 1))).fits);
  CHECK_FALSE(memory_of(tuning("meta-llama/Llama-2-13b-hf", "transformers", Task::lora, 512), machine_of("nvidia-t4", 1), recomputed(degrees(1, 1, 1))).fits);
}

TEST_CASE("eight 80 GB cards do not train 70B in full with tp 2 x pp 4, but do with LoRA") {
  const Machine machine = machine_of("nvidia-a100-sxm4-80gb", 8);
  CHECK_FALSE(memory_of(tuning("meta-llama/Llama-2-70b-hf", "megatron", Task::full_finetune, 4096), machine, recomputed(degrees(2, 4, 1))).fits);
  CHECK(memory_of(tuning("meta-llama/Llama-2-70b-hf", "megatron", Task::lora, 4096), machine, recomputed(degrees(2, 4, 1))).fits);
}

TEST_CASE("ZeRO-2 on eight 80 GB cards trains 13B but not 30B; ZeRO-3 does not train 110B there without offload") {
  const Machine machine = machine_of("nvidia-a100-sxm4-80gb", 8);
  CHECK(memory_of(tuning("meta-llama/Llama-2-13b-hf", "deepspeed", Task::full_finetune, 2048), machine, recomputed(degrees(1, 1, 8, 2))).fits);
  CHECK_FALSE(memory_of(tuning("huggyllama/llama-30b", "deepspeed", Task::full_finetune, 2048), machine, recomputed(degrees(1, 1, 8, 2))).fits);
  CHECK_FALSE(memory_of(tuning("Qwen/Qwen1.5-110B", "deepspeed", Task::full_finetune, 2048), machine, recomputed(degrees(1, 1, 8, 3))).fits);
}

TEST_CASE("two A10 hold about 400 tokens for each of 100 requests of a 13B without grouped heads") {
  Job job = job_for("meta-llama/Llama-2-13b-hf", "vllm", Task::inference);
  job.weights = WeightFormat::awq;
  job.workload.context = 2048;
  const Memory m = memory_of(job, machine_of("nvidia-a10", 2), degrees(2, 1, 1));
  CHECK(m.kv.bytes_per_token.value * 2.0 == Approx(0.82e6).epsilon(0.01));
  CHECK(m.kv.tokens.value / 100.0 > 300.0);
  CHECK(m.kv.tokens.value / 100.0 < 480.0);
}
