#include "core/compute/engine_times.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/compute/serving_jobs.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;

TEST_CASE("versions fall into the eras of an engine") {
  CHECK(std::string(era_of("vllm", "0.6.6")) == "v0");
  CHECK(std::string(era_of("vllm", "0.11.0")) == "");
  CHECK(std::string(era_of("vllm", "0.2.2")) == "2023");
  CHECK(std::string(era_of("tensorrt-llm", "0.17.0")) == "engine");
  CHECK(std::string(era_of("tensorrt-llm", "0.19.0")) == "");
  CHECK(std::string(era_of("tensorrt-llm", "1.2.0rc6.post3")) == "");
  CHECK(std::string(era_of("llama.cpp", "b4000")) == "2024");
  CHECK(std::string(era_of("llama.cpp", "b6000")) == "");
  CHECK(std::string(era_of("vllm", "no number")) == "");
  CHECK(std::string(era_of("vllm", "999999999999999999999.1")) == "");
}

TEST_CASE("every engine has its times on every generation") {
  for (const Software& s : shipped().knowledge.catalog.software) {
    const EngineTable table = load_engine(shipped().knowledge.calibration, s.id, s.versions.empty() ? "" : s.versions.back());
    for (const EngineTimes& e : table.by_generation) {
      CHECK((e.layer > 0.0 && e.step > 0.0 && e.sequence > 0.0));
      CHECK((e.bandwidth > 0.0 && e.prefill_flops > 0.0 && e.attention_decode > 0.0 && e.attention_prefill > 0.0));
      CHECK((e.chunk >= 1.0 && e.drafted >= 1.0));
    }
  }
}

TEST_CASE("graphics and data-centre parts of one architecture are told apart") {
  CHECK(generation_of(gpu("nvidia-a100-sxm4-80gb")) == Generation::ampere);
  CHECK(generation_of(gpu("nvidia-rtx3090-24gb")) == Generation::ampere_gddr);
  CHECK(generation_of(gpu("nvidia-b200-sxm-180gb")) == Generation::blackwell);
  CHECK(generation_of(gpu("nvidia-rtx5090-32gb")) == Generation::blackwell_gddr);
  CHECK(generation_of(gpu("nvidia-gh200-96gb")) == Generation::hopper);
  CHECK(generation_of(gpu("amd-mi300x-192gb")) == Generation::cdna3);
}
