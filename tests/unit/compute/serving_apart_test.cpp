#include "core/compute/serving_apart.hpp"

#include <catch2/catch.hpp>

#include "core/layout/rules.hpp"
#include "tests/unit/compute/serving_jobs.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;

namespace {

Job chat(std::int64_t concurrency, std::optional<std::int64_t> prefill_engines) {
  Job job = serving("meta-llama/Llama-3.1-8B", "vllm");
  job.workload.input_tokens = 4096;
  job.workload.output_tokens = 256;
  job.workload.concurrency = concurrency;
  job.workload.prefill_engines = prefill_engines;
  return job;
}

Layout replicas(std::int32_t n) {
  Layout l;
  l.dp = n;
  return l;
}

const Machine& node() {
  static const Machine m = cluster(gpu("nvidia-h100-sxm-80gb"), 1, 0.0);
  return m;
}

}  // namespace

TEST_CASE("answers that no prompt interrupts come faster") {
  const Time together = serve(chat(64, std::nullopt), node(), replicas(8)), apart = serve(chat(64, 4), node(), replicas(8));
  CHECK(apart.tpot < together.tpot);
  CHECK(apart.tpot.value == Approx(apart.step.value));
}

TEST_CASE("with few prompt engines prompts bound the whole, and requests wait for their first token") {
  const Time few = serve(chat(2000, 1), node(), replicas(8)), more = serve(chat(2000, 4), node(), replicas(8));
  CHECK(few.requests_per_s < more.requests_per_s);
  CHECK(few.ttft > more.ttft);
  CHECK(few.requests_per_s * few.ttft.value < 2000.0);  // Little's law: those that wait are not more than all
  CHECK(few.requests_per_s * few.total.value == Approx(2000.0).epsilon(0.05));
}

TEST_CASE("with few requests every one is generated at once") {
  const Time t = serve(chat(4, 4), node(), replicas(8));
  CHECK(t.running_batch == Approx(1.0));
  CHECK(t.requests_per_s * t.total.value < 4.5);
}

TEST_CASE("more requests never bring fewer tokens per second") {
  double before = 0.0;
  for (std::int64_t c = 4; c <= 4096; c *= 2) {
    const double now = serve(chat(c, 2), node(), replicas(8)).tokens_per_s.value;
    CHECK(now >= 0.995 * before);
    before = now;
  }
}

TEST_CASE("engines of both kinds are needed, and none that shares attention") {
  const Job job = chat(64, 2);
  CHECK(check_layout(job, node(), replicas(8)) == Refusal::none);
  CHECK(check_layout(job, node(), replicas(2)) == Refusal::engines);
  Layout shared = replicas(8);
  shared.attention_dp = true;
  CHECK(check_layout(job, node(), shared) == Refusal::engines);
}
