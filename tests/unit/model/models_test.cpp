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
