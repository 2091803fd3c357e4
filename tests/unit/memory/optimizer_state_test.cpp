#include <catch2/catch.hpp>

#include "core/memory/optimizer_state.hpp"
#include "tests/unit/memory/memory_fixture.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;

namespace {

double parameters(const std::string& id) { return count_parameters(model(id)).total; }

/// Weights, gradients, master weights and optimizer state of one GPU.
double state(const std::string& software_id, std::int32_t dp, int zero, std::int32_t tp = 1) {
  const Job job = job_for("meta-llama/Llama-2-13b-hf", software_id, Task::full_finetune);
  const MemoryParts p = memory_of(job, machine_of("nvidia-b300-sxm-270gb", 8, 8), degrees(tp, 1, dp, zero)).parts;
  return (p.weights + p.gradients + p.master_weights + p.optimizer).value;
}

}  // namespace

TEST_CASE("ZeRO divides what Rajbhandari et al. say: 16N, 4N + 12N/d, 2N + 14N/d, 16N/d") {
  const double n = parameters("meta-llama/Llama-2-13b-hf");
  for (std::int32_t d : {8, 64}) {
    CHECK(state("deepspeed", d, 0) == Approx(16.0 * n));
    CHECK(state("deepspeed", d, 1) == Approx(4.0 * n + 12.0 * n / d));
    CHECK(state("deepspeed", d, 2) == Approx(2.0 * n + 14.0 * n / d));
    CHECK(state("deepspeed", d, 3) == Approx(16.0 * n / d));
  }
}

TEST_CASE("Megatron keeps 18 bytes per parameter, its distributed optimizer 6 + 12/d") {
  const double n = parameters("meta-llama/Llama-2-13b-hf");
  CHECK(state("megatron", 8, 0) == Approx(18.0 * n));
  CHECK(state("megatron", 8, 1) == Approx(6.0 * n + 12.0 * n / 8));
}

TEST_CASE("pure 16-bit training keeps 8 bytes per parameter") {
  CHECK(state("transformers", 1, 0) == Approx(8.0 * parameters("meta-llama/Llama-2-13b-hf")));
}

TEST_CASE("NF4 holds linear layers in 4.5 bits, with double quantisation in 4.127, and the rest in 16") {
  const auto weights = [](WeightFormat format) {
    Job job = job_for("meta-llama/Llama-2-70b-hf", "deepspeed", Task::qlora);
    job.weights = format;
    return memory_of(job, machine_of("nvidia-b300-sxm-270gb", 8), degrees(1, 1, 1)).parts.weights.value;
  };
  const double n = parameters("meta-llama/Llama-2-70b-hf"), outside = 2.0 * 32000 * 8192 + 161.0 * 8192;  // embedding, head, norms
  CHECK(weights(WeightFormat::nf4) == Approx((n - outside) * 4.5 / 8 + outside * 2).epsilon(1e-6));
  CHECK(weights(WeightFormat::nf4_double) == Approx((n - outside) * 4.127 / 8 + outside * 2).epsilon(1e-4));
}

TEST_CASE("a LoRA of rank r adds r (in + out) per projection") {
  Job job = job_for("meta-llama/Llama-2-7b-hf", "deepspeed", Task::lora);
  job.workload.lora_rank = 8;
  job.workload.lora_targets = {"q_proj", "v_proj"};
  const MemoryParts p = memory_of(job, machine_of("nvidia-a100-sxm4-80gb", 8), degrees(1, 1, 1)).parts;
  CHECK(p.adapters.value == 32.0 * 2 * 8 * (4096 + 4096) * 2);
}

TEST_CASE("offloaded optimizer state is in host memory, not on the GPU") {
  const Job job = job_for("meta-llama/Llama-2-13b-hf", "deepspeed", Task::full_finetune);
  Layout l = degrees(1, 1, 8, 2);
  l.offload = Offload::optimizer;
  const Memory m = memory_of(job, machine_of("nvidia-a100-sxm4-80gb", 8), l);
  CHECK(m.parts.optimizer.value == 0.0);
  CHECK(m.parts.master_weights.value == 0.0);
  CHECK(m.host.value > 12.0 * parameters("meta-llama/Llama-2-13b-hf"));
}
