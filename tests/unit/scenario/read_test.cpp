#include "core/scenario/read.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/json/text.hpp"
#include "core/scenario/write.hpp"

using namespace gpuplan;
using nlohmann::json;

namespace {

Problem problem_of(const char* text) {
  const auto r = read_scenario(json::parse(text));
  REQUIRE_FALSE(r);
  return r.problem();
}

}  // namespace

TEST_CASE("only model and task are required") {
  const auto s = read_scenario(json::parse(R"({"model": {"id": "meta-llama/Llama-3.1-8B"}, "task": "lora"})"));
  REQUIRE(s);
  CHECK(s->model.id == "meta-llama/Llama-3.1-8B");
  CHECK(s->task == Task::lora);
  CHECK(s->workload.context == 8192);
  CHECK_FALSE(s->layout.tp);
  CHECK(problem_of(R"({"task": "lora"})").pointer == "/model");
  CHECK(problem_of(R"({"model": {"id": "x"}})").pointer == "/task");
}

TEST_CASE("null means: choose for me") {
  const auto s = read_scenario(json::parse(R"({"model": {"id": "x"}, "task": "inference", "software_version": null, "hardware": {"instance": null}, "workload": {"max_sequences": null}})"));
  REQUIRE(s);
  CHECK_FALSE(s->software_version);
  CHECK(problem_of(R"({"model": {"id": "x"}, "task": "inference", "workload": {"context": null}})").code == ProblemCode::wrong_type);
}

TEST_CASE("each bad field is named by its pointer, with what is allowed") {
  const char* head = R"({"model": {"id": "x"}, "task": "inference", )";
  struct Case { const char* rest; const char* pointer; ProblemCode code; };
  const Case cases[] = {
      {R"("workload": {"context": -1}})", "/workload/context", ProblemCode::out_of_range},
      {R"("workload": {"context": 0}})", "/workload/context", ProblemCode::out_of_range},
      {R"("workload": {"context": 1.5}})", "/workload/context", ProblemCode::out_of_range},
      {R"("workload": {"context": 1e300}})", "/workload/context", ProblemCode::out_of_range},
      {R"("workload": {"context": "8192"}})", "/workload/context", ProblemCode::wrong_type},
      {R"("workload": {"contxt": 1}})", "/workload/contxt", ProblemCode::unknown_field},
      {R"("workload": []})", "/workload", ProblemCode::wrong_type},
      {R"("workload": {"lora_targets": [1]}})", "/workload/lora_targets", ProblemCode::wrong_type},
      {R"("numerics": {"weights": "fp7"}})", "/numerics/weights", ProblemCode::unknown_id},
      {R"("layout": {"zero": 4}})", "/layout/zero", ProblemCode::out_of_range},
      {R"("policy": {"headroom": 1.0}})", "/policy/headroom", ProblemCode::out_of_range},
      {R"("version": 2})", "/version", ProblemCode::unsupported},
      {R"("hardware": {"gpu": "a", "instance": "b"}})", "/hardware/instance", ProblemCode::conflict},
      {R"("hardware": {"gpu_spec": {"memory_gib": 24}}})", "/hardware/gpu_spec/bandwidth_GBps", ProblemCode::missing_field},
      {R"("nonsense": 1})", "/nonsense", ProblemCode::unknown_field},
  };
  for (const Case& c : cases) {
    const Problem p = problem_of((std::string(head) + c.rest).c_str());
    CAPTURE(c.rest, p.message);
    CHECK(p.pointer == c.pointer);
    CHECK(p.code == c.code);
    CHECK(p.message.find(c.pointer) != std::string::npos);
  }
  CHECK(problem_of((std::string(head) + R"("numerics": {"weights": "fp7"}})").c_str()).nearest.size() >= 1);
  CHECK(problem_of((std::string(head) + R"("workload": {"contxt": 1}})").c_str()).nearest.front() == "context");
}

TEST_CASE("a scenario written and read again is the same scenario") {
  const json full = json::parse(R"({"model": {"id": "x"}, "task": "qlora", "software": "ms-swift", "numerics": {"weights": "nf4", "optimizer": "paged-adamw-8bit"},
    "workload": {"sequence": 2048, "lora_targets": ["q", "v"], "tokens": 5e8}, "hardware": {"gpu_spec": {"memory_gib": 24.0, "bandwidth_GBps": 1008.0, "tflops_bf16": 82.6}, "nodes": 2},
    "layout": {"zero": 2, "recompute": "full"}, "policy": {"providers": ["aws", "gcp"], "currency": "CNY"}})");
  const auto s = read_scenario(full);
  REQUIRE(s);
  CHECK(write_sparse(*s) == full);
  const auto again = read_scenario(write_full(*s));
  REQUIRE(again);
  CHECK(write_full(*again) == write_full(*s));
}

TEST_CASE("text that is not a scenario is refused in one sentence") {
  CHECK(parse_json("", "The scenario").problem().code == ProblemCode::syntax);
  CHECK(parse_json("  \n", "The scenario").problem().code == ProblemCode::syntax);
  CHECK(parse_json("{\"a\": 1e999}", "The scenario").problem().code == ProblemCode::syntax);
  CHECK(parse_json("{\"a\": NaN}", "The scenario").problem().code == ProblemCode::syntax);
  CHECK(parse_json(std::string(10'000'000, '['), "The scenario").problem().code == ProblemCode::too_large);
  CHECK(parse_json(std::string(max_request_bytes + 1, ' '), "The scenario").problem().code == ProblemCode::too_large);
  CHECK(parse_json("{\n \"a\": }", "The scenario").problem().message.find("line 2") != std::string::npos);
  CHECK_FALSE(read_scenario(json::parse("[]")));
}
