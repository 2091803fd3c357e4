/// quantization_config of every kind to the byte: sums over the matrices of Llama-3.1-8B written out by hand.
#include <functional>

#include <nlohmann/json.hpp>

#include "core/model/huggingface/module_pattern.hpp"
#include "core/model/huggingface/read_config.hpp"
#include "models_fixture.hpp"

using namespace gpuplan;
using nlohmann::json;

namespace {

json llama(const json& quantization) {
  json config = json::parse(R"({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
                                "intermediate_size": 14336, "vocab_size": 128256, "max_position_embeddings": 131072, "tie_word_embeddings": false})");
  config["quantization_config"] = quantization;
  return config;
}

/// Bytes of the published format.
double bytes_of(const json& config) {
  const auto read = read_hf_config(config, "");
  REQUIRE(read);
  REQUIRE(read->weights);
  return checkpoint_bytes(read->architecture, *read->weights);
}

double bytes_with(const char* quantization) { return bytes_of(llama(json::parse(quantization))); }

using PerMatrix = std::function<double(double rows, double columns)>;

constexpr double ends_bytes = 2.0 * (2.0 * 128256 * 4096 + 65.0 * 4096);  // embedding, head and norms in 16 bits

double attention(const PerMatrix& f) { return f(4096, 4096) + f(1024, 4096) + f(1024, 4096) + f(4096, 4096); }
double network(const PerMatrix& f) { return 2.0 * f(14336, 4096) + f(4096, 14336); }
double all_layers(const PerMatrix& f) { return 32.0 * (attention(f) + network(f)) + ends_bytes; }
double plain(double rows, double columns) { return 2.0 * rows * columns; }

}  // namespace

TEST_CASE("GPTQ stores values, a scale and a zero point per group, and an index per input") {
  const auto gptq = [](double bits, double group) {
    return [=](double n, double m) { return n * m * bits / 8 + n * m / group * (2 + bits / 8) + 4 * m; };
  };
  CHECK(bytes_with(R"({"quant_method": "gptq", "bits": 4, "group_size": 128})") == all_layers(gptq(4, 128)));
  CHECK(bytes_with(R"({"quant_method": "gptq", "bits": 4, "group_size": 32})") == all_layers(gptq(4, 32)));
  CHECK(bytes_with(R"({"quant_method": "gptq", "bits": 8, "group_size": 128})") == all_layers(gptq(8, 128)));
  CHECK(bytes_with(R"({"quant_method": "gptq", "bits": 3, "group_size": 128})") == all_layers(gptq(3, 128)));
  CHECK(bytes_with(R"({"quant_method": "gptq", "bits": 4, "group_size": -1})") == all_layers([](double n, double m) { return n * m / 2 + 2.5 * n + 4 * m; }));
}

TEST_CASE("GPTQ and AutoRound leave out the modules that their lists name") {
  const PerMatrix packed = [](double n, double m) { return n * m / 2 + n * m / 128 * 2.5 + 4 * m; };
  const double kept_attention = 32.0 * (attention(plain) + network(packed)) + ends_bytes;
  CHECK(bytes_with(R"({"quant_method": "gptq", "bits": 4, "group_size": 128, "dynamic": {"-:.*self_attn.*": {}}})") == kept_attention);
  json extra;
  for (int i = 0; i < 32; ++i) {
    for (const char* p : {"q_proj", "k_proj", "v_proj", "o_proj"}) extra["model.layers." + std::to_string(i) + ".self_attn." + p] = {{"bits", 16}};
  }
  CHECK(bytes_of(llama({{"quant_method", "auto-round"}, {"bits", 4}, {"group_size", 128}, {"extra_config", extra}})) == kept_attention);
}

TEST_CASE("AWQ has no index") {
  CHECK(bytes_with(R"({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": true})") == all_layers([](double n, double m) { return n * m / 2 + n * m / 128 * 2.5; }));
  CHECK(bytes_with(R"({"quant_method": "awq", "w_bit": 4, "q_group_size": 64})") == all_layers([](double n, double m) { return n * m / 2 + n * m / 64 * 2.5; }));
}

