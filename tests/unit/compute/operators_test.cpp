#include "core/compute/operators.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/compute/serving_jobs.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;

TEST_CASE("the products of the operator list hold every matrix of the tensor list") {
  for (const char* id : {"meta-llama/Meta-Llama-3-8B", "mistralai/Mixtral-8x7B-v0.1", "deepseek-ai/DeepSeek-V3", "openai/gpt-oss-120b", "Qwen/Qwen3-30B-A3B"}) {
    const Architecture& a = model(id);
    const Operators ops = operators(a, WeightFormat::bf16);
    double products = 0.0, matrices = 0.0;
    for (const LayerOperators& l : ops.kinds) {
      for (const Gemm& g : l.gemms) products += g.weights_at(1.0) * (g.expert ? static_cast<double>(l.mlp.experts) : 1.0);
    }
    for (const Tensor& t : tensors(a)) {
      if (t.layer_kind >= 0 && t.matmul) matrices += t.elements();
    }
    INFO(id);
    CHECK(products == Approx(matrices).epsilon(1e-12));
  }
}

TEST_CASE("tensor parallelism divides a product without losing or adding weights") {
  const Operators ops = operators(model("meta-llama/Meta-Llama-3-70B"), WeightFormat::bf16);
  for (const Gemm& g : ops.kinds[0].gemms) {
    for (double tp : {2.0, 4.0, 8.0}) CHECK(g.weights_at(tp) * tp == Approx(g.weights_at(1.0)));
  }
}

TEST_CASE("key and value heads are replicated beyond their number") {
  const Operators ops = operators(model("Qwen/Qwen3-30B-A3B"), WeightFormat::bf16);  // 4 key/value heads
  const Gemm& qkv = ops.kinds[0].gemms[0];
  REQUIRE(qkv.n_kv > 0.0);
  CHECK(qkv.n_at(8.0) == Approx(qkv.n_column / 8.0 + qkv.n_kv / 4.0));
}

TEST_CASE("a causal pass attends to half of the square, a window to no more than itself") {
  Mixer full;
  full.heads = full.kv_heads = 1;
  CHECK(attended_pairs(full, 4.0, 0.0) == 10.0);   // 1 + 2 + 3 + 4
  CHECK(attended_pairs(full, 1.0, 99.0) == 100.0);
  Mixer window = full;
  window.kind = MixerKind::sliding;
  window.window = 2;
  CHECK(attended_pairs(window, 4.0, 0.0) == 7.0);  // 1 + 2 + 2 + 2
  CHECK(attended_pairs(window, 1.0, 99.0) == 2.0);
}

TEST_CASE("distinct experts: one token visits k, many tokens all, and more tokens never fewer") {
  CHECK(distinct_experts(128.0, 8.0, 1.0) == Approx(8.0));
  CHECK(distinct_experts(128.0, 8.0, 1e6) == Approx(128.0));
  double before = 0.0;
  for (double tokens = 0.25; tokens < 4000.0; tokens *= 1.7) {
    const double now = distinct_experts(256.0, 8.0, tokens);
    CHECK(now >= before);
    before = now;
  }
}

TEST_CASE("a dense forward pass costs two operations per parameter that multiplies, plus attention") {
  const Architecture& a = model("meta-llama/Meta-Llama-3-8B");
  const Operators ops = operators(a, WeightFormat::bf16);
  const double matrices = count_parameters(a).total - static_cast<double>(a.vocab * a.hidden) - 65.0 * 4096.0;  // no embedding, no norms
  CHECK(forward_flops(ops, 0.0, true).value == Approx(2.0 * matrices).epsilon(1e-3));
  const double scores = forward_flops(ops, 1000.0, true).value - forward_flops(ops, 0.0, true).value;
  CHECK(scores == Approx(1000.0 * 4.0 * 32.0 * 4096.0));  // 4 x tokens x layers x hidden
}
