#include <nlohmann/json.hpp>

#include "core/api/inspect.hpp"
#include "gguf_fixture.hpp"
#include "models_fixture.hpp"

using namespace gpuplan;
using nlohmann::json;

namespace {

const Knowledge& knowledge() {
  static const Knowledge k = [] {
    Knowledge made;
    made.models = model_catalog();
    return made;
  }();
  return k;
}

json answer_to(const json& request) {
  const Result<json> answer = inspect(knowledge(), request);
  if (!answer) FAIL(answer.problem().message);
  return *answer;
}

/// A safetensors file of one llama layer; `header` may be spoiled before it is written.
std::string safetensors(const json& header) {
  const std::string text = header.dump();
  std::string out;
  for (int i = 0; i < 8; ++i) out += static_cast<char>(text.size() >> 8 * i & 0xFF);
  return out + text;
}

json tensors_of_a_layer() {
  json h = {{"__metadata__", {{"format", "pt"}}}};
  std::uint64_t at = 0;
  const auto add = [&](const std::string& name, std::vector<std::uint64_t> shape) {
    std::uint64_t bytes = 2;
    for (const std::uint64_t s : shape) bytes *= s;
    h[name] = {{"dtype", "BF16"}, {"shape", shape}, {"data_offsets", {at, at + bytes}}};
    at += bytes;
  };
  const std::string layer = "model.layers.0.";
  add("model.embed_tokens.weight", {1000, 512}), add("lm_head.weight", {1000, 512}), add("model.norm.weight", {512});
  add(layer + "input_layernorm.weight", {512}), add(layer + "post_attention_layernorm.weight", {512});
  add(layer + "self_attn.q_proj.weight", {512, 512}), add(layer + "self_attn.k_proj.weight", {128, 512});
  add(layer + "self_attn.v_proj.weight", {128, 512}), add(layer + "self_attn.o_proj.weight", {512, 512});
  add(layer + "self_attn.q_norm.weight", {64}), add(layer + "self_attn.k_norm.weight", {64});
  for (const char* name : {"gate", "up"}) add(layer + "mlp." + name + "_proj.weight", {2048, 512});
  add(layer + "mlp.down_proj.weight", {512, 2048});
  return h;
}

constexpr double layer_elements = 2.0 * 1000 * 512 + 3 * 512 + 2.0 * 512 * 512 + 2.0 * 128 * 512 + 2 * 64 + 3.0 * 2048 * 512;

std::string message_of(const std::string& bytes, std::uint64_t file_bytes) {
  const Result<json> answer = inspect_files(knowledge(), {{"model.safetensors", bytes, file_bytes}});
  return answer ? "" : answer.problem().message;
}

}  // namespace

TEST_CASE("inspecting a model id answers parameters, cache per token and bytes in every format") {
  const json a = answer_to({{"id", "Qwen2.5-7B"}});
  CHECK(a["kind"] == "catalog");
  CHECK(a["parameters"]["total"] == 7615616512);
  CHECK(a["kv_bytes_per_token"] == 2 * 2 * 4 * 128 * 28);
  CHECK(a["weights_bytes"].size() == static_cast<std::size_t>(weight_format_count));
  CHECK(a["weights_bytes"]["bf16"] == 2 * 7615616512);
  CHECK(a["model"]["id"] == "Qwen/Qwen2.5-7B");
}

TEST_CASE("the parts of a model add up to its parameters") {
  for (const char* id : {"deepseek-ai/DeepSeek-V3", "Qwen/Qwen3-Next-80B-A3B-Instruct", "google/gemma-3-27b-it", "openai/whisper-large-v3"}) {
    const json a = answer_to({{"id", id}});
    double sum = 0.0;
    for (const json& part : a["parameters"]["by_part"]) sum += part.get<double>();
    CHECK(sum == a["parameters"]["total"].get<double>());
  }
}

