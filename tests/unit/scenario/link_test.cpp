#include "core/scenario/link.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/scenario/base64.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/read.hpp"
#include "core/scenario/write.hpp"

using namespace gpuplan;
using nlohmann::json;

namespace {

Scenario scenario(const char* text) {
  auto s = read_scenario(json::parse(text), Required::nothing);
  REQUIRE(s);
  return *std::move(s);
}

}  // namespace

TEST_CASE("a link is readable, sorted and leaves defaults out") {
  const Scenario s = scenario(R"({"model": {"id": "meta-llama/Llama-3.1-8B"}, "task": "lora", "hardware": {"gpu": "nvidia-a100-sxm4-80gb"}, "workload": {"sequence": 4096, "lora_rank": 32}})");
  CHECK(encode_link(s) == "#v1?gpu=nvidia-a100-sxm4-80gb&m=meta-llama/Llama-3.1-8B&r=32&t=lora");
  CHECK(encode_link(Scenario{}) == "#v1?");
}

TEST_CASE("what a link says is what was put in") {
  const char* cases[] = {
      R"({"task": "inference"})",
      R"({"model": {"id": "名字 with & = # %"}, "task": "pretraining", "workload": {"tokens": 1.5e13, "packed": false}})",
      R"({"model": {"architecture": {"hidden": 4096}}, "task": "qlora", "policy": {"providers": ["aws", "gcp"], "max_ttft_s": 0.25, "undated_prices": false}})",
      R"({"task": "inference", "hardware": {"gpu_spec": {"memory_gib": 24.5, "bandwidth_GBps": 936.2, "tflops_fp16": 71.0}}, "layout": {"attention_dp": true, "split": "layer"}})"};
  for (const char* text : cases) {
    const Scenario s = scenario(text);
    const auto back = decode_link("https://example.org/gpuplan/" + encode_link(s));
    REQUIRE(back);
    CAPTURE(text, encode_link(s));
    CHECK(back->notes.empty());
    CHECK(write_full(back->scenario) == write_full(s));
    CHECK(encode_link(back->scenario) == encode_link(s));
  }
}

TEST_CASE("every field of the scenario has a key of its own in the link") {
  for (const Field& a : fields()) {
    for (const Field& b : fields()) {
      if (&a != &b) CHECK(std::string(a.key) != b.key);
    }
  }
}

TEST_CASE("a link of the first version opens for ever") {
  const auto s = decode_link("#v1?m=Qwen/Qwen2.5-7B&t=inference&gpu=rtx4090&tp=2&ctx=32768&hr=0.1&prov=aws,runpod&w=awq");
  REQUIRE(s);
  CHECK(s->notes.empty());
  CHECK(s->scenario.model.id == "Qwen/Qwen2.5-7B");
  CHECK(s->scenario.layout.tp == 2);
  CHECK(s->scenario.workload.context == 32768);
  CHECK(s->scenario.policy.headroom == 0.1);
  CHECK(s->scenario.policy.providers == std::vector<std::string>{"aws", "runpod"});
  CHECK(s->scenario.numerics.weights == WeightFormat::awq);
}

TEST_CASE("damage costs the damaged part only, with a note") {
  const auto s = decode_link("#v1?m=Qwen/Qwen2.5-7B&ctx=abc&tp=%zz&hr=7&zzz=1&mh=@@@&t=lora&=&&x");
  REQUIRE(s);
  CHECK(s->scenario.model.id == "Qwen/Qwen2.5-7B");
  CHECK(s->scenario.task == Task::lora);
  CHECK(s->scenario.workload.context == Scenario{}.workload.context);
  CHECK(s->notes.size() == 7);
}

TEST_CASE("what is not a link, from a newer version or too long is refused") {
  CHECK(decode_link("").problem().code == ProblemCode::syntax);
  CHECK(decode_link("hello").problem().code == ProblemCode::syntax);
  CHECK(decode_link("#v?m=x").problem().code == ProblemCode::syntax);
  CHECK(decode_link("#v99999999999?m=x").problem().code == ProblemCode::syntax);
  CHECK(decode_link("#v2?m=x").problem().code == ProblemCode::unsupported);
  CHECK(decode_link("#v1?" + std::string(max_link_bytes, 'a')).problem().code == ProblemCode::too_large);
}

TEST_CASE("base64url and percent-encoding give back what went in, and refuse what is neither") {
  for (const std::string& s : {std::string(), std::string("f"), std::string("fo"), std::string("foo"), std::string("\0\xff\x80", 3)}) {
    CHECK(base64url_decode(base64url_encode(s)) == s);
  }
  CHECK_FALSE(base64url_decode("a"));
  CHECK_FALSE(base64url_decode("a+b="));
  CHECK(percent_decode(percent_encode("a b/ü&")) == "a b/ü&");
  CHECK_FALSE(percent_decode("%"));
  CHECK_FALSE(percent_decode("%ff"));          // not UTF-8
  CHECK_FALSE(percent_decode("%ed%a0%80"));    // a surrogate
}
