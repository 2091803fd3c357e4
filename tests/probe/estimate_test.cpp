// What a profile does to an answer: the whole core over the shipped catalog, through the protocol.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/api/call.hpp"
#include "core/catalog/profile.hpp"
#include "tests/unit/catalog/profile_fixture.hpp"

using namespace gpuplan;
using nlohmann::json;

namespace {

const gpuplan::Context& context() {
  static const gpuplan::Context c = *make_context();
  return c;
}

/// An H100 SXM that reaches `bandwidth` and `ceiling` of round figures near its datasheet's.
Profile h100(double bandwidth, double ceiling) {
  Profile p = fixture::full_profile();
  p.gpu.id.clear();
  p.gpu.name = "NVIDIA H100 80GB HBM3";
  p.machine.gpus_per_node = Gpus{1};
  p.machine.nodes = Nodes{1};
  p.peer.clear();
  p.collectives.clear();
  for (MemoryFit& m : p.memory) m.fit = fixture::line(3e-6, bandwidth);
  p.gemm = {{Arithmetic::bf16, Seconds{4e-6}, BytesPerSecond{bandwidth}, FlopsPerSecond{ceiling}, 100.0, 0.05, {}, {}}};
  p.attention = {{Arithmetic::bf16, FlopsPerSecond{ceiling / 2}, BytesPerSecond{bandwidth}, 0.05}};
  return p;
}

double context_bytes() { return context().knowledge.calibration.value("reserve.context_bytes"); }

json estimate(const json& hardware) {
  const json scenario{{"model", {{"id", "meta-llama/Llama-3.1-8B"}}}, {"task", "inference"}, {"software", "vllm"}, {"hardware", hardware}};
  return answer(context(), {{"op", "estimate"}, {"scenario", scenario}, {"now", "2026-12-01"}});
}
json measured(const Profile& p) { return estimate({{"profile", write_profile(p)}}); }
double number(const json& answer, const char* pointer) {
  INFO(answer.dump().substr(0, 400));
  REQUIRE(answer.contains(json::json_pointer(pointer)));
  return answer.at(json::json_pointer(pointer)).get<double>();
}

}  // namespace

TEST_CASE("a profile alone says which machine it is") {
  const json a = measured(h100(3e12, 700e12));
  CHECK(number(a, "/resolved/hardware/gpus_per_node") == 1);
  const double context = context_bytes();
  CHECK(number(a, "/memory/usable_bytes") == Approx(84e9 + context));  // of 85e9; the estimate charges a process' context as a part of its own
}

TEST_CASE("less measured bandwidth decodes slower, by no more than its share") {
  const double fast = number(measured(h100(3e12, 700e12)), "/time/tpot_s"), slow = number(measured(h100(1.5e12, 700e12)), "/time/tpot_s");
  CHECK(slow > 1.2 * fast);
  CHECK(slow < 2.05 * fast);
}

TEST_CASE("a lower measured ceiling prefills slower") {
  CHECK(number(measured(h100(3e12, 350e12)), "/time/prefill_s") > 1.2 * number(measured(h100(3e12, 700e12)), "/time/prefill_s"));
}

TEST_CASE("less usable memory holds less cache") {
  Profile p = h100(3e12, 700e12);
  const double all = number(measured(p), "/kv/capacity_tokens");
  p.gpu.memory_usable = Bytes{60e9};
  CHECK(number(measured(p), "/kv/capacity_tokens") < all);
}

TEST_CASE("a GPU that no catalog knows is planned by its profile") {
  Profile p = h100(2e12, 300e12);
  p.gpu.name = "NVIDIA Unheard Of";
  const json a = measured(p);
  CHECK_FALSE(a.contains("error"));
  CHECK(number(a, "/time/tpot_s") > 0.0);
}

TEST_CASE("a profile of another GPU than the scenario names is refused by name") {
  const json a = estimate({{"gpu", "nvidia-l4"}, {"profile", write_profile(h100(3e12, 700e12))}});
  REQUIRE(a.contains("error"));
  CHECK(a["error"]["pointer"] == "/hardware/profile");
  CHECK(a["error"]["code"] == "conflict");
}

TEST_CASE("a damaged profile is refused at its field") {
  json profile = write_profile(h100(3e12, 700e12));
  profile["gpu"]["multiprocessors"] = -4;
  const json a = estimate({{"profile", profile}});
  REQUIRE(a.contains("error"));
  CHECK(a["error"]["pointer"] == "/hardware/profile/gpu/multiprocessors");
}
