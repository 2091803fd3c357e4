/// Ways to train in less memory, each by what it changes (METHOD.md [M-memory-options]).
#include <catch2/catch.hpp>

#include "core/memory/training.hpp"
#include "tests/unit/memory/memory_fixture.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;

namespace {

const char* const llama = "meta-llama/Llama-3.1-8B";

Job tuned(const std::string& software_id, Task task, const std::string& id = llama) {
  Job job = job_for(id, software_id, task);
  job.workload.sequence = 2048;
  job.workload.global_batch = 8;
  return job;
}

Layout recomputed(Layout l) {
  l.recompute = Recompute::full;
  return l;
}

MemoryParts parts(const Job& job, const Layout& l) { return memory_of(job, machine_of("nvidia-b300-sxm-270gb", 8, 8), l).parts; }

double parameters(const std::string& id) { return count_parameters(model(id)).total; }

}  // namespace

TEST_CASE("a step inside backward holds gradients of one part at a time") {
  Job job = tuned("torchtune", Task::full_finetune);
  job.workload.global_batch = 1;
  const double whole = parts(job, recomputed(degrees(1, 1, 1))).gradients.value;
  job.workload.optimizer_in_backward = true;
  const MemoryParts p = parts(job, recomputed(degrees(1, 1, 1)));
  CHECK(whole == Approx(2.0 * parameters(llama)));
  CHECK(p.gradients.value <= 2.0 * 2.0 * 128256 * 4096 * 1.01);  // the head's, summed over chunks
  CHECK(p.optimizer.value == Approx(4.0 * parameters(llama)));
}

TEST_CASE("layer inputs that go to the host leave the GPU") {
  Job job = tuned("torchtune", Task::lora);
  job.workload.micro_batch = 4;
  const MemoryParts on_gpu = parts(job, recomputed(degrees(1, 1, 1)));
  job.workload.activation_offload = true;
  const Memory m = memory_of(job, machine_of("nvidia-b300-sxm-270gb", 8), recomputed(degrees(1, 1, 1)));
  CHECK(on_gpu.activations.value > m.parts.activations.value);
  CHECK(m.host.value == Approx(2048.0 * 4096 * 2 * 32));
}

TEST_CASE("two of 32 layers at a time have gradients and moments; all weights stay (LISA)") {
  Job job = tuned("transformers", Task::full_finetune);
  const MemoryParts all = parts(job, degrees(1, 1, 1));
  job.workload.trained_layers = 2;
  const MemoryParts lisa = parts(job, degrees(1, 1, 1));
  const double outside = 2.0 * 128256 * 4096 + 4096, layers = parameters(llama) - outside;
  CHECK(lisa.weights == all.weights);
  CHECK(lisa.optimizer.value == Approx(4.0 * (outside + layers / 16.0)));
  CHECK(lisa.activations < all.activations);
}

TEST_CASE("a magnitude per output and two outputs kept for its gradient are what DoRA adds to LoRA") {
  Job job = tuned("transformers", Task::lora);
  job.workload.lora_targets = {"q_proj"};
  const MemoryParts lora = parts(job, degrees(1, 1, 1));
  job.workload.dora = true;
  const MemoryParts dora = parts(job, degrees(1, 1, 1));
  CHECK(dora.adapters.value - lora.adapters.value == 32.0 * 4096 * 4);
  CHECK(dora.activations.value - lora.activations.value >= 2048.0 * 32 * 4096 * 6);
}

TEST_CASE("an fp32 adapter keeps its own cast of its input, a 16-bit one shares the layer's") {
  const auto grows = [](const char* software_id) {
    Job job = tuned(software_id, Task::lora);
    job.workload.lora_targets = {"q_proj"};
    const double one = parts(job, degrees(1, 1, 1)).activations.value;
    job.workload.lora_targets = {"q_proj", "k_proj"};
    return parts(job, degrees(1, 1, 1)).activations.value - one;
  };
  CHECK(grows("transformers") >= 2048.0 * 32 * 4096 * 2);
  CHECK(grows("torchtune") == 0.0);
}