TEST_CASE("bitsandbytes: blocks of 64 in four bits, rows in eight") {
  CHECK(bytes_with(R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_quant_type": "nf4"})") == all_layers([](double n, double m) { return n * m / 2 + n * m / 64 * 4; }));
  CHECK(bytes_with(R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_use_double_quant": true})") ==
        Approx(all_layers([](double n, double m) { return n * m / 2 + n * m / 64 * (1 + 4.0 / 256); })));
  CHECK(bytes_with(R"({"quant_method": "bitsandbytes", "load_in_8bit": true})") == all_layers([](double n, double m) { return n * m + 4 * n; }));
}

TEST_CASE("a list of skipped modules holds layer by layer, as in Unsloth's dynamic quantisations") {
  const PerMatrix nf4 = [](double n, double m) { return n * m / 2 + n * m / 64 * 4; };
  const double expected = all_layers(nf4) + 2.0 * (network(plain) - network(nf4)) + attention(plain) - attention(nf4);
  CHECK(bytes_with(R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "llm_int8_skip_modules": ["lm_head", "model.layers.1.mlp", "model.layers.31.mlp", "model.layers.3.self_attn"]})") == expected);
}

TEST_CASE("FP8 scales per matrix, row or block") {
  CHECK(bytes_with(R"({"quant_method": "fp8", "activation_scheme": "static"})") == all_layers([](double n, double m) { return n * m + 4; }));
  CHECK(bytes_with(R"({"quant_method": "fp8", "weight_block_size": [128, 128]})") == all_layers([](double n, double m) { return n * m + n * m / 16384 * 4; }));
  CHECK(bytes_with(R"({"quant_method": "fbgemm_fp8"})") == all_layers([](double n, double m) { return n * m + 4 * n; }));
  CHECK(bytes_with(R"({"quant_method": "modelopt", "quant_algo": "FP8"})") == all_layers([](double n, double m) { return n * m + 8; }));
  CHECK(bytes_with(R"({"quant_method": "compressed-tensors", "format": "float-quantized", "ignore": ["lm_head"],
                       "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "float", "strategy": "channel", "symmetric": true}}}})") ==
        all_layers([](double n, double m) { return n * m + 2 * n; }));
}

TEST_CASE("compressed-tensors: integers by group or row, with or without zero points") {
  const auto with = [](const char* weights) {
    return bytes_of(llama({{"quant_method", "compressed-tensors"}, {"format", "pack-quantized"}, {"ignore", {"lm_head"}}, {"config_groups", {{"group_0", {{"targets", {"Linear"}}, {"weights", json::parse(weights)}}}}}}));
  };
  CHECK(with(R"({"num_bits": 4, "type": "int", "strategy": "group", "group_size": 128, "symmetric": true})") == all_layers([](double n, double m) { return n * m / 2 + n * m / 128 * 2; }));
  CHECK(with(R"({"num_bits": 4, "type": "int", "strategy": "group", "group_size": 32, "symmetric": false})") == all_layers([](double n, double m) { return n * m / 2 + n * m / 32 * 2.5; }));
  CHECK(with(R"({"num_bits": 8, "type": "int", "strategy": "channel", "group_size": null, "symmetric": true})") == all_layers([](double n, double m) { return n * m + 2 * n; }));
}

TEST_CASE("NVFP4 and MXFP4 carry a scale per 16 or 32 values") {
  CHECK(bytes_with(R"({"quant_method": "modelopt", "quant_algo": "NVFP4", "ignore": ["lm_head"]})") == all_layers([](double n, double m) { return n * m / 2 + n * m / 16 + 8; }));
  CHECK(bytes_with(R"({"quant_method": "compressed-tensors", "format": "mxfp4-pack-quantized",
                       "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "float", "strategy": "group", "group_size": 32}}}})") ==
        all_layers([](double n, double m) { return n * m / 2 + n * m / 32; }));
}

