#include <catch2/catch.hpp>
#include <set>

#include "shipped.hpp"

using namespace gpuplan;
using namespace gpuplan::literals;

TEST_CASE("the shipped catalog loads") {
  const Result<Catalog> catalog = load_shipped();
  if (!catalog) FAIL(catalog.problem().pointer << ": " << catalog.problem().message);
  CHECK(catalog->gpus.size() >= 161);
  CHECK(catalog->instances.size() >= 800);
  CHECK(catalog->software.size() == 15);
}

TEST_CASE("an H100 SXM is what its datasheet says, dense and per GPU") {
  const Gpu& h100 = gpu("nvidia-h100-sxm-80gb");
  CHECK(h100.rate(Arithmetic::bf16).value == Approx(989.4e12));
  CHECK(h100.rate(Arithmetic::fp8).value == Approx(1978.9e12));
  CHECK(h100.memory_bandwidth.value == Approx(3.35e12));
  CHECK(h100.memory_advertised == 80_GB);
  CHECK(h100.scale_up_each_way == 450_GBps);
  CHECK(h100.compute_capability_major == 9);
  CHECK(h100.memory_usable > 79_GiB);
  CHECK(h100.memory_usable < 80_GiB);
  CHECK(h100.memory_usable_measured);
}

TEST_CASE("GeForce cards halve with fp32 accumulation: the rate that training and serving see") {
  CHECK(gpu("RTX 4090").rate(Arithmetic::fp16).value == Approx(165.2e12));
  CHECK(gpu("RTX 4090").rate(Arithmetic::fp8).value == Approx(330.3e12));
  CHECK(gpu("RTX 3090").rate(Arithmetic::bf16).value == Approx(71.3e12));
}

TEST_CASE("cards with inline ECC keep a sixteenth of their memory and the driver keeps a little more") {
  CHECK(gpu("L4").memory_usable.value / (24_GiB).value == Approx(0.923).margin(0.005));
  CHECK(gpu("T4").memory_usable.value / (16_GiB).value == Approx(0.921).margin(0.005));
  CHECK(gpu("A40").memory_usable.value / (48_GiB).value == Approx(0.928).margin(0.005));
}

TEST_CASE("an AWS p5 is eight H100 behind NVSwitch with 3.2 Tb/s of EFA") {
  const Instance& p5 = offer("aws:p5.48xlarge");
  CHECK(p5.provider == "AWS");
  CHECK(shipped().gpus[static_cast<std::size_t>(p5.gpu)].id == "nvidia-h100-sxm-80gb");
  CHECK(p5.gpus == Gpus{8});
  CHECK(p5.scale_up_domain == Gpus{8});
  CHECK(p5.scale_up == ScaleUp::switched);
  CHECK(p5.scale_out == ScaleOut::efa);
  CHECK(p5.scale_out_per_node_each_way == 400_GBps);
  CHECK(p5.nics_per_node == 32);
  CHECK(p5.rdma);
  CHECK(p5.host_memory == 2048_GiB);
  CHECK(p5.price_per_hour(Pricing::on_demand) == Approx(55.04));
  CHECK(p5.price_date == "2026-07-20");
}

TEST_CASE("AWS wires eight PCIe lanes to the cards of its G machines") {
  CHECK(offer("aws:g6.xlarge").pcie_each_way.value == Approx(15.75e9).epsilon(0.001));
  CHECK(offer("aws:g5.xlarge").pcie_each_way.value == Approx(15.75e9).epsilon(0.001));
  CHECK(offer("aws:g7e.48xlarge").pcie_each_way.value == Approx(63e9).epsilon(0.001));
}

TEST_CASE("a rack of GB200 is one domain of 72 GPUs though a machine has four") {
  const Instance& tray = offer("oci:BM.GPU.GB200.4");
  CHECK(tray.gpus == Gpus{4});
  CHECK(tray.scale_up_domain == Gpus{72});
}

TEST_CASE("bridged cards are fast in pairs only") {
  const Instance& box = offer("hyperstack:n3-A100x8-NVLink");
  CHECK(box.scale_up == ScaleUp::bridge);
  CHECK(box.gpus == Gpus{8});
  CHECK(box.scale_up_domain == Gpus{2});
  CHECK(box.scale_up_each_way == 300_GBps);
}

TEST_CASE("GPUs without a link of their own reach each other over PCIe") {
  const Instance& box = offer("aws:g6e.48xlarge");
  CHECK(box.scale_up_domain == Gpus{8});
  CHECK(box.scale_up_each_way == box.pcie_each_way);
}