TEST_CASE("a pasted config.json with Python's Infinity in it is read") {
  const json a = answer_to({{"text", R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128,
                                         "vocab_size": 100, "time_step_limit": [0.0, Infinity], "name": "Infinity and beyond \" NaN"})"}});
  CHECK(a["kind"] == "hf_config");
  CHECK(a["architecture"]["hidden"] == 64);
}

TEST_CASE("what inspect answers as model is what a scenario takes") {
  const json a = answer_to({{"id", "Llama-3.1-8B"}});
  const json again = answer_to({{"architecture", a["architecture"]}});
  CHECK(again["parameters"] == a["parameters"]);
  CHECK(again["weights_bytes"] == a["weights_bytes"]);
}

TEST_CASE("safetensors shapes give widths, layers and exact bytes") {
  const std::string bytes = safetensors(tensors_of_a_layer());
  const Result<json> answer = inspect_files(knowledge(), {{"model.safetensors", bytes, bytes.size() + static_cast<std::uint64_t>(2 * layer_elements)}});
  REQUIRE(answer);
  CHECK((*answer)["parameters"]["total"] == static_cast<std::int64_t>(layer_elements));
  CHECK((*answer)["weights_bytes"]["bf16"] == static_cast<std::int64_t>(2 * layer_elements));
  CHECK((*answer)["architecture"]["kinds"][0]["mixer"]["head_dim"] == 64);
  CHECK((*answer)["architecture"]["kinds"][0]["mixer"]["kv_heads"] == 2);
}

TEST_CASE("a config.json beside safetensors parts says what shapes do not") {
  const std::string bytes = safetensors(tensors_of_a_layer());
  const std::string config = R"({"model_type": "qwen3", "hidden_size": 512, "num_hidden_layers": 1, "num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 64,
                                 "intermediate_size": 2048, "vocab_size": 1000, "max_position_embeddings": 4096, "tie_word_embeddings": false})";
  const Result<json> answer =
      inspect_files(knowledge(), {{"model.safetensors", bytes, bytes.size() + static_cast<std::uint64_t>(2 * layer_elements)}, {"config.json", config, config.size()}});
  REQUIRE(answer);
  CHECK((*answer)["architecture"]["max_context"] == 4096);
  CHECK((*answer)["weights"] == "bf16");
}

TEST_CASE("shapes of fused projections and of latent attention are read; packed or unreadable ones are refused, never taken for no attention") {
  const auto file = [](const std::vector<std::pair<std::string, std::vector<std::uint64_t>>>& tensors, const char* type = "BF16") {
    json h = {{"model.embed_tokens.weight", {{"dtype", "BF16"}, {"shape", {1000, 512}}, {"data_offsets", {0, 1024000}}}}};
    for (const auto& [name, shape] : tensors) h["model.layers.0." + name] = {{"dtype", type}, {"shape", shape}, {"data_offsets", {0, (std::string(type) == "I32" ? 4 : 2) * shape[0] * (shape.size() > 1 ? shape[1] : 1)}}};
    return safetensors(h);
  };
  const auto inspected = [](const std::string& bytes) { return inspect_files(knowledge(), {{"model.safetensors", bytes, std::uint64_t{1} << 30}}); };
  const auto fused = inspected(file({{"self_attn.qkv_proj.weight", {512 + 2 * 128, 512}}, {"self_attn.o_proj.weight", {512, 512}}, {"mlp.gate_up_proj.weight", {2048, 512}}, {"mlp.down_proj.weight", {512, 1024}}}));
  REQUIRE(fused);
  CHECK((*fused)["parameters"]["total"] == 1000 * 512 + 768 * 512 + 512 * 512 + 3 * 1024 * 512);
  CHECK((*fused)["kv_bytes_per_token"] == 2 * 2 * 128);
  const auto latent = inspected(file({{"self_attn.q_proj.weight", {8 * (64 + 32), 512}}, {"self_attn.kv_a_proj_with_mqa.weight", {128 + 32, 512}}, {"self_attn.kv_a_layernorm.weight", {128}},
                                      {"self_attn.kv_b_proj.weight", {8 * 128, 128}}, {"self_attn.o_proj.weight", {512, 8 * 64}}, {"mlp.up_proj.weight", {1024, 512}}, {"mlp.down_proj.weight", {512, 1024}}}));
  REQUIRE(latent);
  CHECK((*latent)["kv_bytes_per_token"] == 2 * (128 + 32));
  const auto packed = inspected(file({{"self_attn.q_proj.qweight", {64, 512}}, {"self_attn.k_proj.qweight", {64, 128}}}, "I32"));
  REQUIRE_FALSE(packed);
  CHECK(packed.problem().message.find("config.json") != std::string::npos);
  const auto strange = inspected(file({{"mixing.weight", {512, 512}}}));
  REQUIRE_FALSE(strange);
  CHECK(strange.problem().message.find("config.json") != std::string::npos);
}

