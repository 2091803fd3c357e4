#include <nlohmann/json.hpp>

#include "core/model/huggingface/read_config.hpp"
#include "models_fixture.hpp"

using namespace gpuplan;
using nlohmann::json;

namespace {

/// Cached elements per token: [without end, inside a window, constant].
std::array<double, 3> cache_of(const Architecture& a) {
  std::array<double, 3> sums{};
  const auto layers = layers_by_kind(a);
  for (std::size_t k = 0; k < a.kinds.size(); ++k) {
    const CacheShape c = cache_shape(a.kinds[k]);
    const double times = static_cast<double>(layers[k]);
    sums[c.window > 0 ? 1 : 0] += c.elements_per_token * times;
    sums[2] += c.state_elements * times;
  }
  return sums;
}

json llama() {
  return json::parse(R"({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
                         "intermediate_size": 14336, "vocab_size": 128256, "max_position_embeddings": 131072, "tie_word_embeddings": false})");
}

Problem problem_of(const json& config) {
  const auto read = read_hf_config(config, "/model/hf_config");
  return read ? Problem{"", ProblemCode::internal, "accepted", {}} : read.problem();
}

std::string weights_of(const char* quantization) {
  json config = llama();
  config["quantization_config"] = json::parse(quantization);
  const auto read = read_hf_config(config, "");
  REQUIRE(read);
  return read->weights ? name(*read->weights) : "none";
}

