#include "core/catalog/profile.hpp"

#include <fstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/unit/catalog/profile_fixture.hpp"

using namespace gpuplan;
using nlohmann::json;

TEST_CASE("time of a transfer follows the segment that holds its size") {
  const TransferFit fit{{{Bytes{0}, Seconds{1e-6}, BytesPerSecond{1e9}}, {Bytes{1000}, Seconds{2e-6}, BytesPerSecond{2e9}}}, 0.0};
  CHECK(transfer_time(fit, Bytes{500}).value == Approx(1.5e-6));
  CHECK(transfer_time(fit, Bytes{1000}).value == Approx(2.5e-6));
  CHECK(transfer_time(TransferFit{}, Bytes{1000}).value == 0.0);
}

TEST_CASE("bus factors are those of nccl-tests") {
  CHECK(collective_bus_factor(Collective::all_reduce, Gpus{8}) == 1.75);
  CHECK(collective_bus_factor(Collective::all_gather, Gpus{8}) == 0.875);
  CHECK(collective_bus_factor(Collective::reduce_scatter, Gpus{4}) == 0.75);
  CHECK(collective_bus_factor(Collective::all_to_all, Gpus{2}) == 0.5);
  CHECK(collective_bus_factor(Collective::send_recv, Gpus{2}) == 1.0);
}

TEST_CASE("an all-reduce of 1 GB over 8 GPUs at 350 GB/s bus bandwidth takes 5 ms and its latency") {
  const CollectiveFit c{Collective::all_reduce, Gpus{8}, Nodes{1}, fixture::line(20e-6, 350e9)};
  CHECK(collective_time(c, Bytes{1e9}).value == Approx(5e-3 + 20e-6));
}

TEST_CASE("a product at M = 1 streams its weights, a large one meets its ceiling") {
  GemmSurface g{Arithmetic::bf16, Seconds{5e-6}, BytesPerSecond{2e12}, FlopsPerSecond{8e14}, 128.0, 0.0, {}, {}};
  // 4096 × 4096 bf16 weights are 33.55 MB: 16.8 µs at 2 TB/s, and 5 µs fixed
  CHECK(gemm_time(g, 1, 4096, 4096).value == Approx(21.8e-6).epsilon(0.01));
  // 2·8192·8192·8192 = 1.0995e12 flop, 128 rows lost: 1.396 ms at 800 TFLOPS
  CHECK(gemm_time(g, 8192, 8192, 8192).value == Approx(1.396e-3 + 5e-6).epsilon(0.001));
}

TEST_CASE("at half_rate_m rows the compute-bound rate is half of the ceiling") {
  GemmSurface g{Arithmetic::bf16, Seconds{0}, BytesPerSecond{1e18}, FlopsPerSecond{8e14}, 128.0, 0.0, {}, {}};
  CHECK((2.0 * 128 * 4096 * 4096 / gemm_time(g, 128, 4096, 4096).value) == Approx(4e14));
}

TEST_CASE("the table wins at its own points and bends the fit between them") {
  const GemmSurface g = fixture::full_profile().gemm[0];
  CHECK((2.0 * 4096 * 4096 / gemm_time(g, 1, 4096, 4096).value) == Approx(2e12));
  CHECK((2.0 * 256 * 4096 * 4096 / gemm_time(g, 256, 4096, 4096).value) == Approx(4e14));
  // a hole in the table (14336 × 4096 at M = 256) is bridged from its neighbours, not read as zero
  CHECK(gemm_time(g, 256, 14336, 4096).value > 0.0);
  CHECK(gemm_time(g, 256, 14336, 4096) < gemm_time(g, 8192, 14336, 4096));
}

