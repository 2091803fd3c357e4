#include "models_fixture.hpp"

using namespace gpuplan;

namespace {

std::string resolved(std::string_view name) {
  const Result<ModelMatch> match = find_model(model_catalog(), name, "/model/id");
  return match ? model_catalog().all[static_cast<std::size_t>(match->index)].id : "unknown";
}

std::string weights(std::string_view id) {
  const Result<ModelMatch> match = find_model(model_catalog(), id, "/model/id");
  return match && match->weights ? name(*match->weights) : "as published";
}

}  // namespace

TEST_CASE("the catalog holds every model of the shared list") { CHECK(model_catalog().all.size() >= 353); }

TEST_CASE("case and organisation of a model id do not matter") {
  CHECK(resolved("QWEN/qwen2.5-7b") == "Qwen/Qwen2.5-7B");
  CHECK(resolved("qwen2.5-7b") == "Qwen/Qwen2.5-7B");
  CHECK_FALSE(find_model(model_catalog(), "Qwen/Qwen2.5-7B", "")->variant);
}

TEST_CASE("instruct, chat, dated and quantised names resolve to their architecture") {
  CHECK(resolved("TheBloke/Llama-2-13B-chat-AWQ") == "meta-llama/Llama-2-13b-hf");
  CHECK(resolved("llama3.1:8b") == "meta-llama/Llama-3.1-8B");
  CHECK(resolved("meta-llama/Meta-Llama-3.1-8B-Instruct") == "meta-llama/Llama-3.1-8B");
  CHECK(resolved("Qwen/Qwen3-30B-A3B-Instruct-2507-FP8") == "Qwen/Qwen3-30B-A3B");
  CHECK(resolved("deepseek-ai/DeepSeek-V3-0324") == "deepseek-ai/DeepSeek-V3");
  CHECK(resolved("mixtral 8x7b") == "mistralai/Mixtral-8x7B-v0.1");
  CHECK(resolved("Qwen/Qwen2.5-Coder-7B-Instruct") == "Qwen/Qwen2.5-7B");
}

TEST_CASE("a fine-tune that carries the name of its base resolves to the base") {
  CHECK(resolved("NousResearch/Hermes-3-Llama-3.1-8B") == "meta-llama/Llama-3.1-8B");
  CHECK(find_model(model_catalog(), "NousResearch/Hermes-3-Llama-3.1-8B", "")->variant);
}

TEST_CASE("a distilled model resolves to what it was distilled into, never to an older namesake") {
  CHECK(resolved("DeepSeek-R1-Distill-Qwen-14B") == "Qwen/Qwen2.5-14B");
  CHECK(resolved("DeepSeek-R1-Distill-Llama-8B") == "meta-llama/Llama-3.1-8B");
  CHECK(resolved("Somebody-Distill-Qwen-14B") == "unknown");
}

TEST_CASE("a re-upload's name says how its weights are stored") {
  CHECK(weights("TheBloke/Llama-2-13B-chat-AWQ") == "awq");
  CHECK(weights("Qwen/Qwen2.5-7B-Instruct-GPTQ-Int8") == "gptq-8bit");
  CHECK(weights("Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4") == "gptq-4bit");
  CHECK(weights("unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit") == "nf4-double");
  CHECK(weights("Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf") == "q4_k_m");
  CHECK(weights("RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic") == "fp8");
  CHECK(weights("Qwen/Qwen2.5-7B") == "as published");
}

