#include "core/catalog/profile_gpu.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/catalog/profile_fixture.hpp"
#include "tests/unit/catalog/shipped.hpp"

using namespace gpuplan;

namespace {
std::string found(const char* driver_name, int major, int minor, double reported_gib) {
  MeasuredGpu m;
  m.name = driver_name;
  m.compute_capability_major = major;
  m.compute_capability_minor = minor;
  m.memory_total = Bytes{reported_gib * 1073741824.0};
  const int index = gpu_of_profile(shipped(), m);
  return index < 0 ? "" : shipped().gpus[static_cast<std::size_t>(index)].id;
}
}  // namespace

TEST_CASE("the driver's name, compute capability and memory find the catalog's GPU") {
  CHECK(found("NVIDIA H100 80GB HBM3", 9, 0, 79.1) == "nvidia-h100-sxm-80gb");
  CHECK(found("NVIDIA H100 PCIe", 9, 0, 79.1) == "nvidia-h100-pcie-80gb");
  CHECK(found("NVIDIA H100 NVL", 9, 0, 93.1) == "nvidia-h100-nvl-94gb");
  CHECK(found("NVIDIA H200", 9, 0, 139.8) == "nvidia-h200-sxm-141gb");
  CHECK(found("NVIDIA H200 NVL", 9, 0, 139.8) == "nvidia-h200-nvl-141gb");
  CHECK(found("NVIDIA A100-SXM4-80GB", 8, 0, 79.3) == "nvidia-a100-sxm4-80gb");
  CHECK(found("NVIDIA A100-SXM4-40GB", 8, 0, 39.4) == "nvidia-a100-sxm4-40gb");
  CHECK(found("NVIDIA A100 80GB PCIe", 8, 0, 79.3) == "nvidia-a100-pcie-80gb");
  CHECK(found("NVIDIA A100-PCIE-40GB", 8, 0, 39.4) == "nvidia-a100-pcie-40gb");
  CHECK(found("Tesla V100-SXM2-16GB", 7, 0, 15.8) == "nvidia-v100-sxm2-16gb");
  CHECK(found("Tesla V100-SXM2-32GB", 7, 0, 31.7) == "nvidia-v100-sxm2-32gb");
  CHECK(found("Tesla T4", 7, 5, 14.6) == "nvidia-t4");
  CHECK(found("NVIDIA L4", 8, 9, 22.0) == "nvidia-l4");
  CHECK(found("NVIDIA L40S", 8, 9, 44.4) == "nvidia-l40s");
  CHECK(found("NVIDIA A10G", 8, 6, 22.1) == "nvidia-a10g");
  CHECK(found("NVIDIA GeForce RTX 4090", 8, 9, 23.5) == "nvidia-rtx4090-24gb");
  CHECK(found("NVIDIA GeForce RTX 4090 D", 8, 9, 23.5) == "nvidia-rtx4090d-24gb");
  CHECK(found("NVIDIA GeForce RTX 4070 Ti SUPER", 8, 9, 15.7) == "nvidia-rtx4070tisuper-16gb");
  CHECK(found("NVIDIA RTX 6000 Ada Generation", 8, 9, 47.4) == "nvidia-rtx6000ada-48gb");
  CHECK(found("Quadro RTX 6000", 7, 5, 23.6) == "nvidia-quadro-rtx6000-24gb");
  CHECK(found("NVIDIA RTX A6000", 8, 6, 47.4) == "nvidia-a6000-48gb");
  CHECK(found("NVIDIA B200", 10, 0, 178.4) == "nvidia-b200-sxm-180gb");
  CHECK(found("NVIDIA GH200 480GB", 9, 0, 94.5) == "nvidia-gh200-96gb");
  CHECK(found("NVIDIA RTX PRO 6000 Blackwell Server Edition", 12, 0, 94.9) == "nvidia-rtxpro6000-bse-96gb");
}

TEST_CASE("a slice of a GPU, or an unknown one, is none of the catalog") {
  CHECK(found("NVIDIA H100 80GB HBM3 MIG 1g.10gb", 9, 0, 9.5).empty());
  CHECK(found("NVIDIA X9000", 9, 0, 80.0).empty());
  CHECK(found("", 9, 0, 80.0).empty());
}

TEST_CASE("an id in the profile wins over the driver's name") {
  MeasuredGpu m;
  m.name = "NVIDIA A100-SXM4-80GB";
  m.id = "nvidia-l4";
  CHECK(shipped().gpus[static_cast<std::size_t>(gpu_of_profile(shipped(), m))].id == "nvidia-l4");
  m.id = "no-such-gpu";
  CHECK(gpu_of_profile(shipped(), m) == -1);
}

TEST_CASE("deviations put measured figures beside the datasheet's") {
  Gpu g;
  g.memory_advertised = Bytes{85e9};
  g.memory_bandwidth = BytesPerSecond{3.35e12};
  g.dense[static_cast<std::size_t>(Arithmetic::bf16)] = FlopsPerSecond{989e12};
  const std::vector<Deviation> d = deviations(fixture::full_profile(), g);
  REQUIRE(d.size() == 3);  // the datasheet says nothing about fp8 here
  CHECK(d[0].figure == "memory_usable");
  CHECK(d[1].ratio() == Approx(3e12 / 3.35e12));
  CHECK(d[2].figure == "bf16");
  CHECK(d[2].ratio() == Approx(700.0 / 989.0));
}

TEST_CASE("a GPU that no catalog knows is described by what was measured on it") {
  const Gpu g = gpu_from_profile(fixture::full_profile());
  CHECK(g.name == "Example GPU 80GB");
  CHECK(g.memory_usable == Bytes{84e9});
  CHECK(g.memory_bandwidth == BytesPerSecond{3e12});
  CHECK(g.rate(Arithmetic::bf16) == FlopsPerSecond{7e14});
  CHECK(g.rate(Arithmetic::fp32).value == 0.0);
  CHECK(g.scale_up_each_way == BytesPerSecond{3.7e11});
  CHECK(g.scale_up == ScaleUp::bridge);  // one pair of four GPUs has the fast link
  CHECK(g.pcie_each_way == BytesPerSecond{5.5e10});
}
