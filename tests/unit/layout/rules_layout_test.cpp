#include <set>
#include <tuple>

#include <catch2/catch.hpp>

#include "core/layout/enumerate.hpp"
#include "core/layout/rules.hpp"
#include "tests/unit/compute/serving_jobs.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;

namespace {

Machine box(const Gpu& gpu, int gpus, int nodes = 1) {
  Machine m;
  m.gpu = &gpu;
  m.gpus_per_node = m.scale_up_domain = Gpus{gpus};
  m.nodes = Nodes{nodes};
  m.scale_out_per_node_each_way = BytesPerSecond{50e9};
  return m;
}

Layout spread(std::int32_t tp, std::int32_t pp, std::int32_t dp) {
  Layout l;
  l.tp = tp;
  l.pp = pp;
  l.dp = dp;
  return l;
}

const Gpu& h100() { return gpu("nvidia-h100-sxm-80gb"); }

}  // namespace

TEST_CASE("tensor parallelism divides the heads and stays inside the fabric") {
  const Job job = serving("Qwen/Qwen2.5-7B", "vllm");  // 28 query heads, 4 KV heads
  CHECK(check_layout(job, box(h100(), 4), spread(4, 1, 1)) == Refusal::none);
  CHECK(check_layout(job, box(h100(), 8), spread(8, 1, 1)) == Refusal::heads);
  Machine two = box(h100(), 2, 2);
  CHECK(check_layout(job, two, spread(4, 1, 1)) == Refusal::domain);
  two.scale_out_per_node_each_way = BytesPerSecond{};
  CHECK(check_layout(job, two, spread(2, 2, 1)) == Refusal::network);
}

TEST_CASE("pipeline stages need layers, experts need a group that they divide") {
  const Job dense = serving("Qwen/Qwen2.5-7B", "vllm"), moe = serving("Qwen/Qwen3-235B-A22B", "vllm");
  CHECK(check_layout(dense, box(h100(), 32), spread(1, 32, 1)) == Refusal::layers);
  Layout experts = spread(4, 1, 1);
  experts.ep = 4;
  CHECK(check_layout(dense, box(h100(), 4), experts) == Refusal::experts);
  CHECK(check_layout(moe, box(h100(), 4), experts) == Refusal::none);
}

TEST_CASE("a replica needs a request of its own, a training replica a share of the batch") {
  Job job = serving("Qwen/Qwen2.5-7B", "vllm");
  job.workload.concurrency = 4;
  CHECK(check_layout(job, box(h100(), 4), spread(1, 1, 4)) == Refusal::none);
  CHECK(check_layout(job, box(h100(), 8), spread(1, 1, 8)) == Refusal::batch);
  Job train = serving("Qwen/Qwen2.5-7B", "deepspeed");
  train.task = Task::full_finetune;
  train.workload.global_batch = 12;
  CHECK(check_layout(train, box(h100(), 4), spread(1, 1, 4)) == Refusal::none);
  CHECK(check_layout(train, box(h100(), 8), spread(1, 1, 8)) == Refusal::batch);
}

TEST_CASE("ZeRO needs replicas, and DeepSpeed has no gradient sharding beside a pipeline") {
  Job job = serving("Qwen/Qwen2.5-7B", "deepspeed");
  job.task = Task::full_finetune;
  Layout l = spread(1, 1, 1);
  l.zero = 2;
  CHECK(check_layout(job, box(h100(), 1), l) == Refusal::zero);
  l = spread(1, 2, 2);
  l.zero = 2;
  CHECK(check_layout(job, box(h100(), 4), l) == Refusal::zero);
  l.zero = 1;
  CHECK(check_layout(job, box(h100(), 4), l) == Refusal::none);
}

TEST_CASE("parameters go to the host only when they are sharded") {
  Job job = serving("Qwen/Qwen2.5-7B", "deepspeed");
  job.task = Task::full_finetune;
  Layout l = spread(1, 1, 2);
  l.offload = Offload::parameters;
  CHECK(check_savers(job, l) == Refusal::offload);
  l.zero = 3;
  CHECK(check_savers(job, l) == Refusal::none);
}

TEST_CASE("every enumerated layout uses all GPUs, each once, and wishes are kept") {
  Job job = serving("meta-llama/Llama-3.3-70B-Instruct", "megatron");
  job.task = Task::pretraining;
  job.workload.sequence = 32768;
  const Machine m = box(h100(), 8, 4);
  std::set<std::tuple<int, int, int, int, int, int, int, int>> seen;
  std::size_t count = 0;
  for_each_layout(job, m, {}, [&](const Layout& l) {
    ++count;
    CHECK(l.gpus() == 32);
    CHECK(l.tp <= 8);
    seen.insert({l.tp, l.pp, l.dp, l.cp, l.ep, l.zero, static_cast<int>(l.recompute), static_cast<int>(l.offload)});
  });
  CHECK(count > 100);
  CHECK(seen.size() == count);
  LayoutWish wish;
  wish.tp = 4;
  wish.recompute = Recompute::full;
  for_each_layout(job, m, wish, [&](const Layout& l) { CHECK((l.tp == 4 && l.recompute == Recompute::full)); });
}