TEST_CASE("the bytes of a product follow its type") {
  CHECK(gemm_bytes(Arithmetic::bf16, 2, 8, 4).value == 2 * (8 * 4 + 2 * 4 + 2 * 8));
  CHECK(gemm_bytes(Arithmetic::int8, 2, 8, 4).value == (8 * 4 + 2 * 4) + 4 * 2 * 8);
  CHECK(gemm_bytes(Arithmetic::fp4, 2, 16, 16).value == 0.5625 * (16 * 16 + 2 * 16) + 2 * 2 * 16);
}

TEST_CASE("a written profile reads back equal") {
  const json written = write_profile(fixture::full_profile());
  const Result<Profile> back = read_profile(written.dump());
  REQUIRE(back);
  CHECK(write_profile(*back) == written);
  CHECK(written.dump().size() < profile_max_bytes);
}

TEST_CASE("absent parts stay absent: a profile of one measurement is valid") {
  Profile p = fixture::full_profile();
  p.gemm.clear(), p.memory.clear(), p.peer.clear(), p.collectives.clear(), p.host.clear(), p.attention.clear();
  p.dequantise = {}, p.launch = {}, p.complete = false;
  const json written = write_profile(p);
  CHECK_FALSE(written.contains("gemm"));
  CHECK_FALSE(written.contains("dequantise"));
  const Result<Profile> back = read_profile(written.dump());
  REQUIRE(back);
  CHECK_FALSE(back->complete);
  CHECK_FALSE(back->dequantise.measured);
  CHECK(back->gemm_of(Arithmetic::bf16) == nullptr);
}

TEST_CASE("the checksum survives re-formatting and re-spelled numbers, not a changed figure") {
  const json written = write_profile(fixture::full_profile());
  CHECK(read_profile(written.dump(4)));
  json respelled = written;
  respelled["gpu"]["memory_total_bytes"] = 85e9;  // 85000000000.0 for 85000000000
  CHECK(read_profile(respelled.dump()));
  json changed = written;
  changed["gpu"]["memory_total_bytes"] = 86e9;
  const Result<Profile> bad = read_profile(changed.dump());
  REQUIRE_FALSE(bad);
  CHECK(bad.problem().pointer == "/checksum");
  CHECK(bad.problem().code == ProblemCode::conflict);
}

TEST_CASE("a link carries the fitted numbers without tables, notes and identity") {
  Profile p = fixture::full_profile();
  p.identity.host = "somewhere";
  const Profile small = compact_profile(p);
  const json written = write_profile(small);
  CHECK(read_profile(written.dump()));
  CHECK_FALSE(written.contains("identity"));
  CHECK_FALSE(written.contains("measurements"));
  CHECK_FALSE(written["gemm"][0].contains("shapes"));
  CHECK(small.gemm[0].ceiling == p.gemm[0].ceiling);
}

namespace {
/// Changes one member (by pointer) of a good profile, renews the checksum, and returns the problem.
Problem problem_with(const char* pointer, const json& value) {
  json j = write_profile(fixture::full_profile());
  j[json::json_pointer(pointer)] = value;
  j["checksum"] = profile_checksum(j);
  const Result<Profile> r = read_profile(j.dump());
  REQUIRE_FALSE(r);
  return r.problem();
}
}  // namespace

