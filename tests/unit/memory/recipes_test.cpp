#include "core/memory/recipes.hpp"

#include <catch2/catch.hpp>

#include "core/memory/version.hpp"

using namespace gpuplan;
using namespace gpuplan::memory;

TEST_CASE("versions compare by number and ignore suffixes") {
  CHECK(parse_version("0.11.2.post1") == version(0, 11, 2));
  CHECK(parse_version("0.9.1") < parse_version("0.11.0"));
  CHECK(parse_version("b5200") == version(5200, 0));
  CHECK(parse_version("") == newest_version);
  CHECK(parse_version("nightly") == newest_version);
}

TEST_CASE("an engine's row is the newest that its version has reached") {
  CHECK(engine_recipe("vllm", parse_version("0.6.3")).context_in_budget == false);
  CHECK(engine_recipe("vllm", parse_version("0.6.4")).context_in_budget == true);
  CHECK(engine_recipe("vllm", newest_version).chunked == true);
}

TEST_CASE("mixed-precision Adam keeps 16 bytes per parameter, Megatron 18") {
  const auto bytes = [](const char* software) {
    const TrainingRecipe& r = training_recipe(software, newest_version);
    return r.weights + r.gradients + r.master + 2.0 * r.moment;
  };
  CHECK(bytes("deepspeed") == 16.0);
  CHECK(bytes("megatron") == 18.0);
  CHECK(bytes("fsdp") == 16.0);
  CHECK(bytes("torchtune") == 8.0);
}