TEST_CASE("the first bytes of a 40 GB file say how many more are needed") {
  const std::string bytes = safetensors(tensors_of_a_layer());
  const Result<json> answer = inspect_files(knowledge(), {{"model.safetensors", std::string_view(bytes).substr(0, 8), std::uint64_t{40} << 30}});
  REQUIRE(answer);
  CHECK((*answer)["need"]["bytes"] == bytes.size());
}

TEST_CASE("header bytes may come as base64, plain or for URLs") {
  const json wrong = {{"files", {{{"name", "a"}, {"base64", "%%%"}, {"file_bytes", 3}}}}};
  CHECK_FALSE(inspect(knowledge(), wrong));
  const json none = {{"files", json::array()}};
  CHECK_FALSE(inspect(knowledge(), none));
  const json gguf = {{"files", {{{"name", "a.gguf"}, {"base64", "R0dVRgMAAAA="}, {"file_bytes", 1000}}}}};  // "GGUF", version 3
  CHECK(answer_to(gguf)["need"]["bytes"].get<int>() > 8);
}

TEST_CASE("lying safetensors headers are refused in one sentence") {
  const std::string good = safetensors(tensors_of_a_layer());
  CHECK(message_of(std::string(8, '\xff'), 1000).find("claims a length") != std::string::npos);
  CHECK(message_of(good, good.size()).find("beyond the end") != std::string::npos);
  CHECK(message_of(good.substr(0, 100), 100).find("cut off") != std::string::npos);
  const auto spoiled = [](const char* key, const json& value) {
    json h = tensors_of_a_layer();
    h["lm_head.weight"][key] = value;
    return message_of(safetensors(h), 1u << 30);
  };
  CHECK(spoiled("dtype", "F9").find("unknown dtype") != std::string::npos);
  CHECK(spoiled("shape", {1, 1}).find("does not fit") != std::string::npos);
  CHECK(spoiled("shape", "big") != "");
  CHECK(spoiled("data_offsets", {8, 4}).find("data_offsets") != std::string::npos);
  CHECK(spoiled("surprise", 1).find("unknown field") != std::string::npos);
  CHECK(message_of(safetensors(json::array({1, 2})), 1u << 30) != "");
}

TEST_CASE("an index names its parts and their bytes, and says that it has no shapes") {
  const json a = answer_to({{"text", R"({"metadata": {"total_size": 123}, "weight_map": {"a": "model-00002-of-00002.safetensors", "b": "model-00001-of-00002.safetensors", "c": "model-00001-of-00002.safetensors"}})"}});
  CHECK(a["kind"] == "safetensors_index");
  CHECK(a["total_bytes"] == 123);
  CHECK(a["files"] == json({"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"}));
}

TEST_CASE("a GGUF header may also come as an object in a scenario") {
  const json gguf = json::parse(R"({"metadata": {"general.architecture": "llama", "llama.block_count": 1, "llama.embedding_length": 256, "llama.attention.head_count": 4,
      "llama.feed_forward_length": 512, "general.file_type": 7},
    "tensors": [["token_embd.weight", "q8_0", [100, 256]], ["blk.0.attn_q.weight", "q8_0", [256, 256]], ["blk.0.attn_k.weight", "q8_0", [256, 256]],
      ["blk.0.attn_v.weight", "q8_0", [256, 256]], ["blk.0.attn_output.weight", "q8_0", [256, 256]], ["blk.0.attn_norm.weight", "f32", [256]],
      ["blk.0.ffn_up.weight", "q8_0", [512, 256]], ["blk.0.ffn_down.weight", "q8_0", [256, 512]]]})");
  const json a = answer_to({{"gguf", gguf}});
  CHECK(a["weights"] == "q8_0");
  CHECK(a["parameters"]["total"] == 100 * 256 + 4 * 256 * 256 + 256 + 2 * 512 * 256);
  json bad = gguf;
  bad["tensors"][0][1] = "q9";
  CHECK_FALSE(inspect(knowledge(), {{"gguf", bad}}));
}

TEST_CASE("a request without anything to inspect says what it may hold") {
  const Result<json> answer = inspect(knowledge(), json::object());
  REQUIRE_FALSE(answer);
  CHECK(answer.problem().message.find("hf_config") != std::string::npos);
}
