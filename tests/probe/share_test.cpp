#include "native/probe/share.hpp"

#include <catch2/catch.hpp>

#include "core/scenario/link.hpp"
#include "native/probe/qr.hpp"
#include "tests/unit/catalog/profile_fixture.hpp"

using namespace gpuplan;
using namespace gpuplan::probe;

TEST_CASE("the link opens to a scenario with the same measured figures") {
  const Profile p = fixture::full_profile();
  const std::string link = profile_link(p, "https://example.org/plan/");
  CHECK(link.rfind("https://example.org/plan/#v1?", 0) == 0);
  const Result<DecodedLink> back = decode_link(link);
  REQUIRE(back);
  CHECK(back->notes.empty());
  REQUIRE(back->scenario.hardware.profile);
  CHECK(back->scenario.hardware.profile->gemm_of(Arithmetic::bf16)->ceiling == p.gemm[0].ceiling);
  CHECK(back->scenario.hardware.profile->collectives.size() == p.collectives.size());
  CHECK(back->scenario.hardware.gpus_per_node == p.machine.gpus_per_node.n);
  CHECK(back->scenario.hardware.nodes == p.machine.nodes.n);
}

TEST_CASE("the link carries no identity even when the file does") {
  Profile p = fixture::full_profile();
  p.identity = {"host", "user", {"GPU-1"}, {"1"}};
  CHECK(profile_link(p, "") == profile_link(fixture::full_profile(), ""));
}

TEST_CASE("an address that has a fragment keeps its own out of the link") {
  CHECK(profile_link(fixture::full_profile(), "https://example.org/#v1?m=x").rfind("https://example.org/#v1?", 0) == 0);
}

TEST_CASE("the short link leaves out the least important and stays readable") {
  const std::string full = profile_link(fixture::full_profile(), "");
  CHECK(short_profile_link(fixture::full_profile(), "", full.size()) == full);
  const std::string small = short_profile_link(fixture::full_profile(), "", qr_easy_bytes);
  REQUIRE_FALSE(small.empty());
  CHECK(small.size() <= qr_easy_bytes);
  const Result<DecodedLink> back = decode_link(small);
  REQUIRE(back);
  CHECK(back->scenario.hardware.profile->gemm_of(Arithmetic::bf16) != nullptr);
  CHECK(back->scenario.hardware.profile->memory_of(MemoryOperation::copy) != nullptr);
  CHECK(short_profile_link(fixture::full_profile(), "", 10).empty());
}

TEST_CASE("a QR code holds at most what its largest version can") {
  CHECK(qr_code("https://example.org/"));
  CHECK(qr_code(std::string(qr_max_bytes, 'a')));
  CHECK_FALSE(qr_code(std::string(qr_max_bytes + 1, 'a')));
  CHECK_FALSE(qr_code(""));
}
