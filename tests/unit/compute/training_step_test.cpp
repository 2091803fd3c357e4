#include <catch2/catch.hpp>

#include "tests/unit/compute/training_machines.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;

namespace {

double sum(const TimeParts& p) { return p.compute.value + p.memory.value + p.exposed_comm.value + p.bubble.value + p.overhead.value; }

const Message* message(const Time& t, ParallelGroup group) {
  for (const Message& m : t.messages) {
    if (m.group == group) return &m;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("the parts of a step sum to the step, on every kind of layout") {
  const Architecture& a = model("meta-llama/Meta-Llama-3-8B");
  const Machine m = cluster(gpu("nvidia-h100-sxm-80gb"), 4, 3200.0);
  for (const auto& [tp, pp, dp] : {std::array<int, 3>{1, 1, 32}, {8, 1, 4}, {4, 2, 4}, {2, 4, 4}, {8, 4, 1}}) {
    const Time t = step_of(pretraining(a, "megatron", 8192, 128), m, layout(tp, pp, dp));
    CHECK(sum(t.parts) == Approx(t.step.value));
    CHECK(t.step.value > 0.0);
    CHECK(t.tokens_per_s.value == Approx(128.0 * 8192.0 / t.step.value));
  }
}

TEST_CASE("one GPU sends nothing and waits for nobody") {
  const Architecture& a = model("meta-llama/Llama-3.2-1B");
  const Time t = step_of(pretraining(a, "torchtitan", 4096, 8), cluster(gpu("nvidia-h100-sxm-80gb"), 1, 0.0), layout(1, 1, 1));
  CHECK(t.messages.size() == 0);
  CHECK(t.parts.exposed_comm.value == 0.0);
  CHECK(t.parts.bubble.value == 0.0);
}

TEST_CASE("the pipeline's bubble is (p - 1) / (v m) of the work") {
  const Architecture a = gpt(49, 4096, 32);  // 13 layers on all stages but the last, which has 10 and the head
  const Machine m = cluster(gpu("nvidia-a100-sxm4-80gb"), 2, 1600.0);
  for (const int chunks : {1, 2, 3}) {
    Layout l = layout(2, 4, 2);
    l.virtual_stages = chunks;
    const Time t = step_of(pretraining(a, "megatron", 2048, 64), m, l);
    const double micro_batches = 32.0, once = t.step.value - t.parts.bubble.value;
    CHECK(t.parts.bubble.value / once == Approx(3.0 / (chunks * micro_batches)).epsilon(0.05));  // the update and gradients run once
  }
}

TEST_CASE("faster links never slow a step down") {
  const Architecture& a = model("meta-llama/Meta-Llama-3-8B");
  for (const int zero : {0, 1, 2, 3}) {
    Machine m = cluster(gpu("nvidia-a100-sxm4-80gb"), 4, 400.0);
    Layout l = layout(2, 1, 16);
    l.zero = static_cast<std::int8_t>(zero);
    const Job job = pretraining(a, "deepspeed", 4096, 64);
    double before = 1e30;
    for (double gbps = 50.0; gbps <= 6400.0; gbps *= 2.0) {
      m.scale_out_per_node_each_way = BytesPerSecond{gbps * 1e9 / 8.0};
      const double step = step_of(job, m, l).step.value;
      REQUIRE(step <= before);
      before = step;
    }
  }
}

TEST_CASE("more data per step takes longer, and a full-recompute step longer than one that keeps everything") {
  const Architecture& a = model("meta-llama/Meta-Llama-3-8B");
  const Machine m = cluster(gpu("nvidia-h100-sxm-80gb"), 1, 0.0);
  Layout l = layout(1, 1, 8);
  l.zero = 3;
  const double small = step_of(pretraining(a, "fsdp", 4096, 16), m, l).step.value;
  const double large = step_of(pretraining(a, "fsdp", 4096, 32), m, l).step.value;
  CHECK(large > 1.8 * small);
  CHECK(large < 2.1 * small);
  l.recompute = Recompute::full;
  const Time again = step_of(pretraining(a, "fsdp", 4096, 16), m, l);
  CHECK(again.step.value > 1.15 * small);
  CHECK(again.step.value < 1.45 * small);
  CHECK(again.hfu / again.mfu == Approx(4.0 / 3.0).epsilon(0.05));  // the head is not repeated
}

TEST_CASE("a tensor-parallel group that crosses nodes costs what the network costs") {
  const Architecture& a = model("meta-llama/Meta-Llama-3-70B");
  const Machine m = cluster(gpu("nvidia-h100-sxm-80gb"), 2, 3200.0);
  const Job job = pretraining(a, "megatron", 4096, 16);
  const Time inside = step_of(job, m, layout(8, 1, 2)), across = step_of(job, m, layout(16, 1, 1));
  REQUIRE(message(inside, ParallelGroup::tp) != nullptr);
  REQUIRE(message(across, ParallelGroup::tp) != nullptr);
  CHECK(message(inside, ParallelGroup::tp)->link == LinkKind::nvlink);
  CHECK(message(across, ParallelGroup::tp)->link == LinkKind::mixed);
  const Message &a8 = *message(inside, ParallelGroup::tp), &a16 = *message(across, ParallelGroup::tp);
  CHECK(a16.time.value / a16.count > a8.time.value / a8.count);
}

TEST_CASE("adapters train with two thirds of the products' flops, and faster where the products fill the GPU") {
  const Architecture& a = model("meta-llama/Llama-2-7b-hf");
  const Machine m = cluster(gpu("nvidia-a100-sxm4-80gb"), 1, 0.0);
  Job full = pretraining(a, "transformers", 512, 8), lora = full;
  lora.task = Task::lora;
  CHECK(step_of(lora, m, layout(1, 1, 1)).per_step.value / step_of(full, m, layout(1, 1, 1)).per_step.value == Approx(2.0 / 3.0).epsilon(0.02));
  // With 512 tokens at a time the adapters' many small kernels eat what the products save.
  full.workload.sequence = lora.workload.sequence = 4096;
  CHECK(step_of(lora, m, layout(1, 1, 1)).step.value < 0.9 * step_of(full, m, layout(1, 1, 1)).step.value);
}

TEST_CASE("a 4-bit base is expanded once per pass: it weighs on short batches and fades on long ones") {
  const Architecture& a = model("meta-llama/Llama-2-7b-hf");
  const Machine m = cluster(gpu("nvidia-a100-sxm4-80gb"), 1, 0.0);
  const auto ratio = [&](std::int64_t sequence) {
    Job lora = pretraining(a, "fsdp", sequence, 1), qlora = lora;
    lora.task = Task::lora;
    qlora.task = Task::qlora;
    qlora.weights = WeightFormat::nf4;
    return step_of(lora, m, layout(1, 1, 1)).step.value / step_of(qlora, m, layout(1, 1, 1)).step.value;
  };
  CHECK(ratio(256) < ratio(2048));
  CHECK(ratio(2048) < ratio(8192));
  CHECK(ratio(8192) < 1.0);
}

TEST_CASE("an optimizer in host memory costs the host link and the processors") {
  const Architecture& a = model("meta-llama/Llama-2-7b-hf");
  const Machine m = cluster(gpu("nvidia-a100-sxm4-80gb"), 1, 0.0);
  Layout l = layout(1, 1, 8);
  l.zero = 2;
  const Job job = pretraining(a, "deepspeed", 2048, 8);
  const Time on_gpu = step_of(job, m, l);
  l.offload = Offload::optimizer;
  const Time on_host = step_of(job, m, l);
  CHECK(on_host.parts.overhead.value > on_gpu.parts.overhead.value + 6.7e9 / 8.0 * 4.0 / m.pcie_each_way.value);
}

TEST_CASE("preference training adds the reference's forward pass, reinforcement adds generation that reads all weights per token") {
  const Architecture& a = model("meta-llama/Llama-2-7b-hf");
  const Machine m = cluster(gpu("nvidia-h100-sxm-80gb"), 1, 0.0);
  Job full = pretraining(a, "deepspeed", 4096, 64), dpo = full, grpo = full;
  dpo.task = Task::dpo;
  grpo.task = Task::grpo;
  grpo.workload.output_tokens = 512;
  Layout l = layout(1, 1, 8);
  const double plain = step_of(full, m, l).step.value;
  CHECK(step_of(dpo, m, l).step.value > 2.2 * plain);  // chosen and rejected, and the reference on both
  CHECK(step_of(dpo, m, l).step.value < 3.0 * plain);
  const double weights_read = 512.0 * 6.5e9 * 2.0 / m.gpu->memory_bandwidth.value;
  CHECK(step_of(grpo, m, l).step.value > plain + weights_read);
}

TEST_CASE("every coefficient of training is a number for every framework and generation") {
  for (const Software& s : shipped().knowledge.catalog.software) {
    const TrainingTable table = training_table(shipped().knowledge.calibration, s.id);
    for (const TrainingCoefficients& c : table) {
      TrainingCoefficients copy = c;
      each_training_field(copy, [&](const char* field, double& value) {
        INFO(s.id << " " << field);
        CHECK(value == value);
      });
    }
  }
}

TEST_CASE("the explanation names the step and its parts") {
  const Architecture& a = model("meta-llama/Meta-Llama-3-8B");
  Explanation why;
  const Time t = step_of(pretraining(a, "megatron", 8192, 128), cluster(gpu("nvidia-h100-sxm-80gb"), 1, 0.0), layout(4, 2, 1), &why);
  REQUIRE_FALSE(why.terms.empty());
  double step = 0.0;
  for (const Term& term : why.terms) {
    if (term.term == "step") step = term.value;
  }
  CHECK(step == Approx(t.step.value));
}

TEST_CASE("a zero-bubble schedule moves two weight-gradient times per stage out of the bubble and leaves the rest of the step alone") {
  const Architecture a = gpt(49, 4096, 32);
  const Machine m = cluster(gpu("nvidia-a100-sxm4-80gb"), 2, 1600.0);
  const Job job = pretraining(a, "megatron", 2048, 64);
  Layout l = layout(2, 4, 2);
  const Time plain = step_of(job, m, l);
  l.zero_bubble = true;
  const Time filled = step_of(job, m, l);
  CHECK(filled.parts.bubble.value < 0.6 * plain.parts.bubble.value);  // F + B − W of F + B + W: a third where the three are alike
  CHECK(filled.parts.bubble.value > 0.2 * plain.parts.bubble.value);
  CHECK(filled.step.value - filled.parts.bubble.value == Approx(plain.step.value - plain.parts.bubble.value));
}

TEST_CASE("hybrid sharding keeps gathers inside the node: faster than sharding over slow links, and the same as full sharding when the group is everything") {
  const Job job = pretraining(model("meta-llama/Llama-2-7b-hf"), "fsdp", 4096, 256);
  const Machine m = cluster(gpu("nvidia-a100-sxm4-80gb"), 16, 100.0);
  Layout l = layout(1, 1, 128);
  l.zero = 3;
  const Time full = step_of(job, m, l);
  l.shard_group = 128;
  CHECK(step_of(job, m, l).step.value == Approx(full.step.value));
  l.shard_group = 8;
  const Time hybrid = step_of(job, m, l);
  CHECK(hybrid.step.value < full.step.value);
  CHECK(hybrid.parts.exposed_comm.value > 0.0);
}

TEST_CASE("products in 8 and in 4 bits make a step of Blackwell faster, never by more than their peaks allow") {
  const Machine m = cluster(gpu("nvidia-gb300-288gb"), 8, 3200.0);
  Job job = pretraining(model("meta-llama/Meta-Llama-3-70B"), "megatron", 8192, 256);
  const double half = step_of(job, m, layout(1, 4, 16)).step.value;
  job.activations = PlainType::fp8;
  const double eight = step_of(job, m, layout(1, 4, 16)).step.value;
  job.activations = PlainType::nvfp4;
  const double four = step_of(job, m, layout(1, 4, 16)).step.value;
  CHECK(eight < half);
  CHECK(eight > half / 2.0);
  CHECK(four < eight);
  CHECK(four > half / 6.0);
  const Machine hopper = cluster(gpu("nvidia-h100-sxm-80gb"), 8, 3200.0);
  CHECK(step_of(job, hopper, layout(4, 4, 4)).mfu < 1.0);  // no 4-bit units: as in 16 bits
}
