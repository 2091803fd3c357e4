// Published figures of training at scale, as checks with the tolerance that each deserves. None of them has a coefficient of its own.
#include <catch2/catch.hpp>

#include <array>
#include <cmath>

#include "tests/unit/compute/training_machines.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;

namespace {

const Machine& selene(std::int64_t nodes) {
  static Machine m;
  m = cluster(gpu("nvidia-a100-sxm4-80gb"), nodes, 1600.0);
  return m;
}

struct Published {
  std::int64_t layers, hidden, heads;
  std::int32_t tp, pp, dp, chunks, micro_batch;
  std::int64_t batch;
  double figure;
};

Time megatron_2022(const Published& c, Recompute recompute, bool sequence_parallel, const Architecture& a) {
  Job job = pretraining(a, "megatron", 2048, c.batch);
  job.activations = PlainType::fp16;
  job.workload.flash_attention = false;
  Layout l = layout(c.tp, c.pp, c.dp);
  l.virtual_stages = c.chunks;
  l.micro_batch = c.micro_batch;
  l.recompute = recompute;
  l.sequence_parallel = sequence_parallel;
  return step_of(job, selene(std::max<std::int64_t>(1, c.tp * c.pp * c.dp / 8)), l);
}

}  // namespace

TEST_CASE("Korthikanti et al. 2022, table 5: seconds per iteration with full recomputation, within 9 %") {
  const Published cases[] = {{48, 6144, 64, 8, 1, 1, 1, 4, 4, 1.42}, {96, 12288, 96, 8, 8, 1, 3, 1, 64, 18.13}, {105, 20480, 128, 8, 35, 1, 3, 1, 280, 49.05},
                             {128, 25600, 160, 8, 64, 1, 1, 1, 512, 94.42}};
  for (const Published& c : cases) {
    INFO(c.hidden);
    CHECK(megatron_2022(c, Recompute::full, false, gpt(c.layers, c.hidden, c.heads)).step.value == Approx(c.figure).epsilon(0.09));
  }
}

TEST_CASE("Korthikanti et al. 2022, table 5: sequence parallelism and selective recomputation make a step 29 to 32 % faster, ours 27 to 38 %") {
  const Published cases[] = {{48, 6144, 64, 8, 1, 1, 1, 4, 4, 1.42 / 1.10}, {96, 12288, 96, 8, 8, 1, 3, 1, 64, 18.13 / 13.75}, {105, 20480, 128, 8, 35, 1, 3, 1, 280, 49.05 / 37.83},
                             {128, 25600, 160, 8, 64, 1, 1, 1, 512, 94.42 / 71.49}};
  for (const Published& c : cases) {
    const Architecture a = gpt(c.layers, c.hidden, c.heads);
    const double gain = megatron_2022(c, Recompute::full, false, a).step.value / megatron_2022(c, Recompute::selective, true, a).step.value;
    INFO(c.hidden << " published " << c.figure);
    CHECK(gain > 1.27);
    CHECK(gain < 1.38);
  }
}

