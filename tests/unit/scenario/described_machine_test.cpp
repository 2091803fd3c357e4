#include "core/scenario/described_machine.hpp"

#include <catch2/catch.hpp>

#include "../catalog/shipped.hpp"

using namespace gpuplan;
using namespace gpuplan::literals;

namespace {

Machine machine(const char* gpu, std::int64_t per_node, std::int64_t nodes = 1) {
  Hardware hardware;
  hardware.gpu = gpu;
  hardware.gpus_per_node = per_node;
  hardware.nodes = nodes;
  return describe_machine(shipped(), hardware)->machine;
}

}  // namespace

TEST_CASE("eight H100 without a provider are wired like an HGX board") {
  const Machine m = machine("h100", 8, 2);
  CHECK(m.scale_up == ScaleUp::switched);
  CHECK(m.scale_up_domain == Gpus{8});
  CHECK(m.scale_up_each_way == 450_GBps);
  CHECK(m.scale_out_per_node_each_way == 400_GBps);
}

TEST_CASE("NVLink ends at the machine: one GPU in each of eight nodes meet over the network") {
  CHECK(machine("h100", 1, 8).scale_up_domain == Gpus{1});
  CHECK(machine("h100", 4, 2).scale_up_domain == Gpus{4});
}

TEST_CASE("only a rack's fabric joins machines") { CHECK(machine("gb200", 4, 18).scale_up_domain == Gpus{72}); }

TEST_CASE("eight bridged 3090 are fast in pairs, and PCIe cards reach each other over PCIe") {
  const Machine bridged = machine("rtx3090", 8);
  CHECK(bridged.scale_up == ScaleUp::bridge);
  CHECK(bridged.scale_up_domain == Gpus{2});
  const Machine cards = machine("a100-pcie-80gb", 8);
  CHECK(cards.scale_up == ScaleUp::pcie_p2p);
  CHECK(cards.scale_up_each_way == cards.pcie_each_way);
}
