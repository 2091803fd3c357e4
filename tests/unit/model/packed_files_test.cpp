/// Packed safetensors beside their config.json: the bytes of the file to the last one, by the tensors that each quantiser writes.
#include <nlohmann/json.hpp>

#include "core/api/inspect.hpp"
#include "core/model/described_model.hpp"
#include "core/model/tensors.hpp"
#include "models_fixture.hpp"

using namespace gpuplan;
using nlohmann::json;

namespace {

/// A safetensors header under construction.
struct File {
  json header = json::object();
  std::uint64_t at = 0;

  void add(const std::string& name, const char* type, std::uint64_t bits, std::vector<std::uint64_t> shape) {
    std::uint64_t bytes = bits;
    for (const std::uint64_t n : shape) bytes *= n;
    bytes /= 8;
    header[name] = {{"dtype", type}, {"shape", shape}, {"data_offsets", {at, at + bytes}}};
    at += bytes;
  }
  std::string bytes() const {
    const std::string text = header.dump();
    std::string out;
    for (int i = 0; i < 8; ++i) out += static_cast<char>(text.size() >> 8 * i & 0xFF);
    return out + text;
  }
};

constexpr std::uint64_t hidden = 512, inner = 1024, kv = 128, vocab = 1000, layers = 3;

json config(const json& quantization) {
  return {{"model_type", "llama"}, {"hidden_size", hidden}, {"num_hidden_layers", layers}, {"num_attention_heads", 8}, {"num_key_value_heads", 2}, {"intermediate_size", inner},
          {"vocab_size", vocab}, {"max_position_embeddings", 2048}, {"tie_word_embeddings", false}, {"torch_dtype", "bfloat16"}, {"quantization_config", quantization}};
}

struct Matrix {
  const char* name;
  std::uint64_t rows, columns;
};
constexpr Matrix matrices[] = {{"self_attn.q_proj", hidden, hidden}, {"self_attn.k_proj", kv, hidden},  {"self_attn.v_proj", kv, hidden},      {"self_attn.o_proj", hidden, hidden},
                               {"mlp.gate_proj", inner, hidden},     {"mlp.up_proj", inner, hidden},    {"mlp.down_proj", hidden, inner}};

template <class Pack>
File llama_file(const Pack& pack) {
  File f;
  f.add("model.embed_tokens.weight", "BF16", 16, {vocab, hidden});
  f.add("lm_head.weight", "BF16", 16, {vocab, hidden});
  f.add("model.norm.weight", "BF16", 16, {hidden});
  for (std::uint64_t i = 0; i < layers; ++i) {
    const std::string layer = "model.layers." + std::to_string(i) + ".";
    f.add(layer + "input_layernorm.weight", "BF16", 16, {hidden});
    f.add(layer + "post_attention_layernorm.weight", "BF16", 16, {hidden});
    for (const Matrix& m : matrices) pack(f, layer + m.name, m);
  }
  return f;
}

void check_bytes(const File& f, const json& config_json, const char* weights) {
  static const Knowledge none;
  const std::string bytes = f.bytes(), text = config_json.dump();
  const auto answer = inspect_files(none, {{"model.safetensors", bytes, bytes.size() + f.at}, {"config.json", text, text.size()}});
  if (!answer) FAIL(answer.problem().message);
  CHECK((*answer)["weights"] == weights);
  CHECK((*answer)["weights_bytes"][weights] == f.at);
}

}  // namespace

TEST_CASE("GPTQ files: packed values, zero points, scales and an index") {
  const File f = llama_file([](File& file, const std::string& name, const Matrix& m) {
    file.add(name + ".qweight", "I32", 32, {m.columns / 8, m.rows});
    file.add(name + ".qzeros", "I32", 32, {m.columns / 128, m.rows / 8});
    file.add(name + ".scales", "F16", 16, {m.columns / 128, m.rows});
    file.add(name + ".g_idx", "I32", 32, {m.columns});
  });
  check_bytes(f, config({{"quant_method", "gptq"}, {"bits", 4}, {"group_size", 128}}), "gptq-4bit");
}

TEST_CASE("AWQ files: packed values, zero points and scales") {
  const File f = llama_file([](File& file, const std::string& name, const Matrix& m) {
    file.add(name + ".qweight", "I32", 32, {m.columns, m.rows / 8});
    file.add(name + ".qzeros", "I32", 32, {m.columns / 128, m.rows / 8});
    file.add(name + ".scales", "F16", 16, {m.columns / 128, m.rows});
  });
  check_bytes(f, config({{"quant_method", "awq"}, {"bits", 4}, {"group_size", 128}}), "awq");
}

TEST_CASE("bitsandbytes files: bytes of two values, block maxima and maps") {
  const File f = llama_file([](File& file, const std::string& name, const Matrix& m) {
    file.add(name + ".weight", "U8", 8, {m.rows * m.columns / 2, 1});
    file.add(name + ".weight.absmax", "U8", 8, {m.rows * m.columns / 64});
    file.add(name + ".weight.nested_absmax", "F32", 32, {m.rows * m.columns / 64 / 256});
    file.add(name + ".weight.nested_quant_map", "F32", 32, {256});
    file.add(name + ".weight.quant_map", "F32", 32, {16});
    file.add(name + ".weight.quant_state.bitsandbytes__nf4", "U8", 8, {84});
  });
  check_bytes(f, config({{"quant_method", "bitsandbytes"}, {"load_in_4bit", true}, {"bnb_4bit_use_double_quant", true}}), "nf4-double");
}