TEST_CASE("groups with targets of their own mix formats, and the one with most weights gives the name") {
  const json config = llama(json::parse(R"({"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION", "config_groups": {
    "group_0": {"targets": ["re:.*self_attn.*"], "weights": {"num_bits": 8, "type": "float"}},
    "group_1": {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "float", "group_size": 16}}}})"));
  const PerMatrix fp8 = [](double n, double m) { return n * m + 4; }, fp4 = [](double n, double m) { return n * m / 2 + n * m / 16 + 8; };
  CHECK(read_hf_config(config, "")->weights == WeightFormat::nvfp4);
  CHECK(bytes_of(config) == 32.0 * (attention(fp8) + network(fp4)) + ends_bytes);
}

TEST_CASE("an algorithm per module is followed module by module") {
  json layers;
  for (int i = 0; i < 32; ++i) {
    for (const char* p : {"gate_proj", "up_proj", "down_proj"}) layers["model.language_model.layers." + std::to_string(i) + ".mlp." + p] = {{"quant_algo", "W4A16_NVFP4"}, {"group_size", 16}};
  }
  layers["lm_head"] = {{"quant_algo", "FP8"}};
  const json config = llama({{"quant_method", "modelopt"}, {"quant_algo", "MIXED_PRECISION"}, {"quantized_layers", layers}});
  const PerMatrix fp4 = [](double n, double m) { return n * m / 2 + n * m / 16 + 8; };
  CHECK(bytes_of(config) == 32.0 * (attention(plain) + network(fp4)) + ends_bytes - 128256.0 * 4096 + 8);
}

TEST_CASE("AQLM stores codes, a codebook per matrix and a scale per row") {
  const PerMatrix one_book = [](double n, double m) { return n * m * 2 / 8 + 65536.0 * 8 * 2 + 2 * n; };
  const json config = llama(json::parse(R"({"quant_method": "aqlm", "in_group_size": 8, "out_group_size": 1, "num_codebooks": 1, "nbits_per_codebook": 16, "linear_weights_not_to_quantize": ["lm_head.weight"]})"));
  CHECK(bytes_of(config) == all_layers(one_book));
}

TEST_CASE("torchao: int4 with scale and zero per group, int8 with a scale per row") {
  CHECK(bytes_with(R"({"quant_method": "torchao", "quant_type": {"default": {"_type": "Int4WeightOnlyConfig", "_data": {"group_size": 64}}}})") ==
        all_layers([](double n, double m) { return n * m / 2 + n * m / 64 * 4; }));
  CHECK(bytes_with(R"({"quant_method": "torchao", "quant_type": "int4_weight_only", "quant_type_kwargs": {"group_size": 32}})") ==
        all_layers([](double n, double m) { return n * m / 2 + n * m / 32 * 4; }));
  CHECK(bytes_with(R"({"quant_method": "torchao", "quant_type": "int8_weight_only"})") == all_layers([](double n, double m) { return n * m + 2 * n; }));
}

TEST_CASE("methods with fractions of a bit are sized by them") {
  const double all = (checkpoint_bytes(read_hf_config(llama(nullptr), "")->architecture, WeightFormat::bf16) - ends_bytes) / 2.0;
  CHECK(bytes_with(R"({"quant_method": "exl2", "bits": 4.25, "head_bits": 6})") == Approx(ends_bytes + all * 4.25 / 8 - 128256.0 * 4096 * (2 - 0.75)));
}

