/// Well-known cases, each worked out by hand in a comment: what the whole chain answers must be that.
#include <nlohmann/json.hpp>

#include "core/api/call.hpp"
#include "knowledge_fixture.hpp"

using nlohmann::json;

namespace {

json estimate(const char* scenario) {
  const json out = gpuplan::answer(shipped_context(), {{"op", "estimate"}, {"now", "2026-12-01"}, {"scenario", json::parse(scenario)}});
  CAPTURE(scenario, out.dump().substr(0, 400));
  REQUIRE_FALSE(out.contains("error"));
  return out;
}

double part(const json& answer, const char* name) { return answer["memory"]["parts"][name].get<double>(); }

}  // namespace

TEST_CASE("13B in fp16 is 26 GB of weights") {
  // Llama-2-13B has 13,015,864,320 parameters; 2 bytes each = 26,031,728,640 bytes.
  const json a = estimate(R"({"model": "meta-llama/Llama-2-13b-hf", "task": "inference", "numerics": {"weights": "fp16"}, "workload": {"context": 4096}, "hardware": {"gpu": "nvidia-a100-sxm4-80gb"}, "layout": {"tp": 1}})");
  CHECK(part(a, "weights") == 26031728640.0);
}

TEST_CASE("an 8B model caches 128 KiB per token") {
  // Llama-3.1-8B: 2 (keys and values) × 32 layers × 8 KV heads × 128 × 2 bytes = 131,072 bytes.
  const json a = estimate(R"({"model": "meta-llama/Llama-3.1-8B", "task": "inference", "hardware": {"gpu": "nvidia-l4"}})");
  CHECK(a["kv"]["bytes_per_token"] == 131072.0);
  CHECK(part(a, "weights") == 2.0 * 8030261248.0);
}

TEST_CASE("grouped heads are divided by tensor parallelism") {
  // Llama-3-70B on 8 GPUs: 2 × 80 layers × (8 KV heads ÷ 8) × 128 × 2 bytes = 40,960 bytes per token and GPU, as vLLM logs it.
  const json a = estimate(R"({"model": "meta-llama/Meta-Llama-3.1-70B", "task": "inference", "hardware": {"gpu": "nvidia-h100-sxm-80gb", "gpus_per_node": 8}, "layout": {"tp": 8}})");
  CHECK(a["kv"]["bytes_per_token"] == 40960.0);
}

TEST_CASE("latent attention caches one vector, on every rank") {
  // DeepSeek-V3: (512 latent + 64 rotary) × 61 layers × 2 bytes = 70,272 bytes per token, not divided by tp 8.
  const json a = estimate(R"({"model": "deepseek-ai/DeepSeek-V3", "task": "inference", "hardware": {"gpu": "nvidia-h200-sxm-141gb", "gpus_per_node": 8}, "layout": {"tp": 8, "pp": 1, "attention_dp": false}})");
  CHECK(a["kv"]["bytes_per_token"] == 70272.0);
}

TEST_CASE("70B in 16 bits needs more than one 80 GB GPU") {
  // 70,553,706,496 × 2 bytes = 141 GB.
  const json one = estimate(R"({"model": "meta-llama/Llama-3.3-70B-Instruct", "task": "inference", "hardware": {"gpu": "nvidia-h100-sxm-80gb"}})");
  CHECK_FALSE(one["fits"].get<bool>());
  CHECK(part(one, "weights") == 2.0 * 70553706496.0);
  const json four = estimate(R"({"model": "meta-llama/Llama-3.3-70B-Instruct", "task": "inference", "hardware": {"gpu": "nvidia-h100-sxm-80gb", "gpus_per_node": 4}})");
  CHECK(four["fits"].get<bool>());
}

TEST_CASE("full training with Adam holds 16 bytes per parameter") {
  // ZeRO (arXiv:1910.02054) §3: 2 weights + 2 gradients + 4 master + 8 moments. Llama-2-13B: 16 × 13,015,864,320 = 208 GB, far over one card.
  const json a = estimate(R"({"model": "meta-llama/Llama-2-13b-hf", "task": "full-finetune", "software": "deepspeed", "hardware": {"gpu": "nvidia-a100-sxm4-80gb"}, "layout": {"zero": 0, "offload": "none"}})");
  const double states = part(a, "weights") + part(a, "gradients") + part(a, "master_weights") + part(a, "optimizer");
  CHECK(states == Approx(16.0 * 13015864320.0).epsilon(1e-6));
  CHECK_FALSE(a["fits"].get<bool>());
}

