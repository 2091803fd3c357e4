#include <catch2/catch.hpp>

#include "../catalog/shipped.hpp"
#include "core/layout/rules.hpp"

using namespace gpuplan;

namespace {

Refusal serving(const char* engine, const char* card, WeightFormat weights) {
  static const Architecture model{};
  Job job;
  job.model = &model;
  job.software = &shipped().software[static_cast<std::size_t>(*find_software(shipped(), engine, ""))];
  job.weights = weights;
  job.activations = PlainType::fp16;
  return check_job(job, gpu(card));
}

}  // namespace

TEST_CASE("an engine serves a format only on the makers' GPUs that it has kernels for") {
  CHECK(serving("vllm", "a100", WeightFormat::awq) == Refusal::none);
  CHECK(serving("vllm", "mi300x", WeightFormat::awq) == Refusal::weight_format);
  CHECK(serving("sglang", "mi300x", WeightFormat::awq) == Refusal::none);
  CHECK(serving("vllm", "v100", WeightFormat::awq) == Refusal::weight_format);
  CHECK(serving("llama.cpp", "v100", WeightFormat::q4_k_m) == Refusal::none);
}
