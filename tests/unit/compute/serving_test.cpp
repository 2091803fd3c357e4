#include "core/compute/serving.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/compute/serving_jobs.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;

namespace {

const char* llama8 = "meta-llama/Meta-Llama-3-8B";
const char* llama70 = "meta-llama/Meta-Llama-3-70B";

Machine node(const char* id) { return cluster(gpu(id), 1, 0.0); }
double sum(const TimeParts& p) { return p.compute.value + p.memory.value + p.exposed_comm.value + p.bubble.value + p.overhead.value; }

}  // namespace

TEST_CASE("the parts of a decode step sum to the step, on every kind of layout") {
  for (const char* engine : {"vllm", "sglang", "tensorrt-llm"}) {
    for (const auto& [tp, pp, dp] : {std::array<int, 3>{1, 1, 1}, {8, 1, 1}, {2, 4, 1}, {2, 2, 2}, {1, 8, 1}}) {
      Layout l = tensor_parallel(tp);
      l.pp = pp;
      l.dp = dp;
      const Time t = serve(serving(llama70, engine), node("nvidia-h100-sxm-80gb"), l);
      CHECK(sum(t.parts) == Approx(t.step.value));
      CHECK(t.step.value > 0.0);
      CHECK(t.tokens_low <= t.tokens_per_s);
      CHECK(t.tokens_per_s <= t.tokens_high);
      CHECK(t.mfu > 0.0);
      CHECK(t.mfu < 1.0);
    }
  }
}

TEST_CASE("one GPU sends nothing") {
  const Time t = serve(serving(llama8, "vllm"), node("nvidia-h100-sxm-80gb"), tensor_parallel(1));
  CHECK(t.messages.size() == 0);
  CHECK(t.parts.exposed_comm.value == 0.0);
  CHECK(t.parts.bubble.value == 0.0);
}

TEST_CASE("one sequence is never faster than one read of the weights") {
  for (const Gpu& g : shipped().knowledge.catalog.gpus) {
    if (g.memory_bandwidth.value <= 0.0) continue;
    Job job = serving(llama8, "vllm");
    job.workload.concurrency = 1;
    const Time t = serve(job, cluster(g, 1, 0.0), tensor_parallel(1));
    INFO(g.id);
    CHECK(t.step.value >= 15e9 / g.memory_bandwidth.value);  // 7.5 G matrix parameters of 2 bytes
    CHECK(std::isfinite(t.tokens_per_s.value));
  }
}

TEST_CASE("prefill never exceeds the peak") {
  Job job = serving(llama8, "tensorrt-llm");
  job.workload.input_tokens = 8192;
  job.workload.concurrency = 1;
  const Machine m = node("nvidia-h100-sxm-80gb");
  const Time t = serve(job, m, tensor_parallel(1));
  CHECK(t.prefill.value * m.gpu->rate(Arithmetic::bf16).value > 2.0 * 7.0e9 * 8192.0);
}

TEST_CASE("more bandwidth, more arithmetic and faster links never make it slower") {
  for (const char* engine : {"vllm", "llama.cpp"}) {
    Gpu better = gpu("nvidia-a100-sxm4-80gb");
    const Job job = serving(llama8, engine);
    double before = 1e9;
    for (int i = 0; i < 6; ++i) {
      const double now = serve(job, cluster(better, 1, 0.0), tensor_parallel(2)).step.value;
      CHECK(now <= before);
      before = now;
      better.memory_bandwidth = better.memory_bandwidth * 1.5;
      for (FlopsPerSecond& f : better.dense) f = f * 1.5;
      better.scale_up_each_way = better.scale_up_each_way * 1.5;
    }
  }
}

TEST_CASE("with unlimited bandwidth and arithmetic only overhead and fixed times of kernels remain") {
  Gpu ideal = gpu("nvidia-h100-sxm-80gb");
  ideal.memory_bandwidth = BytesPerSecond{1e30};
  for (FlopsPerSecond& f : ideal.dense) f = FlopsPerSecond{1e30};
  const Time t = serve(serving(llama8, "vllm"), cluster(ideal, 1, 0.0), tensor_parallel(1));
  const double fixed = shipped().knowledge.calibration.value("gemm.other.half.fixed_us") * 1e-6;
  CHECK(t.step.value == Approx(t.parts.overhead.value + fixed * (32.0 * 5.0 + 1.0)).epsilon(1e-6));  // 4 products and attention per layer, the head
}

TEST_CASE("more requests at once never lower throughput, and each waits no less") {
  Job job = serving(llama8, "vllm");
  double tokens = 0.0, per_token = 0.0;
  for (std::int64_t c : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
    job.workload.concurrency = c;
    const Time t = serve(job, node("nvidia-h100-sxm-80gb"), tensor_parallel(1));
    CHECK(t.tokens_per_s.value > tokens);
    CHECK(t.tpot.value >= per_token);
    tokens = t.tokens_per_s.value;
    per_token = t.tpot.value;
  }
}

TEST_CASE("longer prompts and contexts never make anything faster") {
  Job job = serving(llama8, "sglang");
  double first = 0.0, step = 0.0;
  for (std::int64_t tokens : {16, 128, 1024, 4096, 16384, 65536}) {
    job.workload.input_tokens = tokens;
    const Time t = serve(job, node("nvidia-h100-sxm-80gb"), tensor_parallel(1), room(1e15));
    CHECK(t.ttft.value > first);
    CHECK(t.step.value >= step);
    first = t.ttft.value;
    step = t.step.value;
  }
}

