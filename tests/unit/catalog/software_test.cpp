#include <catch2/catch.hpp>

#include "core/dtype.hpp"
#include "shipped.hpp"

using namespace gpuplan;

namespace {

const Software& software(const char* id) { return shipped().software[static_cast<std::size_t>(*find_software(shipped(), id, ""))]; }

bool holds(const std::vector<std::string>& list, const char* word) {
  for (const std::string& each : list) {
    if (each == word) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("every format, cache type and optimizer that software names is one that the core knows") {
  for (const Software& each : shipped().software) {
    INFO(each.id);
    for (const std::string& format : each.weight_formats) CHECK(parse_weight_format(format).has_value());
    for (const std::string& format : each.kv_formats) CHECK(parse_kv_format(format).has_value());
    for (const std::string& optimizer : each.optimizers) CHECK(parse_optimizer(optimizer).has_value());
  }
}

TEST_CASE("engines serve, frameworks train, some do both") {
  CHECK(software("vllm").serves);
  CHECK_FALSE(software("vllm").trains);
  CHECK(software("deepspeed").trains);
  CHECK_FALSE(software("deepspeed").serves);
  CHECK((software("transformers").serves && software("transformers").trains));
}

TEST_CASE("llama.cpp splits by layers, loads GGUF and keeps its cache in fp16 unless told otherwise") {
  CHECK(software("llama.cpp").layer_split);
  CHECK(holds(software("llama.cpp").weight_formats, "q4_k_m"));
  CHECK(software("llama.cpp").kv_formats.front() == "fp16");
}

TEST_CASE("ZeRO 3 is DeepSpeed's and FSDP's; Megatron's distributed optimizer is stage 1") {
  CHECK(software("deepspeed").max_zero == 3);
  CHECK(software("fsdp").max_zero == 3);
  CHECK(software("megatron").max_zero == 1);
  CHECK(software("megatron").max_tp > 1);
}

TEST_CASE("FP8 weights load on older cards in vLLM, but only Ada and later multiply in FP8") {
  CHECK(computes_in(software("vllm"), gpu("h100"), "fp8"));
  CHECK(computes_in(software("vllm"), gpu("l4"), "fp8"));
  CHECK(computes_in(software("vllm"), gpu("mi300x"), "fp8"));
  CHECK(loads(software("vllm"), gpu("a100"), "fp8"));
  CHECK_FALSE(computes_in(software("vllm"), gpu("a100"), "fp8"));
  CHECK_FALSE(loads(software("vllm"), gpu("v100"), "fp8"));
}

TEST_CASE("a format that one vendor lacks does not load there") {
  CHECK(loads(software("vllm"), gpu("a100"), "awq"));
  CHECK_FALSE(loads(software("vllm"), gpu("mi300x"), "awq"));
  CHECK(loads(software("sglang"), gpu("mi300x"), "awq"));
  CHECK(loads(software("sglang"), gpu("910b"), "awq"));
  CHECK_FALSE(loads(software("llama.cpp"), gpu("a100"), "awq"));
}

TEST_CASE("NVFP4 is Blackwell's") {
  CHECK(computes_in(software("tensorrt-llm"), gpu("b200"), "nvfp4"));
  CHECK_FALSE(loads(software("tensorrt-llm"), gpu("h100"), "nvfp4"));
}

TEST_CASE("plain formats load wherever the software runs; 4-bit weight-only formats never multiply in 4 bits") {
  CHECK(loads(software("vllm"), gpu("t4"), "fp16"));
  CHECK_FALSE(computes_in(software("vllm"), gpu("h100"), "awq"));
  CHECK_FALSE(runs_on(software("vllm"), gpu("p40")));
  CHECK(runs_on(software("llama.cpp"), gpu("p40")));
  CHECK(runs_on(software("llama.cpp"), gpu("m3-ultra")));
  CHECK_FALSE(runs_on(software("tensorrt-llm"), gpu("mi300x")));
}