TEST_CASE("names as hubs, re-uploaders and local tools write them") {
  struct Named {
    const char *name, *model, *stored;
  };
  constexpr Named table[] = {
      {"bartowski/Meta-Llama-3.1-8B-Instruct-GGUF", "meta-llama/Llama-3.1-8B", "as published"},
      {"bartowski/gemma-2-9b-it-Q6_K_L.gguf", "google/gemma-2-9b", "q6_k"},
      {"unsloth/DeepSeek-R1-0528-UD-Q4_K_XL", "deepseek-ai/DeepSeek-R1", "q4_k_m"},
      {"google/gemma-3-27b-it-qat-q4_0-gguf", "google/gemma-3-27b-it", "q4_0"},
      {"unsloth/Qwen2.5-7B-Instruct-unsloth-bnb-4bit", "Qwen/Qwen2.5-7B", "nf4-double"},
      {"mlx-community/Qwen3-30B-A3B-4bit", "Qwen/Qwen3-30B-A3B", "int4"},
      {"RedHatAI/Qwen2.5-7B-Instruct-quantized.w8a8", "Qwen/Qwen2.5-7B", "int8"},
      {"nvidia/Llama-3.1-405B-Instruct-FP4", "meta-llama/Llama-3.1-405B", "nvfp4"},
      {"nvidia/DeepSeek-R1-0528-NVFP4-v2", "deepseek-ai/DeepSeek-R1", "nvfp4"},
      {"hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4", "meta-llama/Llama-3.1-8B", "awq"},
      {"llama3:70b-instruct-q4_K_M", "meta-llama/Meta-Llama-3-70B", "q4_k_m"},
      {"deepseek-r1:14b", "Qwen/Qwen2.5-14B", "as published"},
      {"gpt-oss:20b", "openai/gpt-oss-20b", "as published"},
      {"teknium/OpenHermes-2.5-Mistral-7B", "mistralai/Mistral-7B-v0.1", "as published"},
      {"HuggingFaceH4/zephyr-mistral-7b-v0.2", "mistralai/Mistral-7B-Instruct-v0.2", "as published"},
      {"mistral:7b", "mistralai/Mistral-7B-v0.1", "as published"},
      {"NousResearch/Nous-Hermes-2-Mixtral-8x7B-DPO", "mistralai/Mixtral-8x7B-v0.1", "as published"},
      {"deepseek-ai/DeepSeek-V3.1-Terminus", "deepseek-ai/DeepSeek-V3", "as published"},
      {"codellama/CodeLlama-13b-Python-hf", "codellama/CodeLlama-13b-Instruct-hf", "as published"},
      {"liuhaotian/llava-v1.6-vicuna-7b", "unknown", "as published"},
      {"yuhuili/EAGLE-LLaMA3.1-Instruct-8B", "unknown", "as published"},
      {"made-up/nothing-like-it-9b", "unknown", "as published"}};
  for (const Named& row : table) {
    INFO(row.name);
    CHECK(resolved(row.name) == row.model);
    CHECK(weights(row.name) == row.stored);
  }
}

TEST_CASE("a model under another name is said to be a variant") {
  CHECK(find_model(model_catalog(), "deepseek-ai/DeepSeek-R1-Distill-Llama-8B", "")->variant);
  CHECK_FALSE(find_model(model_catalog(), "meta-llama/Llama-3.1-8B", "")->variant);
}

TEST_CASE("an unknown model id is refused with its pointer and the nearest known ids") {
  const Result<ModelMatch> match = find_model(model_catalog(), "Qwen/Qwen2.5-7C", "/model/id");
  REQUIRE_FALSE(match);
  CHECK(match.problem().code == ProblemCode::unknown_id);
  CHECK(match.problem().pointer == "/model/id");
  REQUIRE_FALSE(match.problem().nearest.empty());
  CHECK(match.problem().nearest.front() == "Qwen/Qwen2.5-7B");
}

TEST_CASE("model ids of unreasonable length are refused") {
  CHECK_FALSE(find_model(model_catalog(), "", "/model/id"));
  CHECK_FALSE(find_model(model_catalog(), std::string(100000, '-'), "/model/id"));
}

TEST_CASE("a catalog that is not one is a problem, not a crash") {
  CHECK_FALSE(load_models("{"));
  CHECK_FALSE(load_models("[]"));
  CHECK_FALSE(load_models(R"({"models": [1]})"));
  CHECK_FALSE(load_models(R"({"models": [{"id": "a", "aliases": "b", "kinds": []}]})"));
}