TEST_CASE("GPUDirect-TCPX is fast but no RDMA; Alibaba's eRDMA is") {
  CHECK(offer("gcp:a3-highgpu-8g").scale_out == ScaleOut::gpudirect_tcpx);
  CHECK_FALSE(offer("gcp:a3-highgpu-8g").rdma);
  CHECK(offer("alibaba:ecs.gn8v-8x.48xlarge").rdma);
}

TEST_CASE("a share of a card is a GPU with its share of memory, rates and bandwidth") {
  const Gpu& part = gpu("nvidia-l4-share-1-4");
  CHECK(part.card == "nvidia-l4");
  CHECK(part.memory_usable.value == Approx(gpu("nvidia-l4").memory_usable.value / 4));
  CHECK(part.rate(Arithmetic::bf16).value == Approx(gpu("nvidia-l4").rate(Arithmetic::bf16).value / 4));
  CHECK(shipped().gpus[static_cast<std::size_t>(offer("aws:g6f.2xlarge").gpu)].id == part.id);
}

TEST_CASE("Chinese clouds keep CNY, unpriced offers stay and say so") {
  const Instance& alibaba = offer("alibaba:ecs.ebmgn7.26xlarge");
  CHECK(alibaba.in_china);
  CHECK(alibaba.currency == "CNY");
  CHECK(alibaba.price_per_hour(Pricing::on_demand) == Approx(252.6667));
  CHECK(usd_per_unit(shipped(), "CNY") > 0.1);
  CHECK(usd_per_unit(shipped(), "CNY") < 0.2);
  CHECK(offer("volcengine:ecs.ebmhpcpni2l.32xlarge").price_per_hour(Pricing::on_demand) == 0.0);
  CHECK(usd_per_unit(shipped(), "XXX") == 0.0);
}

TEST_CASE("an undated price has no date; a masked GPU name is marked") {
  CHECK(offer("lambda:gpu_1x_a100").price_date.empty());
  CHECK(offer("alibaba:ecs.gn8v-8x.48xlarge").gpu_inferred);
  CHECK_FALSE(offer("aws:p5.48xlarge").gpu_inferred);
}

TEST_CASE("the usual machine of a GPU is known without any offer") {
  const Instance* node = reference_node(shipped(), *find_gpu(shipped(), "h100", ""));
  REQUIRE(node != nullptr);
  CHECK(node->gpus == Gpus{8});
  CHECK(node->scale_out_per_node_each_way == 400_GBps);
  for (const Instance& sold : shipped().instances) CHECK(provider_of(sold) != "reference");
}

TEST_CASE("every offer has an id of its own") {
  std::set<std::string> ids;
  for (const Instance& each : shipped().instances) CHECK(ids.insert(each.id).second);
}

TEST_CASE("four bridged H200 NVL are one domain, bridged A100 only pairs") {
  CHECK(reference_node(shipped(), *find_gpu(shipped(), "h200-nvl", ""))->scale_up_domain == Gpus{4});
  CHECK(offer("azure:Standard_NC96ads_A100_v4").scale_up_domain == Gpus{2});
}

TEST_CASE("an UltraServer joins 64 Trainium2 over NeuronLink") {
  CHECK(offer("aws:trn2u.48xlarge").scale_up_domain == Gpus{64});
  CHECK(offer("aws:trn2.48xlarge").scale_up_domain == Gpus{16});
}

TEST_CASE("a module of two dies is two GPUs of 64 GB, by its old name too; four MI250X are a node of eight") {
  for (const char* name : {"MI250", "MI250X", "amd-mi250x-128gb", "910C", "huawei-ascend-910c-128gb"}) {
    const auto found = find_gpu(shipped(), name, "");
    INFO(name);
    REQUIRE(found);
    CHECK(shipped().gpus[static_cast<std::size_t>(*found)].memory_usable < 70_GB);
  }
  CHECK(reference_node(shipped(), *find_gpu(shipped(), "MI250X", ""))->gpus == Gpus{8});
}

TEST_CASE("where several GPUs share a kind of machine, each has its own links") {
  CHECK(reference_node(shipped(), *find_gpu(shipped(), "p100-sxm2-16gb", ""))->scale_up_each_way == 80_GBps);
  CHECK(reference_node(shipped(), *find_gpu(shipped(), "v100", ""))->scale_up_each_way == 150_GBps);
  CHECK(reference_node(shipped(), *find_gpu(shipped(), "rtx5090", ""))->scale_up_each_way.value == Approx(63.015e9));
}
