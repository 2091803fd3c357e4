/// GGUF files of several architectures, written tensor by tensor as llama.cpp's converter does, read back to the catalog's models.
#include "core/model/files/file_model.hpp"
#include "core/model/ggml_types.hpp"
#include "gguf_fixture.hpp"
#include "models_fixture.hpp"

using namespace gpuplan;

namespace {

using Sizes = std::vector<std::uint64_t>;

/// A file under construction: metadata of one architecture, tensors of one type but for vectors, which are fp32.
struct File {
  GgufWriter w;
  std::string arch;

  File(const std::string& name, std::uint32_t file_type) : arch(name) {
    w.text("general.architecture", name);
    w.number("general.file_type", file_type);
  }
  void set(const std::string& key, std::uint32_t value) { w.number(arch + "." + key, value); }
  void add(const std::string& name, const Sizes& shape, GgmlType type) {
    double rows = 1.0;
    for (std::size_t i = 0; i + 1 < shape.size(); ++i) rows *= static_cast<double>(shape[i]);
    w.tensor(name, static_cast<std::uint32_t>(type), shape, static_cast<std::uint64_t>(ggml_bytes(type, rows, static_cast<std::int64_t>(shape.back()))));
  }
  void vector(const std::string& name, std::uint64_t length) { add(name, {length}, GgmlType::f32); }
};

/// Parameters as the catalog counts them, bytes to the last one.
void check_same(File& file, std::string_view id, const std::vector<int>& heads_per_kv) {
  const std::string bytes = file.w.header();
  const auto read = read_gguf_header(bytes, file.w.file_bytes());
  REQUIRE(read);
  REQUIRE(read->header);
  const auto described = model_of_gguf({*read->header}, "");
  REQUIRE(described);
  const Architecture& a = described->architecture;
  CHECK(count_parameters(a).text == count_parameters(model(id)).text);
  CHECK(count_parameters(a).active == count_parameters(model(id)).active);
  REQUIRE(described->weights);
  CHECK(checkpoint_bytes(a, *described->weights) == read->header->bytes());
  REQUIRE(a.kinds.size() == heads_per_kv.size());
  for (std::size_t k = 0; k < a.kinds.size(); ++k) {
    const Mixer& m = a.kinds[k].mixer;
    CHECK((m.kv_heads > 0 ? m.heads / m.kv_heads : 0) == heads_per_kv[k]);
  }
}

}  // namespace

TEST_CASE("a deepseek2 file with its key and value projections absorbed reads to latent attention") {
  File f("deepseek2", 7);
  constexpr GgmlType q = GgmlType::q8_0;
  for (const auto& [key, value] : std::vector<std::pair<const char*, std::uint32_t>>{{"block_count", 27}, {"embedding_length", 2048}, {"feed_forward_length", 10944}, {"attention.head_count", 16},
           {"attention.head_count_kv", 1}, {"attention.key_length", 576}, {"attention.value_length", 512}, {"attention.key_length_mla", 192}, {"attention.value_length_mla", 128},
           {"attention.kv_lora_rank", 512}, {"rope.dimension_count", 64}, {"expert_count", 64}, {"expert_used_count", 6}, {"context_length", 163840}}) {
    f.set(key, value);
  }
  f.add("token_embd.weight", {102400, 2048}, q), f.add("output.weight", {102400, 2048}, q), f.vector("output_norm.weight", 2048);
  for (int i = 0; i < 27; ++i) {
    const std::string b = "blk." + std::to_string(i) + ".";
    f.vector(b + "attn_norm.weight", 2048), f.vector(b + "ffn_norm.weight", 2048), f.vector(b + "attn_kv_a_norm.weight", 512);
    f.add(b + "attn_q.weight", {3072, 2048}, q), f.add(b + "attn_kv_a_mqa.weight", {576, 2048}, q), f.add(b + "attn_output.weight", {2048, 2048}, q);
    f.add(b + "attn_k_b.weight", {16, 512, 128}, q), f.add(b + "attn_v_b.weight", {16, 128, 512}, q);
    if (i == 0) {
      f.add(b + "ffn_gate.weight", {10944, 2048}, q), f.add(b + "ffn_up.weight", {10944, 2048}, q), f.add(b + "ffn_down.weight", {2048, 10944}, q);
      continue;
    }
    f.add(b + "ffn_gate_inp.weight", {64, 2048}, GgmlType::f32);
    f.add(b + "ffn_gate_exps.weight", {64, 1408, 2048}, q), f.add(b + "ffn_up_exps.weight", {64, 1408, 2048}, q), f.add(b + "ffn_down_exps.weight", {64, 2048, 1408}, q);
    f.add(b + "ffn_gate_shexp.weight", {2816, 2048}, q), f.add(b + "ffn_up_shexp.weight", {2816, 2048}, q), f.add(b + "ffn_down_shexp.weight", {2048, 2816}, q);
  }
  check_same(f, "deepseek-ai/DeepSeek-V2-Lite", {1, 1});
}