TEST_CASE("little room for the cache makes a small batch, less throughput and a queue") {
  Job job = serving(llama8, "vllm");
  job.workload.concurrency = 64;
  const Machine m = node("nvidia-h100-sxm-80gb");
  const Time roomy = serve(job, m, tensor_parallel(1), room(60e9)), starved = serve(job, m, tensor_parallel(1), room(1.2e9));
  CHECK(roomy.running_batch == 64.0);
  CHECK(starved.running_batch == std::floor(1.2e9 / (1152.0 * 32.0 * 2048.0 * 2.0)));  // 1,024 + 256 / 2 tokens of 128 KiB
  CHECK(starved.tokens_per_s < roomy.tokens_per_s);
  CHECK(starved.ttft > roomy.ttft);
}

TEST_CASE("prompts found in the prefix cache cost attention only") {
  Job job = serving(llama8, "vllm");
  const Machine m = node("nvidia-h100-sxm-80gb");
  const Time cold = serve(job, m, tensor_parallel(1));
  job.workload.prefix_hit_rate = 0.9;
  const Time warm = serve(job, m, tensor_parallel(1));
  CHECK(warm.ttft < cold.ttft);
  CHECK(warm.tokens_per_s > cold.tokens_per_s);
  CHECK(warm.step.value == Approx(cold.step.value));  // decoding attends to the same context
}

TEST_CASE("speculation helps with its acceptance and costs when nothing is accepted") {
  Job job = serving(llama70, "vllm");
  job.workload.concurrency = 1;
  const Machine m = node("nvidia-h100-sxm-80gb");
  double before = serve(job, m, tensor_parallel(4)).tokens_per_s.value;
  job.workload.speculative_acceptance = 0.0;
  const double useless = serve(job, m, tensor_parallel(4)).tokens_per_s.value;
  CHECK(useless < before);
  before = useless;
  for (double a : {0.3, 0.6, 0.9, 1.0}) {
    job.workload.speculative_acceptance = a;
    const double now = serve(job, m, tensor_parallel(4)).tokens_per_s.value;
    CHECK(now > before);
    before = now;
  }
}

TEST_CASE("replicas share nothing: twice the engines and twice the requests give twice the tokens") {
  Job job = serving(llama8, "vllm");
  const Machine m = node("nvidia-h100-sxm-80gb");
  const Time one = serve(job, m, tensor_parallel(1));
  job.workload.concurrency *= 4;
  Layout l;
  l.dp = 4;
  const Time four = serve(job, m, l);
  CHECK(four.tokens_per_s.value == Approx(4.0 * one.tokens_per_s.value));
  CHECK(four.tpot.value == Approx(one.tpot.value));
}

TEST_CASE("pipeline stages do not shorten the path of one sequence") {
  Job job = serving(llama70, "vllm");
  job.workload.concurrency = 1;
  const Machine m = node("nvidia-h100-sxm-80gb");
  Layout l;
  l.pp = 8;
  CHECK(serve(job, m, l).step >= serve(job, m, tensor_parallel(1)).step);
}

TEST_CASE("layers kept in host memory slow llama.cpp down, the more the slower") {
  Job job = serving(llama8, "llama.cpp", WeightFormat::q4_k_m);
  job.workload.concurrency = 1;
  double before = 0.0;
  for (std::int64_t layers : {32, 24, 16, 8, 0}) {
    job.workload.gpu_layers = layers;
    const double now = serve(job, node("nvidia-rtx4090-24gb"), tensor_parallel(1)).step.value;
    CHECK(now > before);
    before = now;
  }
}

TEST_CASE("data-parallel attention exchanges tokens with the experts instead of summing them") {
  Job job = serving("Qwen/Qwen3-235B-A22B", "sglang", WeightFormat::fp8);
  job.workload.concurrency = 512;
  Layout l;
  l.dp = l.ep = 8;
  l.attention_dp = true;
  const Time t = serve(job, node("nvidia-h200-sxm-141gb"), l);
  for (const Message& m : t.messages) CHECK(m.group == ParallelGroup::ep);
  CHECK(t.messages.size() == 2);
  CHECK(t.running_batch == 64.0);
}

TEST_CASE("the explanation holds the step and its parts") {
  Explanation why;
  const Time t = serve(serving(llama8, "vllm"), node("nvidia-h100-sxm-80gb"), tensor_parallel(2), room(1e12), &why);
  double step = 0.0, parts = 0.0;
  for (const Term& term : why.terms) {
    if (term.term == "step") step = term.value;
    if (term.term == "compute" || term.term == "memory" || term.term == "exposed_comm" || term.term == "overhead") parts += term.value;
  }
  CHECK(step == t.step.value);
  CHECK(parts == Approx(step));
}

TEST_CASE("the range is wider on GPUs of a generation that nobody measured") {
  const auto width = [](const char* card) {
    const Job job = serving("meta-llama/Llama-3.1-8B", "vllm");
    const Time t = serve(job, cluster(gpu(card), 1, 0.0), tensor_parallel(1));
    return t.tokens_high.value / t.tokens_low.value;
  };
  const double known = width("nvidia-h100-sxm-80gb"), unknown = width("nvidia-v100-sxm2-16gb");
  CHECK(unknown == Approx(known * known));
}