TEST_CASE("rarer methods are read by their own keys") {
  CHECK(bytes_with(R"({"quant_method": "hqq", "quant_config": {"weight_quant_params": {"nbits": 4, "group_size": 64}}})") == all_layers([](double n, double m) { return n * m / 2 + n * m / 64 * 2.5; }));
  CHECK(bytes_with(R"({"quant_method": "bitnet", "linear_class": "autobitlinear"})") == all_layers([](double n, double m) { return n * m / 4; }));
  CHECK(bytes_with(R"({"quant_method": "quanto", "weights": "int8"})") == all_layers([](double n, double m) { return n * m + 4 * n; }));
  CHECK(bytes_with(R"({"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp8_e4m3", "qscheme": "per_tensor"}}})") == all_layers([](double n, double m) { return n * m + n * m / 16384 * 4; }));
}

TEST_CASE("a quantization_config that cannot be is refused at its field") {
  const auto refused = [](const json& quantization) {
    const auto read = read_hf_config(llama(quantization), "/model/hf_config");
    return read ? std::string("accepted") : read.problem().pointer;
  };
  CHECK(refused("x") == "/model/hf_config/quantization_config");
  CHECK(refused(json::array({1})) == "/model/hf_config/quantization_config");
  CHECK(refused({{"quant_method", "gptq"}, {"bits", -4}}) == "/model/hf_config/quantization_config/bits");
  CHECK(refused({{"quant_method", "gptq"}, {"bits", 1e300}}) == "/model/hf_config/quantization_config/bits");
  CHECK(refused({{"quant_method", "fp8"}, {"weight_block_size", {0, 128}}}) == "/model/hf_config/quantization_config/weight_block_size");
  CHECK(refused({{"quant_method", "awq"}, {"bits", 4}, {"group_size", 0.5}}) == "/model/hf_config/quantization_config/group_size");
  CHECK(refused(nullptr) == "accepted");
}

TEST_CASE("lists of modules are names, globs or regular expressions") {
  const ModulePatterns list({"lm_head", "model.layers.0*", "model.layers.3.mlp", "re:.*mlp\\.(gate|up)_proj$", "*.shared_expert.*", "gate"});
  CHECK(list.names_outside("lm_head"));
  CHECK(list.names(0, "self_attn.q_proj"));
  CHECK(list.names(3, "mlp.down_proj"));
  CHECK_FALSE(list.names(4, "mlp.down_proj"));
  CHECK(list.names(4, "mlp.up_proj"));
  CHECK(list.names(4, "mlp.shared_expert.down_proj"));
  CHECK_FALSE(list.names(4, "mlp.experts.0.up_proj"));
  CHECK(list.names(4, "mlp.gate"));
}

TEST_CASE("regular expressions match as Python's re.match does") {
  CHECK(regex_matches(".*self_attn.*", "model.layers.3.self_attn.q_proj"));
  CHECK(regex_matches("model\\.layers\\.\\d+\\.mlp", "model.layers.12.mlp.up_proj"));
  CHECK(regex_matches("(a|bc)+d?$", "abcad"));
  CHECK(regex_matches("[a-c_]+x", "a_bx"));
  CHECK(regex_matches("a.?b", "ab"));
  CHECK_FALSE(regex_matches("[^a]", "a"));
  CHECK_FALSE(regex_matches("self_attn", "model.self_attn"));
  CHECK_FALSE(regex_matches("abc$", "abcd"));
  CHECK_FALSE(regex_matches("(?!x)y", "y"));
}

TEST_CASE("a hostile expression costs bounded time and matches nothing") {
  CHECK_FALSE(regex_matches("(a*)*(a*)*(a*)*b", std::string(200, 'a')));
  CHECK_FALSE(regex_matches(std::string(900, '('), "aaaa"));
  CHECK_FALSE(regex_matches("[", "a"));
  CHECK_FALSE(regex_matches("a\\", "ab"));
  json quantization = {{"quant_method", "gptq"}, {"bits", 4}, {"ignore", json::array()}};
  for (int i = 0; i < 5000; ++i) quantization["ignore"].push_back("re:(.*a)*(.*b)*" + std::to_string(i));
  CHECK(read_hf_config(llama(quantization), ""));
}
