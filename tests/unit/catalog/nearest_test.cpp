#include <catch2/catch.hpp>

#include "core/catalog/catalog.hpp"

using namespace gpuplan;

TEST_CASE("the nearest id holds the name with the fewest edits") {
  const std::vector<std::string_view> known = {"nvidia-p4", "nvidia-h100-sxm-80gb", "nvidia-l4", "amd-mi300x-192gb"};
  CHECK(nearest_ids("h10O", known, 1) == std::vector<std::string>{"nvidia-h100-sxm-80gb"});
  CHECK(nearest_ids("mi300", known, 1) == std::vector<std::string>{"amd-mi300x-192gb"});
}

TEST_CASE("as many ids as asked for, never more than there are") {
  const std::vector<std::string_view> known = {"vllm", "sglang"};
  CHECK(nearest_ids("vlm", known, 5).size() == 2);
  CHECK(nearest_ids("vlm", known, 0).empty());
  CHECK(nearest_ids("vlm", {}, 3).empty());
  CHECK(nearest_ids("vlm", known, 1).front() == "vllm");
}

TEST_CASE("a name of ten megabytes costs no more than a long one") {
  const std::vector<std::string_view> known = {"vllm", "sglang"};
  CHECK(nearest_ids(std::string(10000000, 'v'), known, 1).size() == 1);
}