TEST_CASE("a gpt-oss file keeps its experts in MXFP4, its sinks and its biases") {
  File f("gpt-oss", 38);
  for (const auto& [key, value] : std::vector<std::pair<const char*, std::uint32_t>>{{"block_count", 24}, {"embedding_length", 2880}, {"feed_forward_length", 2880}, {"attention.head_count", 64},
           {"attention.head_count_kv", 8}, {"attention.key_length", 64}, {"attention.value_length", 64}, {"attention.sliding_window", 128}, {"expert_count", 32}, {"expert_used_count", 4}}) {
    f.set(key, value);
  }
  constexpr GgmlType q = GgmlType::q8_0;
  f.add("token_embd.weight", {201088, 2880}, q), f.add("output.weight", {201088, 2880}, q), f.vector("output_norm.weight", 2880);
  for (int i = 0; i < 24; ++i) {
    const std::string b = "blk." + std::to_string(i) + ".";
    f.vector(b + "attn_norm.weight", 2880), f.vector(b + "post_attention_norm.weight", 2880), f.vector(b + "attn_sinks.weight", 64);
    for (const auto& [name, rows] : std::vector<std::pair<const char*, std::uint64_t>>{{"attn_q", 4096}, {"attn_k", 512}, {"attn_v", 512}}) {
      f.add(b + name + ".weight", {rows, 2880}, q), f.vector(b + name + ".bias", rows);
    }
    f.add(b + "attn_output.weight", {2880, 4096}, q), f.vector(b + "attn_output.bias", 2880);
    f.add(b + "ffn_gate_inp.weight", {32, 2880}, GgmlType::f32), f.vector(b + "ffn_gate_inp.bias", 32);
    for (const char* name : {"ffn_gate_exps", "ffn_up_exps", "ffn_down_exps"}) {
      f.add(b + name + ".weight", {32, 2880, 2880}, GgmlType::mxfp4), f.add(b + name + ".bias", {32, 2880}, GgmlType::f32);
    }
  }
  check_same(f, "openai/gpt-oss-20b", {8, 8});
}

TEST_CASE("a phi3 file fuses query, key and value, and gate with up") {
  File f("phi3", 15);
  for (const auto& [key, value] : std::vector<std::pair<const char*, std::uint32_t>>{{"block_count", 32}, {"embedding_length", 3072}, {"feed_forward_length", 8192}, {"attention.head_count", 32},
           {"attention.head_count_kv", 32}}) {
    f.set(key, value);
  }
  constexpr GgmlType q = GgmlType::q4_k;
  f.add("token_embd.weight", {32064, 3072}, q), f.add("output.weight", {32064, 3072}, GgmlType::q6_k), f.vector("output_norm.weight", 3072);
  for (int i = 0; i < 32; ++i) {
    const std::string b = "blk." + std::to_string(i) + ".";
    f.vector(b + "attn_norm.weight", 3072), f.vector(b + "ffn_norm.weight", 3072);
    f.add(b + "attn_qkv.weight", {9216, 3072}, GgmlType::q5_k), f.add(b + "attn_output.weight", {3072, 3072}, q);
    f.add(b + "ffn_up.weight", {16384, 3072}, q), f.add(b + "ffn_down.weight", {3072, 8192}, i % 3 == 0 ? GgmlType::q6_k : q);
  }
  check_same(f, "microsoft/Phi-3-mini-4k-instruct", {1});
}

TEST_CASE("a mamba file has a state and no heads") {
  File f("mamba", 7);
  for (const auto& [key, value] : std::vector<std::pair<const char*, std::uint32_t>>{{"block_count", 48}, {"embedding_length", 2048}, {"feed_forward_length", 0}, {"attention.head_count", 0},
           {"ssm.conv_kernel", 4}, {"ssm.inner_size", 4096}, {"ssm.state_size", 16}, {"ssm.time_step_rank", 128}}) {
    f.set(key, value);
  }
  constexpr GgmlType q = GgmlType::q8_0;
  f.add("token_embd.weight", {50280, 2048}, q), f.vector("output_norm.weight", 2048);
  for (int i = 0; i < 48; ++i) {
    const std::string b = "blk." + std::to_string(i) + ".";
    f.vector(b + "attn_norm.weight", 2048), f.add(b + "ssm_in.weight", {8192, 2048}, q), f.add(b + "ssm_conv1d.weight", {4096, 4}, GgmlType::f32), f.vector(b + "ssm_conv1d.bias", 4096);
    f.add(b + "ssm_x.weight", {160, 4096}, q), f.add(b + "ssm_dt.weight", {4096, 128}, q), f.vector(b + "ssm_dt.bias", 4096);
    f.add(b + "ssm_a", {4096, 16}, GgmlType::f32), f.vector(b + "ssm_d", 4096), f.add(b + "ssm_out.weight", {2048, 4096}, q);
  }
  check_same(f, "state-spaces/mamba-1.4b-hf", {0});
}

TEST_CASE("a vision projector's file is refused with what to give instead") {
  File f("clip", 1);
  f.add("v.blk.0.attn_q.weight", {64, 64}, GgmlType::f16);
  const auto read = read_gguf_header(f.w.header(), f.w.file_bytes());
  REQUIRE(read);
  const auto described = model_of_gguf({*read->header}, "");
  REQUIRE_FALSE(described);
  CHECK(described.problem().message.find("language model") != std::string::npos);
}
