#include <catch2/catch.hpp>

#include "core/catalog/names.hpp"
#include "shipped.hpp"

using namespace gpuplan;

TEST_CASE("every GPU is found by its id, in any case, with and without the vendor") {
  for (std::size_t at = 0; at < shipped().gpus.size(); ++at) {
    const Gpu& each = shipped().gpus[at];
    CHECK(*find_gpu(shipped(), each.id, "") == static_cast<int>(at));
    std::string upper = each.id;
    for (char& letter : upper) letter = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
    CHECK(*find_gpu(shipped(), upper, "") == static_cast<int>(at));
    const std::string_view bare = without_vendor(each.id, each.vendor);
    if (!bare.empty()) CHECK(shipped().gpus[static_cast<std::size_t>(*find_gpu(shipped(), bare, ""))].id == each.id);
  }
}

TEST_CASE("every alias leads to its GPU: none is given twice") {
  for (const Gpu& each : shipped().gpus) {
    for (const std::string& alias : each.aliases) {
      INFO(alias);
      CHECK(gpu(alias.c_str()).id == each.id);
    }
  }
}

TEST_CASE("the names that drivers print are understood") {
  CHECK(gpu("NVIDIA A100-SXM4-80GB").id == "nvidia-a100-sxm4-80gb");
  CHECK(gpu("NVIDIA GeForce RTX 4090").id == "nvidia-rtx4090-24gb");
  CHECK(gpu("Tesla T4").id == "nvidia-t4");
  CHECK(gpu("NVIDIA H100 80GB HBM3").id == "nvidia-h100-sxm-80gb");
  CHECK(gpu("NVIDIA L40S").id == "nvidia-l40s");
  CHECK(gpu("NVIDIA RTX 6000 Ada Generation").id == "nvidia-rtx6000ada-48gb");
  CHECK(gpu("NVIDIA RTX PRO 6000 Blackwell Workstation Edition").id == "nvidia-rtxpro6000-ws-96gb");
  CHECK(gpu("NVIDIA GeForce RTX 3060").id == "nvidia-rtx3060-12gb");
  CHECK(gpu("AMD Instinct MI300X").id == "amd-mi300x-192gb");
  CHECK(gpu("Tesla V100-SXM2-32GB").id == "nvidia-v100-sxm2-32gb");
  CHECK(gpu("Ascend910B3").id == "huawei-ascend-910b3-64gb");
}

TEST_CASE("a size behind the name must be the card's own") {
  CHECK(gpu("A10G 24GB").id == "nvidia-a10g");
  CHECK(gpu("H20-141GB").id == "nvidia-h20-141gb");
  CHECK(gpu("MI325X 256GB").id == "amd-mi325x-256gb");
  CHECK_FALSE(find_gpu(shipped(), "A10G 48GB", ""));
  CHECK_FALSE(find_gpu(shipped(), "24GB", ""));
}

TEST_CASE("a laptop's card is another card") {
  CHECK_FALSE(find_gpu(shipped(), "NVIDIA GeForce RTX 4070 Laptop GPU", ""));
}

TEST_CASE("a short name means the commonest form of the card") {
  CHECK(gpu("a100").id == "nvidia-a100-sxm4-80gb");
  CHECK(gpu("h100").id == "nvidia-h100-sxm-80gb");
  CHECK(gpu("A100-40GB").id == "nvidia-a100-sxm4-40gb");
  CHECK(gpu("rtx4090").id == "nvidia-rtx4090-24gb");
  CHECK(gpu("910B").id == "huawei-ascend-910b3-64gb");
}

TEST_CASE("an unknown GPU names the field and the nearest ids") {
  const Result<int> found = find_gpu(shipped(), "h1000", "/hardware/gpu");
  REQUIRE_FALSE(found);
  CHECK(found.problem().pointer == "/hardware/gpu");
  CHECK(found.problem().code == ProblemCode::unknown_id);
  REQUIRE_FALSE(found.problem().nearest.empty());
  CHECK(found.problem().nearest[0].find("h100") != std::string::npos);
}

TEST_CASE("an empty or hostile name is unknown, quickly, and not repeated at length") {
  for (const std::string& name : {std::string(), std::string("---"), std::string(1000000, 'a')}) {
    const Result<int> found = find_gpu(shipped(), name, "/hardware/gpu");
    REQUIRE_FALSE(found);
    CHECK(found.problem().message.size() < 300);
  }
}

TEST_CASE("instances are found by provider and type in any case, and punctuation counts") {
  CHECK(offer("AWS:P5.48XLARGE").id == "aws:p5.48xlarge");
  CHECK_FALSE(find_instance(shipped(), "aws:p548xlarge", "/hardware/instance"));
  const Result<int> found = find_instance(shipped(), "aws:p5.48xlrge", "/hardware/instance");
  REQUIRE_FALSE(found);
  CHECK(found.problem().nearest[0] == "aws:p5.48xlarge");
}

TEST_CASE("software is found in any case") {
  CHECK(shipped().software[static_cast<std::size_t>(*find_software(shipped(), "vLLM", ""))].id == "vllm");
  CHECK(shipped().software[static_cast<std::size_t>(*find_software(shipped(), "Llama.cpp", ""))].id == "llama.cpp");
  CHECK_FALSE(find_software(shipped(), "vlm", "/software"));
}
