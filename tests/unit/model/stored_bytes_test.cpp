#include "models_fixture.hpp"

using namespace gpuplan;

namespace {

double bits_per_weight(std::string_view id, WeightFormat format) {
  const Architecture& a = model(id);
  return checkpoint_bytes(a, format) * 8.0 / count_parameters(a).text;
}

constexpr double printed_digits = 1e-4;  // llama.cpp's documentation prints four decimals

}  // namespace

TEST_CASE("GGUF mixes of Llama-3.1-8B have the bits per weight that llama.cpp documents") {
  CHECK(bits_per_weight("Llama-3.1-8B", WeightFormat::iq1_s) == Approx(2.0042).margin(printed_digits));
  CHECK(bits_per_weight("Llama-3.1-8B", WeightFormat::iq3_xs) == Approx(3.4977).margin(printed_digits));
  CHECK(bits_per_weight("Llama-3.1-8B", WeightFormat::iq4_xs) == Approx(4.4597).margin(printed_digits));
  CHECK(bits_per_weight("Llama-3.1-8B", WeightFormat::q2_k) == Approx(3.1593).margin(printed_digits));
  CHECK(bits_per_weight("Llama-3.1-8B", WeightFormat::q4_k_m) == Approx(4.8944).margin(printed_digits));
  CHECK(bits_per_weight("Llama-3.1-8B", WeightFormat::q5_k_m) == Approx(5.7036).margin(printed_digits));
  CHECK(bits_per_weight("Llama-3.1-8B", WeightFormat::q8_0) == Approx(8.5008).margin(printed_digits));
}

TEST_CASE("plain formats cost their width for every parameter") {
  const Architecture& llama = model("Llama-3.1-8B");
  CHECK(checkpoint_bytes(llama, WeightFormat::bf16) == 2.0 * 8030261248.0);
  CHECK(checkpoint_bytes(llama, WeightFormat::fp32) == 4.0 * 8030261248.0);
}

TEST_CASE("AWQ keeps embeddings and head 16-bit and pays 4.15625 bits for each projection") {
  const Architecture& llama = model("Llama-3.1-8B");
  const double ends = 2.0 * 128256 * 4096, norms = 65.0 * 4096;
  CHECK(checkpoint_bytes(llama, WeightFormat::awq) == Approx((8030261248.0 - ends - norms) * 4.15625 / 8.0 + 2.0 * (ends + norms)).epsilon(1e-12));
}

TEST_CASE("double quantisation of NF4 saves 0.373 bits of each projection") {
  const Architecture& llama = model("Llama-3.1-8B");
  const double projections = 8030261248.0 - 2.0 * 128256 * 4096 - 65.0 * 4096;
  const double saved = checkpoint_bytes(llama, WeightFormat::nf4) - checkpoint_bytes(llama, WeightFormat::nf4_double);
  CHECK(saved * 8.0 / projections == Approx(0.373).margin(0.0005));
}

TEST_CASE("MXFP4 checkpoints of expert models quantise the experts alone") {
  CHECK(checkpoint_bytes(model("openai/gpt-oss-120b"), WeightFormat::mxfp4) == Approx(65.2e9).epsilon(0.005));
}

TEST_CASE("a GGUF row that 256 does not divide falls back to blocks of 32") {
  Architecture odd = model("Llama-3.1-8B");
  odd.hidden = 4096 + 32;  // rows of every projection but the down projection and the head
  CHECK(checkpoint_bytes(odd, WeightFormat::q4_k_m) > checkpoint_bytes(model("Llama-3.1-8B"), WeightFormat::q4_k_m) * 1.1);
}