TEST_CASE("preference tuning with adapters holds the base once: without the adapter it is the reference") {
  Job job = tuned("transformers", Task::dpo);
  const double base = 2.0 * parameters(llama);
  CHECK(parts(job, degrees(1, 1, 1)).weights.value == Approx(2.0 * base));
  job.workload.reference_model = false;
  CHECK(parts(job, degrees(1, 1, 1)).weights.value == Approx(base));
  job.workload.reference_model = true;
  job.workload.adapters = true;
  const MemoryParts p = parts(job, degrees(1, 1, 1));
  CHECK(p.weights.value == Approx(base));
  CHECK(p.adapters.value > 0.0);
}

TEST_CASE("a generation engine that sleeps while the policy trains costs only what generation needs more") {
  Job job = tuned("transformers", Task::grpo);
  const Machine machine = machine_of("nvidia-b300-sxm-270gb", 8);
  const Memory awake = memory_of(job, machine, recomputed(degrees(1, 1, 1)));
  job.workload.rollout_sleeps = true;
  const Memory asleep = memory_of(job, machine, recomputed(degrees(1, 1, 1)));
  CHECK(awake.parts.kv_cache.value > 0.0);
  CHECK(asleep.used < awake.used);
  CHECK((awake.used - asleep.used).value <= 2.0 * parameters(llama) + awake.parts.kv_cache.value + awake.parts.fragmentation.value);
}

TEST_CASE("FP8 training keeps two copies of the matrices and one byte of each product's input") {
  Job job = tuned("megatron", Task::pretraining);
  const MemoryParts bf16 = parts(job, degrees(1, 1, 1));
  job.activations = PlainType::fp8;
  const MemoryParts fp8 = parts(job, degrees(1, 1, 1));
  const double matrices = parameters(llama) - 2.0 * 128256 * 4096 - 65.0 * 4096;
  CHECK(fp8.weights.value - bf16.weights.value == Approx(2.0 * matrices));
  CHECK(fp8.activations < bf16.activations);
}

TEST_CASE("stage 3 keeps as many parameters gathered as the person allows, or one layer pair") {
  Job job = tuned("deepspeed", Task::full_finetune);
  job.workload.micro_batch = 1;
  Layout l = recomputed(degrees(1, 1, 8, 3));
  l.offload = Offload::optimizer;
  job.workload.live_parameters = 4000000000;
  const double many = parts(job, l).workspace.value;
  job.workload.live_parameters = 0;
  CHECK(many - parts(job, l).workspace.value > 2.0 * 2.5e9);
  const double small = parts(job, l).communication.value;
  job.workload.bucket_elements = 500000000;
  CHECK(parts(job, l).communication.value - small == Approx(2.0 * 5e8 - 2.0 * 4096 * 4096));
}

TEST_CASE("mixed precision of fp32 modules is 18 bytes per parameter: weights, cast, gradients, moments") {
  Job job = tuned("transformers", Task::full_finetune);
  job.master_weights = PlainType::fp32;
  job.workload.global_batch = 8;  // gradients stand while they are accumulated
  const MemoryParts p = parts(job, degrees(1, 1, 1));
  CHECK((p.weights + p.master_weights + p.gradients + p.optimizer).value == Approx(18.0 * parameters(llama)));
}

TEST_CASE("an encoder that is tuned has no logits over its vocabulary") {
  CHECK(parts(tuned("transformers", Task::full_finetune, "google-bert/bert-large-uncased"), degrees(1, 1, 1)).logits.value == 0.0);
}

TEST_CASE("Muon keeps one moment of the hidden matrices, GaLore moments of a rank") {
  Job job = tuned("deepspeed", Task::full_finetune, "Qwen/Qwen2.5-3B");
  const double adam = parts(job, degrees(1, 1, 8, 1)).optimizer.value;
  job.optimizer = Optimizer::muon;
  CHECK(parts(job, degrees(1, 1, 8, 1)).optimizer.value < 0.6 * adam);
  job.optimizer = Optimizer::galore;
  job.workload.galore_rank = 128;
  const double narrow = parts(job, degrees(1, 1, 8, 1)).optimizer.value;
  job.workload.galore_rank = 256;
  CHECK(parts(job, degrees(1, 1, 8, 1)).optimizer.value > narrow);
}
