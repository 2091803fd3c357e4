#include "core/memory/activations.hpp"

#include <catch2/catch.hpp>

using namespace gpuplan;
using namespace gpuplan::memory;

namespace {

/// A GPT layer as in Korthikanti et al. 2022 (arXiv:2205.05198): multi-head attention, 4h feed-forward, layer norms, dropout.
Architecture gpt(std::int64_t hidden, std::int64_t heads) {
  Architecture m;
  m.hidden = hidden;
  m.norm = NormKind::layer;
  m.dropout = 0.1;
  Layer layer;
  layer.mixer.heads = layer.mixer.kv_heads = heads;
  layer.mixer.head_dim = hidden / heads;
  layer.mlp.gated = false;
  layer.mlp.intermediate = 4 * hidden;
  m.kinds = {layer};
  m.order = {{0, 1}};
  return m;
}

struct Saved {
  double replicated_bytes = 0.0, divided_bytes = 0.0, score_bytes = 0.0;
};

Saved saved(const Architecture& m, SavingRule rule) {
  Saved out;
  for (const SavedTensor& t : saved_tensors(m, m.kinds[0], rule)) {
    if (t.scores) out.score_bytes += t.bytes_per_token;
    else (t.divide == replicated ? out.replicated_bytes : out.divided_bytes) += t.bytes_per_token;
  }
  return out;
}

SavingRule paper() {
  SavingRule rule;
  rule.kernels = Kernels::paper;
  rule.flash = false;
  rule.dropout = 0.1;
  return rule;
}

}  // namespace

TEST_CASE("a GPT layer saves s b h (34 + 5 a s / h) bytes") {
  const auto [hidden, heads] = GENERATE(std::pair<std::int64_t, std::int64_t>{6144, 64}, std::pair<std::int64_t, std::int64_t>{12288, 96},
                                        std::pair<std::int64_t, std::int64_t>{20480, 128}, std::pair<std::int64_t, std::int64_t>{25600, 160});
  const Saved s = saved(gpt(hidden, heads), paper());
  const double h = static_cast<double>(hidden), a = static_cast<double>(heads);
  CHECK(s.replicated_bytes + s.divided_bytes == 34.0 * h);
  CHECK(s.score_bytes == 5.0 * a);
}

TEST_CASE("tensor parallelism divides 24 of the 34 and all scores") {
  const Saved s = saved(gpt(12288, 96), paper());
  CHECK(s.replicated_bytes == 10.0 * 12288);
  CHECK(s.divided_bytes == 24.0 * 12288);
}

TEST_CASE("flash attention saves no scores but one log-sum-exp per head") {
  SavingRule rule = paper();
  rule.flash = true;
  const Saved s = saved(gpt(12288, 96), rule);
  CHECK(s.score_bytes == 0.0);
  CHECK(s.divided_bytes == 24.0 * 12288 + 4.0 * 96);
}

TEST_CASE("a frozen layer drops what only weight gradients read") {
  SavingRule rule = paper();
  rule.attention_trains = rule.mlp_trains = false;
  const Saved frozen = saved(gpt(12288, 96), rule), full = saved(gpt(12288, 96), paper());
  CHECK(frozen.replicated_bytes == full.replicated_bytes - 4.0 * 12288);              // inputs of qkv and of the first projection
  CHECK(frozen.divided_bytes == full.divided_bytes - (2.0 + 8.0) * 12288);            // inputs of the output and the second projection
}