TEST_CASE("Narayanan et al. 2021, table 1: hardware TFLOP/s per GPU from 1.7B on 32 to 1T on 3072 GPUs, within 14 %") {
  // the table does not give micro-batches or chunks: one sequence, four on models without a pipeline, no interleaving
  const Published cases[] = {{24, 2304, 24, 1, 1, 32, 1, 4, 512, 137},      {30, 3072, 32, 2, 1, 32, 1, 4, 512, 138},       {36, 4096, 32, 4, 1, 32, 1, 4, 512, 142},
                             {40, 6144, 48, 8, 1, 32, 1, 4, 1024, 135},     {48, 8192, 64, 8, 2, 32, 1, 1, 1536, 138},      {60, 10240, 80, 8, 4, 32, 1, 1, 1792, 140},
                             {80, 12288, 96, 8, 8, 24, 1, 1, 2304, 148},    {96, 16384, 128, 8, 16, 15, 1, 1, 2160, 155},   {105, 20480, 128, 8, 35, 9, 1, 1, 2520, 163},
                             {128, 25600, 160, 8, 64, 6, 1, 1, 3072, 163}};
  for (const Published& c : cases) {
    const Architecture a = gpt(c.layers, c.hidden, c.heads);
    const Time t = megatron_2022(c, Recompute::full, false, a);
    // their count takes attention's whole square and recomputation: 96 B s L h² (1 + s/6h + V/16Lh)
    const double h = static_cast<double>(c.hidden), layers = static_cast<double>(c.layers), s = 2048.0;
    const double flops = 96.0 * static_cast<double>(c.batch) * s * layers * h * h * (1.0 + s / (6.0 * h) + 51200.0 / (16.0 * layers * h));
    INFO("hidden " << c.hidden << " TFLOP/s " << flops / t.step.value / (c.tp * c.pp * c.dp) / 1e12 << " published " << c.figure);
    CHECK(flops / t.step.value / (c.tp * c.pp * c.dp) / 1e12 == Approx(c.figure).epsilon(0.14));
  }
}

TEST_CASE("BLOOM's pipeline starves on few micro-batches: 73, 113 and 150 TFLOP/s at batches of 192, 512 and 2048") {
  const Architecture& a = model("bigscience/bloom");
  Machine m = cluster(gpu("nvidia-a100-sxm4-80gb"), 48, 400.0);
  const auto rate = [&](std::int64_t batch, std::int32_t micro_batch) {
    Job job = pretraining(a, "deepspeed", 2048, batch);
    Layout l = layout(4, 12, 8);
    l.recompute = Recompute::full;
    l.micro_batch = micro_batch;
    return static_cast<double>(batch) / step_of(job, m, l).step.value;
  };
  const double full = rate(2048, 2);
  CHECK(rate(512, 2) / full == Approx(113.0 / 150.0).epsilon(0.10));
  CHECK(rate(192, 1) / full < 0.75);  // published 0.49; the bubble alone explains 0.74
  CHECK(rate(16, 1) / full < 0.25);   // published 0.05
}

TEST_CASE("Llama 3 405B on 8192 and 16384 H100: 43 % and 41 % MFU published, a run of months by other software, within 3 points") {
  const Architecture& a = model("meta-llama/Meta-Llama-3.1-405B");
  const Machine half = cluster(gpu("nvidia-h100-sxm-80gb"), 1024, 3200.0), whole = cluster(gpu("nvidia-h100-sxm-80gb"), 2048, 3200.0);
  const auto mfu = [&](const Machine& m, std::int32_t dp) {
    Layout l = layout(8, 16, dp);
    l.virtual_stages = 8;  // one layer per chunk
    l.sequence_parallel = true;
    return step_of(pretraining(a, "megatron", 8192, 2048), m, l).mfu;
  };
  CHECK(mfu(half, 64) == Approx(0.43).margin(0.03));
  CHECK(mfu(whole, 128) == Approx(0.41).margin(0.03));
}

TEST_CASE("all eight times of Korthikanti et al. 2022, table 5, come out with a mean error below calculon's published 3.65 %, largest below its 8.87 %") {
  // calculon (Isaev et al., SC 2023) validates on these eight iteration times; ours have no coefficient of their own
  struct Both {
    Published full;
    double present;
  };
  const Both cases[] = {{{48, 6144, 64, 8, 1, 1, 1, 4, 4, 1.42}, 1.10}, {{96, 12288, 96, 8, 8, 1, 3, 1, 64, 18.13}, 13.75}, {{105, 20480, 128, 8, 35, 1, 3, 1, 280, 49.05}, 37.83},
                        {{128, 25600, 160, 8, 64, 1, 1, 1, 512, 94.42}, 71.49}};
  double sum = 0.0, worst = 0.0;
  for (const Both& c : cases) {
    const Architecture a = gpt(c.full.layers, c.full.hidden, c.full.heads);
    for (const double error : {megatron_2022(c.full, Recompute::full, false, a).step.value / c.full.figure - 1.0,
                               megatron_2022(c.full, Recompute::selective, true, a).step.value / c.present - 1.0}) {
      INFO(c.full.hidden << " error " << error);
      CHECK(std::abs(error) < 0.0887);
      sum += std::abs(error), worst = std::max(worst, std::abs(error));
    }
  }
  INFO("mean " << sum / 8.0 << " worst " << worst);
  CHECK(sum / 8.0 < 0.0365);
}