TEST_CASE("FP8 files: eight-bit values and scales of blocks") {
  const File f = llama_file([](File& file, const std::string& name, const Matrix& m) {
    file.add(name + ".weight", "F8_E4M3", 8, {m.rows, m.columns});
    file.add(name + ".weight_scale_inv", "F32", 32, {m.rows / 128, m.columns / 128});
  });
  check_bytes(f, config({{"quant_method", "fp8"}, {"weight_block_size", {128, 128}}}), "fp8");
}

TEST_CASE("compressed-tensors files: packed values, scales and shapes") {
  const File f = llama_file([](File& file, const std::string& name, const Matrix& m) {
    file.add(name + ".weight_packed", "I32", 32, {m.rows, m.columns / 8});
    file.add(name + ".weight_scale", "BF16", 16, {m.rows, m.columns / 128});
    file.add(name + ".weight_shape", "I64", 64, {2});
  });
  check_bytes(f, config({{"quant_method", "compressed-tensors"}, {"format", "pack-quantized"}, {"config_groups", {{"group_0", {{"targets", {"Linear"}}, {"weights", {{"num_bits", 4}, {"type", "int"}, {"group_size", 128}, {"strategy", "group"}}}}}}}}), "int4");
}

TEST_CASE("NVFP4 files: two values a byte, eight-bit scales and one for the matrix") {
  const File f = llama_file([](File& file, const std::string& name, const Matrix& m) {
    file.add(name + ".weight", "U8", 8, {m.rows, m.columns / 2});
    file.add(name + ".weight_scale", "F8_E4M3", 8, {m.rows, m.columns / 16});
    file.add(name + ".weight_scale_2", "F32", 32, {});
    file.add(name + ".input_scale", "F32", 32, {});
  });
  check_bytes(f, config({{"quant_method", "modelopt"}, {"quant_algo", "NVFP4"}}), "nvfp4");
}

TEST_CASE("MXFP4 files of experts: gate and up in one tensor of blocks, with scales and biases") {
  constexpr std::uint64_t width = 256, experts = 4;
  File f;
  f.add("model.embed_tokens.weight", "BF16", 16, {vocab, width});
  f.add("lm_head.weight", "BF16", 16, {vocab, width});
  f.add("model.norm.weight", "BF16", 16, {width});
  const std::string layer = "model.layers.0.";
  f.add(layer + "input_layernorm.weight", "BF16", 16, {width}), f.add(layer + "post_attention_layernorm.weight", "BF16", 16, {width});
  for (const auto& [name, rows, columns] : {Matrix{"q_proj", 256, width}, Matrix{"k_proj", 64, width}, Matrix{"v_proj", 64, width}, Matrix{"o_proj", width, 256}}) {
    f.add(layer + "self_attn." + name + ".weight", "BF16", 16, {rows, columns}), f.add(layer + "self_attn." + name + ".bias", "BF16", 16, {rows});
  }
  f.add(layer + "self_attn.sinks", "BF16", 16, {4});
  f.add(layer + "mlp.router.weight", "BF16", 16, {experts, width}), f.add(layer + "mlp.router.bias", "BF16", 16, {experts});
  f.add(layer + "mlp.experts.gate_up_proj_blocks", "U8", 8, {experts, 2 * width, width / 32, 16}), f.add(layer + "mlp.experts.gate_up_proj_scales", "U8", 8, {experts, 2 * width, width / 32});
  f.add(layer + "mlp.experts.gate_up_proj_bias", "BF16", 16, {experts, 2 * width});
  f.add(layer + "mlp.experts.down_proj_blocks", "U8", 8, {experts, width, width / 32, 16}), f.add(layer + "mlp.experts.down_proj_scales", "U8", 8, {experts, width, width / 32});
  f.add(layer + "mlp.experts.down_proj_bias", "BF16", 16, {experts, width});
  const json gpt_oss = {{"model_type", "gpt_oss"}, {"hidden_size", width}, {"num_hidden_layers", 1}, {"num_attention_heads", 4}, {"num_key_value_heads", 1}, {"head_dim", 64}, {"intermediate_size", width},
                        {"num_local_experts", experts}, {"num_experts_per_tok", 2}, {"vocab_size", vocab}, {"sliding_window", 128}, {"layer_types", {"full_attention"}}, {"attention_bias", true},
                        {"tie_word_embeddings", false}, {"quantization_config", {{"quant_method", "mxfp4"}}}};
  check_bytes(f, gpt_oss, "mxfp4");
}

TEST_CASE("fused projections count for the parts that they hold") {
  File f;
  f.add("model.embed_tokens.weight", "BF16", 16, {vocab, hidden}), f.add("lm_head.weight", "BF16", 16, {vocab, hidden}), f.add("model.norm.weight", "BF16", 16, {hidden});
  const std::string layer = "model.layers.0.";
  f.add(layer + "input_layernorm.weight", "BF16", 16, {hidden}), f.add(layer + "post_attention_layernorm.weight", "BF16", 16, {hidden});
  const auto packed = [&](const std::string& name, std::uint64_t rows, std::uint64_t columns) {
    f.add(layer + name + ".qweight", "I32", 32, {columns / 8, rows}), f.add(layer + name + ".qzeros", "I32", 32, {columns / 128, rows / 8});
    f.add(layer + name + ".scales", "F16", 16, {columns / 128, rows}), f.add(layer + name + ".g_idx", "I32", 32, {columns});
  };
  packed("self_attn.qkv_proj", hidden + 2 * kv, hidden), packed("self_attn.o_proj", hidden, hidden), packed("mlp.gate_up_proj", 2 * inner, hidden), packed("mlp.down_proj", hidden, inner);
  json phi = config({{"quant_method", "gptq"}, {"bits", 4}, {"group_size", 128}});
  phi["model_type"] = "phi3", phi["num_hidden_layers"] = 1;
  check_bytes(f, phi, "gptq-4bit");
}