TEST_CASE("a bad field is named by its pointer") {
  struct Row { const char* pointer; json value; ProblemCode code; };
  const std::vector<Row> rows{
      {"/surprise", 1, ProblemCode::unknown_field},
      {"/gpu/colour", "red", ProblemCode::unknown_field},
      {"/gpu/name", 7, ProblemCode::wrong_type},
      {"/gpu/name", std::string(97, 'x'), ProblemCode::too_large},
      {"/gpu/name", "two\nlines", ProblemCode::out_of_range},
      {"/gpu/compute_capability", "nine", ProblemCode::out_of_range},
      {"/gpu/multiprocessors", 1.5, ProblemCode::wrong_type},
      {"/gpu/memory_total_bytes", -1, ProblemCode::out_of_range},
      {"/gpu/memory_usable_bytes", 86e9, ProblemCode::conflict},
      {"/measured_on", "yesterday", ProblemCode::out_of_range},
      {"/measured_on", "2026-13-01", ProblemCode::out_of_range},
      {"/complete", 1, ProblemCode::wrong_type},
      {"/memory/0/operation", "erase", ProblemCode::out_of_range},
      {"/memory/1/segments/0/from_bytes", 5, ProblemCode::conflict},
      {"/memory/1/segments/1/from_bytes", 0, ProblemCode::conflict},
      {"/memory/0/segments", json::array(), ProblemCode::out_of_range},
      {"/memory/0/segments/0/bytes_per_second", 0, ProblemCode::out_of_range},
      {"/gemm/1/type", "bf16", ProblemCode::conflict},
      {"/gemm/0/m/1", 1, ProblemCode::conflict},
      {"/gemm/0/shapes/0/flops_per_second", json::array({1e12}), ProblemCode::conflict},
      {"/peer/0/pairs/0", json::array({0, 0}), ProblemCode::conflict},
      {"/peer/0/pairs/0", json::array({0, 4}), ProblemCode::conflict},
      {"/peer/0/pairs/0", json::array({0}), ProblemCode::wrong_type},
      {"/collectives/0/ranks", 1, ProblemCode::out_of_range},
      {"/notes", json::object(), ProblemCode::wrong_type},
      {"/version", 2, ProblemCode::unsupported},
      {"/format", "other", ProblemCode::syntax},
  };
  for (const Row& row : rows) {
    INFO(row.pointer << " = " << row.value.dump().substr(0, 40));
    const Problem p = problem_with(row.pointer, row.value);
    CHECK(p.pointer.rfind(row.pointer, 0) == 0);
    CHECK(p.code == row.code);
    CHECK(p.message.find(row.pointer) != std::string::npos);
  }
}

TEST_CASE("a missing field is named too") {
  for (const char* key : {"tool", "gpu", "machine", "measured_on", "checksum", "format", "version"}) {
    json j = write_profile(fixture::full_profile());
    j.erase(key);
    const Result<Profile> r = read_profile(j.dump());
    REQUIRE_FALSE(r);
    CHECK(r.problem().pointer == std::string("/") + key);
    CHECK(r.problem().code == ProblemCode::missing_field);
  }
}

TEST_CASE("a text that is no profile says so") {
  CHECK(read_profile("").problem().code == ProblemCode::syntax);
  CHECK(read_profile("[]").problem().code == ProblemCode::wrong_type);
  CHECK(read_profile("{\"format\": \"gpuplan-profile\", \"version\": 1e999}").problem().code == ProblemCode::syntax);
  CHECK(read_profile(std::string(profile_max_bytes + 1, ' ')).problem().code == ProblemCode::too_large);
  CHECK(read_profile(std::string(30000, '[') + std::string(30000, ']')).problem().code == ProblemCode::syntax);
}

TEST_CASE("inside a scenario the pointer starts at the scenario's field") {
  json j = write_profile(fixture::full_profile());
  j["gpu"].erase("name");
  const Result<Profile> r = read_profile(j, "/hardware/profile");
  REQUIRE_FALSE(r);
  CHECK(r.problem().pointer == "/hardware/profile/gpu/name");
}

TEST_CASE("profiles of version 1 stay readable for ever: this file never changes") {
  std::ifstream in(GPUPLAN_SOURCE_DIR "/tests/unit/catalog/profile_v1.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Result<Profile> old = read_profile(text);
  INFO((old ? "" : old.problem().message));
  REQUIRE(old);
  CHECK(old->version == 1);
  CHECK(old->gpu.name == "Simulated GPU 80GB");
  CHECK(old->gemm.size() == 6);
  CHECK(old->collectives.size() == 9);
  CHECK(old->gemm_of(Arithmetic::bf16)->ceiling.value > 6.9e14);
}
