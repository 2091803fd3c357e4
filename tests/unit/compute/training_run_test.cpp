// From a step to a run: epochs, padding, checkpoints and failures; and the kinds of model that are no decoder.
#include <catch2/catch.hpp>

#include <cmath>

#include "core/compute/training_failures.hpp"
#include "tests/unit/compute/training_machines.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;

namespace {

Job run_of_8b() {
  Job job = pretraining(model("meta-llama/Meta-Llama-3-8B"), "megatron", 8192, 1024);
  job.workload.tokens = 1e12;
  return job;
}

Time on_h100s(const Job& job, std::int64_t nodes) { return step_of(job, cluster(gpu("nvidia-h100-sxm-80gb"), nodes, 3200.0), layout(4, 1, static_cast<std::int32_t>(nodes * 2))); }

}  // namespace

TEST_CASE("two epochs take twice as long as one") {
  Job job = run_of_8b();
  const double once = on_h100s(job, 16).total.value;
  job.workload.epochs = 2.0;
  CHECK(on_h100s(job, 16).total.value == Approx(2.0 * once).epsilon(1e-4));
}

TEST_CASE("a run whose nodes fail takes its time divided by the goodput, and a checkpoint holds weights, master weights and moments") {
  Job job = run_of_8b();
  const Time plain = on_h100s(job, 128);
  CHECK(plain.goodput == 1.0);
  CHECK(plain.checkpoint.value == Approx(8.03e9 * 14.0).epsilon(0.01));
  job.workload.node_mtbf_hours = 5000.0;
  job.workload.checkpoint_GBps = 20.0;
  const Time failing = on_h100s(job, 128);
  CHECK(failing.step.value == Approx(plain.step.value));
  const CheckpointPlan plan = plan_checkpoints(plain.checkpoint, BytesPerSecond{20e9}, Nodes{128}, {Seconds{5000.0 * 3600.0}, Seconds{job.workload.restart_minutes * 60.0}});
  CHECK(failing.goodput == Approx(plan.goodput));
  CHECK(failing.goodput < 1.0);
  CHECK(failing.total.value == Approx(plain.total.value / plan.goodput));
  CHECK(failing.checkpoint_write.value == Approx(plain.checkpoint.value / 20e9));
}

TEST_CASE("faster storage and sturdier nodes never make a run longer") {
  Job job = run_of_8b();
  double before = 1e30;
  for (double GBps = 0.5; GBps < 1000.0; GBps *= 2.0) {
    job.workload.checkpoint_GBps = GBps, job.workload.node_mtbf_hours = 2000.0;
    const double total = on_h100s(job, 64).total.value;
    REQUIRE(total <= before);
    before = total;
  }
  for (double hours = 4000.0; hours < 1e6; hours *= 2.0) {
    job.workload.node_mtbf_hours = hours;
    const double total = on_h100s(job, 64).total.value;
    REQUIRE(total <= before);
    before = total;
  }
}

TEST_CASE("a job that fails faster than it can save still answers with a number") {
  Job job = run_of_8b();
  job.workload.node_mtbf_hours = 0.01;
  job.workload.checkpoint_GBps = 0.001;
  const Time t = on_h100s(job, 64);
  CHECK(t.goodput == 0.0);
  CHECK(std::isfinite(t.total.value));
}

TEST_CASE("padding computes what nobody learns from; packing computes less attention") {
  Job full = run_of_8b(), padded = full, packed = full;
  padded.workload.sample_tokens = packed.workload.sample_tokens = 2048;
  padded.workload.packed = false;
  const Time whole = on_h100s(full, 1), wasted = on_h100s(padded, 1), shared = on_h100s(packed, 1);
  CHECK(wasted.step.value == Approx(whole.step.value));
  CHECK(wasted.tokens_per_s.value == Approx(whole.tokens_per_s.value / 4.0));
  CHECK(shared.step.value < whole.step.value);
  CHECK(shared.per_step.value < whole.per_step.value);
}

TEST_CASE("BERT trains on V100 in 16 bits four times as fast as in 32, and its logits are those of masked tokens") {
  Job job = pretraining(model("google-bert/bert-large-uncased"), "fsdp", 128, 64);
  job.activations = PlainType::fp16;
  const Machine m = cluster(gpu("nvidia-v100-sxm2-32gb"), 1, 0.0);
  Layout l = layout(1, 1, 1);
  l.micro_batch = 64;
  const Time half = step_of(job, m, l);
  job.activations = PlainType::fp32;
  const double gain = step_of(job, m, l).step.value / half.step.value;
  CHECK(gain > 3.0);  // published: 4.5
  CHECK(gain < 6.0);
  const double layers = 24.0 * (12.0 * 1024.0 * 1024.0 * 2.0), head = 0.15 * 30522.0 * 1024.0 * 2.0, scores = 24.0 * 4.0 * 128.0 * 1024.0;
  CHECK(half.per_step.value == Approx(3.0 * 64.0 * 128.0 * (layers + head + scores)).epsilon(0.01));
}

TEST_CASE("ResNet-50 is counted by the image: 2470 a second on A100, 1156 on V100 in 16 bits, within 15 %") {
  const auto images = [](const char* card) {
    Job job = pretraining(model("timm/resnet50"), "fsdp", 4096, 256);
    job.activations = PlainType::fp16;
    Layout l = layout(1, 1, 1);
    l.micro_batch = 256;
    return step_of(job, cluster(gpu(card), 1, 0.0), l).tokens_per_s.value;
  };
  CHECK(images("nvidia-a100-sxm4-80gb") == Approx(2470.0).epsilon(0.15));
  CHECK(images("nvidia-v100-sxm2-32gb") == Approx(1156.0).epsilon(0.15));
}

TEST_CASE("a card whose power limit is below its peak's needs runs slower than the ratio of peaks") {
  const Job job = pretraining(model("meta-llama/Llama-3.2-1B"), "torchtitan", 4096, 8);
  const auto rate = [&](const char* card) { return step_of(job, cluster(gpu(card), 1, 0.0), layout(1, 1, 1)).mfu; };
  CHECK(rate("nvidia-h100-pcie-80gb") < rate("nvidia-h100-sxm-80gb"));
  CHECK(rate("nvidia-gb200-186gb") < rate("nvidia-gb300-288gb"));
}