TEST_CASE("DeepSeek-V3 took 2.664 million H800 hours for 14.8T tokens; the same layout by another framework takes 0.8 to 1.6 of that") {
  const Architecture& a = model("deepseek-ai/DeepSeek-V3");
  const Machine m = cluster(gpu("nvidia-h800-sxm-80gb"), 256, 3200.0);
  Job job = pretraining(a, "megatron", 4096, 15360);
  job.activations = PlainType::fp8;
  job.workload.tokens = 14.8e12;
  Layout l = layout(1, 16, 128);
  l.ep = 64;
  l.virtual_stages = 2;
  const double hours = step_of(job, m, l).total.value / 3600.0 * 2048.0;
  INFO("GPU hours " << hours);
  CHECK(hours > 0.8 * 2.664e6);
  CHECK(hours < 1.6 * 2.664e6);
}

TEST_CASE("Llama 2 took 184320, 368640 and 1720320 A100 hours for 2T tokens (7B, 13B, 70B); a run without pauses takes 0.6 to 1.05 of them") {
  struct Run {
    const char* id;
    std::int32_t tp;
    std::int64_t nodes;
    double hours;
  };
  for (const Run& r : {Run{"meta-llama/Llama-2-7b-hf", 1, 128, 184320.0}, Run{"meta-llama/Llama-2-13b-hf", 2, 128, 368640.0}, Run{"meta-llama/Llama-2-70b-hf", 8, 256, 1720320.0}}) {
    Job job = pretraining(model(r.id), "megatron", 4096, 1024);
    job.workload.tokens = 2e12;
    Layout l = layout(r.tp, 1, static_cast<std::int32_t>(r.nodes * 8 / r.tp));
    l.sequence_parallel = r.tp > 1;
    const double hours = step_of(job, cluster(gpu("nvidia-a100-sxm4-80gb"), r.nodes, 1600.0), l).total.value / 3600.0 * static_cast<double>(r.nodes) * 8.0;
    INFO(r.id << " " << hours / r.hours);
    CHECK(hours / r.hours > 0.6);
    CHECK(hours / r.hours < 1.05);
  }
}

TEST_CASE("Frontier trains 22B, 175B and 1T models at 38, 36 and 32 % of MI250X's peak (Dash et al. 2023); ours, with layouts of their kind, 30 to 45 %") {
  struct Run {
    std::int64_t layers, hidden, heads;
    std::int32_t tp, pp, dp;
    std::int64_t batch;
  };
  for (const Run& r : {Run{48, 6144, 48, 2, 1, 64, 256}, Run{96, 12288, 96, 2, 16, 16, 1024}, Run{128, 25600, 160, 4, 32, 8, 1600}}) {
    const Architecture a = gpt(r.layers, r.hidden, r.heads);
    Job job = pretraining(a, "deepspeed", 2048, r.batch);
    job.activations = PlainType::fp16;
    Machine m = cluster(gpu("amd-mi250x-gcd-64gb"), r.tp * r.pp * r.dp / 8, 800.0);
    m.nics_per_node = 4;
    const double mfu = step_of(job, m, layout(r.tp, r.pp, r.dp)).mfu;
    INFO(r.hidden << " " << mfu);
    CHECK(mfu > 0.30);
    CHECK(mfu < 0.45);
  }
}