TEST_CASE("ZeRO divides what it shards by the data-parallel ranks") {
  // Moments and master weights, 12 bytes per parameter, over 8 ranks under stage 1: 12 × 7,615,616,512 ÷ 8 = 11.4 GB.
  const json a = estimate(R"({"model": "Qwen/Qwen2.5-7B", "task": "full-finetune", "software": "deepspeed", "hardware": {"gpu": "nvidia-h100-sxm-80gb", "gpus_per_node": 8}, "layout": {"tp": 1, "pp": 1, "zero": 1, "offload": "none"}})");
  CHECK(part(a, "optimizer") + part(a, "master_weights") == Approx(12.0 * 7615616512.0 / 8.0).epsilon(1e-6));
  CHECK(part(a, "weights") == Approx(2.0 * 7615616512.0).epsilon(1e-6));
}

TEST_CASE("QLoRA of 70B does not fit 24 GB") {
  // 4.127 bits on the 68.45 billion weights of the linear layers alone are 35.3 GB.
  const json a = estimate(R"({"model": "meta-llama/Llama-2-70b-hf", "task": "qlora", "numerics": {"weights": "nf4-double"}, "workload": {"sequence": 512}, "hardware": {"gpu": "rtx4090"}, "layout": {"offload": "none"}})");
  CHECK_FALSE(a["fits"].get<bool>());
  CHECK(part(a, "weights") > 35e9);
}

TEST_CASE("a forward pass costs two operations per parameter that multiplies, and causal attention") {
  // Llama-3.1-8B: parameters that multiply = 8,030,261,248 − 525,336,576 (embedding) − 266,240 (norms) = 7,504,658,432; ×2 = 15.009 GFLOP per token.
  // Attention at mean length s/2: 2 products × 2 × 32 layers × 4096 × s/2, s = 4096: 1.07 GFLOP per token.
  const json a = estimate(R"({"model": "meta-llama/Llama-3.1-8B", "task": "pretraining", "workload": {"sequence": 4096}, "hardware": {"gpu": "nvidia-h100-sxm-80gb", "gpus_per_node": 8}})");
  CHECK(a["flops"]["per_token_forward"].get<double>() == Approx(2.0 * 7504658432.0 + 4.0 * 32.0 * 4096.0 * 2048.0).epsilon(2e-3));
}

TEST_CASE("the parts of a step are the step") {
  const json a = estimate(R"({"model": "meta-llama/Llama-2-13b-hf", "task": "pretraining", "workload": {"global_batch": 64}, "hardware": {"gpu": "nvidia-a100-sxm4-80gb", "gpus_per_node": 8, "nodes": 2}, "layout": {"tp": 4, "pp": 4}})");
  const json& t = a["time"];
  double sum = 0.0;
  for (const char* p : {"compute_s", "memory_s", "exposed_comm_s", "bubble_s", "overhead_s"}) sum += t[p].get<double>();
  CHECK(sum == Approx(t["step_s"].get<double>()).epsilon(1e-9));
  // 1F1B keeps p − 1 = 3 of m = 64 micro-batches' time idle: the bubble is 3/64 of the time that the stages work.
  CHECK(t["bubble_s"].get<double>() / (sum - t["bubble_s"].get<double>()) == Approx(3.0 / 64.0).epsilon(0.25));
}

TEST_CASE("a run costs what its machines cost while it lasts") {
  // tokens ÷ tokens/s = seconds; dollars = seconds ÷ 3600 × price per hour; GPU-hours = hours × 16 GPUs.
  const json a = estimate(R"({"model": "Qwen/Qwen2.5-7B", "task": "full-finetune", "workload": {"tokens": 1e9}, "hardware": {"instance": "aws:p5.48xlarge", "nodes": 2}})");
  const double hours = 1e9 / a["throughput"]["tokens_per_s"].get<double>() / 3600.0;
  CHECK(a["time"]["total_s"].get<double>() / 3600.0 == Approx(hours).epsilon(0.01));
  CHECK(a["cost"]["total_usd"].get<double>() == Approx(hours * a["cost"]["usd_per_hour"].get<double>()).epsilon(0.01));
  CHECK(a["cost"]["gpu_hours"].get<double>() == Approx(hours * 16.0).epsilon(0.01));
}

TEST_CASE("serving costs the price over the tokens of an hour") {
  const json a = estimate(R"({"model": "Qwen/Qwen2.5-7B", "task": "inference", "hardware": {"instance": "aws:g6.xlarge"}})");
  const double per_hour = a["cost"]["usd_per_hour"].get<double>();
  CHECK(per_hour == 0.8048);  // us-east-1, as the price list has it
  CHECK(a["cost"]["usd_per_million_tokens"].get<double>() == Approx(per_hour / (a["throughput"]["tokens_per_s"].get<double>() * 3600.0) * 1e6));
}
