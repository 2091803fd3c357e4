#include "core/api/call.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "../plan/knowledge_fixture.hpp"

using namespace gpuplan;
using nlohmann::json;

namespace {

json asked(const std::string& text) { return json::parse(call(shipped_context(), text)); }
json error_of(const std::string& text) {
  const json out = asked(text);
  CAPTURE(text.substr(0, 200), out.dump().substr(0, 400));
  REQUIRE(out.contains("error"));
  return out["error"];
}

}  // namespace

TEST_CASE("a request that is none gets an error object with code and sentence") {
  CHECK(error_of("")["code"] == "syntax");
  CHECK(error_of("{")["code"] == "syntax");
  CHECK(error_of("[1]")["code"] == "wrong-type");
  CHECK(error_of("{}")["pointer"] == "/op");
  CHECK(error_of(R"({"op": 7})")["pointer"] == "/op");
  CHECK(error_of("\xff\xfe")["code"] == "syntax");
}

TEST_CASE("an unknown operation is told the nearest one") {
  const json e = error_of(R"({"op": "estimat", "scenario": {}})");
  CHECK(e["code"] == "unknown-id");
  REQUIRE_FALSE(e["nearest"].empty());
  CHECK(e["nearest"][0] == "estimate");
}

TEST_CASE("what an operation needs and does not get is named") {
  CHECK(error_of(R"({"op": "estimate"})")["message"].get<std::string>().find("scenario") != std::string::npos);
  CHECK(error_of(R"({"op": "estimate", "scenario": {"task": "inference"}})")["pointer"] == "/model");
  CHECK(error_of(R"({"op": "decode"})")["pointer"] == "/link");
  CHECK(error_of(R"({"op": "catalog", "what": "cars"})")["pointer"] == "/what");
  CHECK(error_of(R"({"op": "tiers", "lang": "fr"})")["pointer"] == "/lang");
  CHECK(error_of(R"({"op": "tiers", "now": "soon"})")["pointer"] == "/now");
  CHECK(error_of(R"({"op": "plan", "top": -1, "scenario": {"model": {"id": "Qwen/Qwen2.5-7B"}, "task": "inference"}})")["pointer"] == "/top");
}

TEST_CASE("an answer is valid UTF-8 and JSON whatever the request held") {
  const json e = error_of("{\"op\": \"estimate\", \"scenario\": {\"model\": {\"id\": \"\\ud800<script>\"}, \"task\": \"inference\"}}");
  CHECK(e["message"].is_string());
  CHECK(error_of(json{{"op", std::string(100000, 'x')}}.dump())["message"].get<std::string>().size() < 600);
}

TEST_CASE("the same request gets the same bytes, and nothing is remembered between requests") {
  const std::string request = R"({"op": "estimate", "now": "2026-12-01", "scenario": {"model": {"id": "Qwen/Qwen2.5-7B"}, "task": "inference", "hardware": {"gpu": "nvidia-l4"}}})";
  const std::string first = call(shipped_context(), request);
  call(shipped_context(), R"({"op": "estimate", "scenario": {"model": {"id": "meta-llama/Llama-3.3-70B-Instruct"}, "task": "lora"}})");
  CHECK(call(shipped_context(), request) == first);
}