bool assumes(const DescribedModel& m, const std::string& code) {
  for (const Note& n : m.assumptions) {
    if (n.code == code) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a configuration of each dialect reads to the parameters and the cache of its model") {
  for (const json& row : json::parse(file_text("tests/unit/model/configs.json"))) {
    INFO(row["model"] << " as " << row["config"].value("model_type", ""));
    const auto read = read_hf_config(row["config"], "");
    REQUIRE(read);
    const Architecture& expected = model(row["model"].get<std::string>());
    CHECK(count_parameters(read->architecture).text == count_parameters(expected).text);
    CHECK(count_parameters(read->architecture).active == count_parameters(expected).active);
    CHECK(cache_of(read->architecture) == cache_of(expected));
    CHECK_FALSE(assumes(*read, "model-read-generically"));
    if (row.contains("weights")) CHECK(read->weights == parse_weight_format(row["weights"].get<std::string>()));
  }
}

TEST_CASE("towers of vision-language configurations have the parameters of the published ones") {
  for (const json& row : json::parse(file_text("tests/unit/model/configs.json"))) {
    const Architecture& expected = model(row["model"].get<std::string>());
    if (!row["config"].contains("vision_config") || expected.vision.params == 0) continue;
    INFO(row["model"]);
    const auto read = read_hf_config(row["config"], "");
    REQUIRE(read);
    CHECK(read->architecture.vision.params == expected.vision.params);
  }
}

TEST_CASE("quantization_config in each dialect names the storage of the weights") {
  CHECK(weights_of(R"({"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": false})") == "gptq-4bit");
  CHECK(weights_of(R"({"quant_method": "gptq", "bits": 8, "groupsize": 128})") == "gptq-8bit");
  CHECK(weights_of(R"({"quant_method": "gptq", "bits": "int4"})") == "gptq-4bit");
  CHECK(weights_of(R"({"quant_method": "awq", "w_bit": 4, "q_group_size": 128, "version": "gemm"})") == "awq");
  CHECK(weights_of(R"({"_load_in_4bit": true, "bnb_4bit_quant_type": "nf4", "bnb_4bit_use_double_quant": true, "quant_method": "bitsandbytes"})") == "nf4-double");
  CHECK(weights_of(R"({"load_in_4bit": true, "bnb_4bit_use_double_quant": false, "quant_method": "bitsandbytes"})") == "nf4");
  CHECK(weights_of(R"({"load_in_8bit": true, "quant_method": "bitsandbytes"})") == "int8");
  CHECK(weights_of(R"({"quant_method": "fp8", "fmt": "e4m3", "weight_block_size": [128, 128]})") == "fp8");
  CHECK(weights_of(R"({"quant_method": "modelopt", "quant_algo": "NVFP4"})") == "nvfp4");
  CHECK(weights_of(R"({"quant_algo": "FP8"})") == "fp8");
  CHECK(weights_of(R"({"quant_method": "mxfp4"})") == "mxfp4");
  CHECK(weights_of(R"({"quant_method": "compressed-tensors", "format": "pack-quantized", "config_groups": {"group_0": {"weights": {"num_bits": 4, "type": "int", "group_size": 32}}}})") == "int4");
  CHECK(weights_of(R"({"quant_method": "compressed-tensors", "format": "float-quantized", "config_groups": {"group_0": {"weights": {"num_bits": 8, "type": "float"}}}})") == "fp8");
  CHECK(weights_of(R"({"quant_method": "torchao", "quant_type": {"default": {"_type": "Int4WeightOnlyConfig"}}})") == "int4");
  CHECK(weights_of(R"({"quant_method": "aqlm", "in_group_size": 8})") == "iq2_xxs");
}

TEST_CASE("a quantisation of odd bits or unknown method is sized by the nearest format, and the answer says so") {
  json config = llama();
  config["quantization_config"] = {{"quant_method", "gptq"}, {"bits", 3}};
  CHECK(assumes(*read_hf_config(config, ""), "model-quantization-assumed"));
  config["quantization_config"] = {{"quant_method", "brand-new"}};
  CHECK(assumes(*read_hf_config(config, ""), "model-quantization-assumed"));
}

TEST_CASE("group size and modules kept in 16 bits change the bytes of the published format") {
  const auto bytes_with = [](const char* quantization) {
    json config = llama();
    config["quantization_config"] = json::parse(quantization);
    const auto read = read_hf_config(config, "");
    REQUIRE(read);
    return checkpoint_bytes(read->architecture, *read->weights);
  };
  const double usual = bytes_with(R"({"quant_method": "awq", "bits": 4, "group_size": 128})");
  const double fine = bytes_with(R"({"quant_method": "awq", "bits": 4, "group_size": 32})");
  const double projections = 8030261248.0 - 2.0 * 128256 * 4096 - 65.0 * 4096;
  CHECK(fine - usual == Approx(projections * (2.5 / 32 - 2.5 / 128)));
  const double plain_attention = bytes_with(R"({"quant_method": "compressed-tensors", "format": "nvfp4-pack-quantized", "ignore": ["lm_head", "re:.*self_attn.*"]})");
  const double attention = 32.0 * (2.0 * 4096 * 4096 + 2.0 * 1024 * 4096);
  CHECK(plain_attention == Approx(bytes_with(R"({"quant_method": "compressed-tensors", "format": "nvfp4-pack-quantized"})") + attention * (2.0 - 0.5625)).epsilon(1e-6));
}

TEST_CASE("an unknown model_type with recognisable keys is read generically, and the answer says what it assumed") {
  json config = llama();
  config["model_type"] = "tomorrow";
  config.erase("tie_word_embeddings");
  const auto read = read_hf_config(config, "");
  REQUIRE(read);
  CHECK(count_parameters(read->architecture).total == 8030261248.0);
  CHECK(assumes(*read, "model-read-generically"));
  CHECK(assumes(*read, "model-assumed"));
}

TEST_CASE("without model_type the architecture's name decides") {
  json config = llama();
  config.erase("model_type");
  config["architectures"] = {"Qwen2ForCausalLM"};
  const auto read = read_hf_config(config, "");
  REQUIRE(read);
  CHECK(read->architecture.kinds[0].mixer.q_bias);
}

TEST_CASE("a missing size is a problem at its key, never a silent default") {
  for (const char* key : {"hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size"}) {
    json config = llama();
    config.erase(key);
    CHECK(problem_of(config).code == ProblemCode::missing_field);
    CHECK(problem_of(config).pointer == std::string("/model/hf_config/") + key);
  }
}

TEST_CASE("a wrapper that leaves sizes out means the defaults of its model_type, with a note for each") {
  const auto read = read_hf_config(json::parse(R"({"model_type": "llava", "text_config": {"model_type": "llama", "vocab_size": 32064}})"), "");
  REQUIRE(read);
  CHECK(read->architecture.hidden == 4096);
  CHECK(read->assumptions.size() >= 4);
}

TEST_CASE("values of the wrong kind are refused by name") {
  const auto with = [](const char* key, const json& value) {
    json config = llama();
    config[key] = value;
    return problem_of(config);
  };
  CHECK(with("hidden_size", "4096").code == ProblemCode::wrong_type);
  CHECK(with("hidden_size", "4096").pointer == "/model/hf_config/hidden_size");
  CHECK(with("hidden_size", json::array({4096})).code == ProblemCode::wrong_type);
  CHECK(with("hidden_size", 4096.5).code == ProblemCode::out_of_range);
  CHECK(with("hidden_size", 4096.0).message == "accepted");
  CHECK(with("num_attention_heads", 0).code == ProblemCode::out_of_range);
  CHECK(with("num_attention_heads", 31).code == ProblemCode::conflict);
  CHECK(with("num_key_value_heads", 5).code == ProblemCode::conflict);
  CHECK(with("num_key_value_heads", nullptr).message == "accepted");
  CHECK(with("num_hidden_layers", 1000000000).code == ProblemCode::out_of_range);
  CHECK(with("vocab_size", 1e300).code == ProblemCode::out_of_range);
  CHECK(with("vocab_size", -1).code == ProblemCode::out_of_range);
  CHECK(with("layer_types", json::array({"full_attention"})).code == ProblemCode::conflict);
  CHECK(with("tie_word_embeddings", "yes").code == ProblemCode::wrong_type);
}

TEST_CASE("what is not a configuration at all is refused in one sentence") {
  CHECK(problem_of(json::array()).code == ProblemCode::wrong_type);
  CHECK(problem_of(json::object()).code == ProblemCode::missing_field);
  CHECK(problem_of(json::parse(R"({"_class_name": "FluxTransformer2DModel", "num_layers": 19})")).code == ProblemCode::unsupported);
}
