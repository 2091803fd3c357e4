#include "models_fixture.hpp"

using namespace gpuplan;

namespace {

double cached_per_token(const Architecture& a) {
  double sum = 0.0;
  const auto layers = layers_by_kind(a);
  for (std::size_t k = 0; k < a.kinds.size(); ++k) sum += cache_shape(a.kinds[k]).elements_per_token * static_cast<double>(layers[k]);
  return sum;
}

}  // namespace

TEST_CASE("parameters of dense models are exact") {
  CHECK(count_parameters(model("Llama-3.1-8B")).total == 8030261248.0);
  CHECK(count_parameters(model("Qwen2.5-7B")).total == 7615616512.0);
  CHECK(count_parameters(model("gemma-2-9b")).total == 9241705984.0);
}

TEST_CASE("a mixture of experts counts its active experts apart") {
  const ParameterCount mixtral = count_parameters(model("Mixtral-8x7B-v0.1"));
  CHECK(mixtral.total == 46702792704.0);
  CHECK(mixtral.active == Approx(12.88e9).epsilon(0.001));
  CHECK(count_parameters(model("deepseek-ai/DeepSeek-V3")).text == 671026419200.0);
}

TEST_CASE("a tied head has no elements of its own, and the embedding then is a matrix product") {
  for (const Tensor& t : tensors(model("Qwen2.5-0.5B"))) {
    CHECK(t.role != Role::lm_head);
    if (t.role == Role::token_embedding) CHECK(t.matmul);
  }
}

TEST_CASE("key/value heads, not query heads, fill the cache") { CHECK(cached_per_token(model("Llama-3.1-8B")) == 2.0 * 8 * 128 * 32); }

TEST_CASE("latent attention caches its rank and rope part once, on every rank") {
  const Architecture& v3 = model("deepseek-ai/DeepSeek-V3");
  CHECK(cached_per_token(v3) == 61.0 * (512 + 64));
  CHECK(cache_shape(v3.kinds[0]).kv_heads == 0);
}

TEST_CASE("window layers stop growing at their window") {
  const Architecture& gemma = model("google/gemma-3-27b-it");
  const auto layers = layers_by_kind(gemma);
  double windowed = 0.0;
  for (std::size_t k = 0; k < gemma.kinds.size(); ++k) {
    if (cache_shape(gemma.kinds[k]).window == 1024) windowed += static_cast<double>(layers[k]);
  }
  CHECK(windowed == 52.0);
}

TEST_CASE("state-space and linear layers keep a constant state and no cache") {
  const Architecture& next = model("Qwen/Qwen3-Next-80B-A3B-Instruct");
  double state = 0.0;
  const auto layers = layers_by_kind(next);
  for (std::size_t k = 0; k < next.kinds.size(); ++k) state += cache_shape(next.kinds[k]).state_elements * static_cast<double>(layers[k]);
  CHECK(state == 36.0 * (32.0 * 128 * 128 + 3.0 * (2 * 2048 + 4096)));
  CHECK(cached_per_token(next) == 12.0 * 2 * 2 * 256);
}

TEST_CASE("an encoder-decoder counts both sides and caches the encoder's tokens once") {
  const Architecture& whisper = model("openai/whisper-large-v3");
  CHECK(count_parameters(whisper).total == 1543490560.0);
  CHECK(whisper.layer_count() == 32 + 2 * 32);
}
