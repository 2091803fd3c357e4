#include "core/scenario/described_machine.hpp"

#include <algorithm>

#include "core/catalog/profile_gpu.hpp"

namespace gpuplan {
namespace {

using namespace literals;

FlopsPerSecond tflops(const std::optional<double>& v) { return v ? *v * 1_TFLOPS : FlopsPerSecond{}; }

std::shared_ptr<const Gpu> card_of(const GpuSpec& spec) {
  auto gpu = std::make_shared<Gpu>();
  gpu->id = gpu->name = "custom";
  gpu->vendor = "NVIDIA";
  gpu->architecture = "custom";
  gpu->memory_usable = gpu->memory_advertised = spec.memory_gib * 1_GiB;
  gpu->memory_usable_measured = true;
  gpu->memory_bandwidth = spec.bandwidth_GBps * 1_GBps;
  const auto set = [&](Arithmetic a, const std::optional<double>& v) { gpu->dense[static_cast<std::size_t>(a)] = tflops(v); };
  set(Arithmetic::fp32, spec.tflops_fp32);
  set(Arithmetic::fp16, spec.tflops_fp16 ? spec.tflops_fp16 : spec.tflops_bf16);
  set(Arithmetic::bf16, spec.tflops_bf16);
  set(Arithmetic::fp8, spec.tflops_fp8);
  set(Arithmetic::int8, spec.tflops_int8);
  set(Arithmetic::fp4, spec.tflops_fp4);
  gpu->compute_capability_major = spec.tflops_fp8 ? 9 : spec.tflops_bf16 ? 8 : 7;
  gpu->scale_up = spec.link_GBps > 0.0 ? ScaleUp::switched : ScaleUp::pcie;
  gpu->scale_up_each_way = spec.link_GBps * 1_GBps;
  gpu->scale_up_max = Gpus{spec.link_GBps > 0.0 ? 8 : 1};
  gpu->pcie_each_way = spec.pcie_GBps > 0.0 ? spec.pcie_GBps * 1_GBps : 32_GBps;
  return gpu;
}

/// The offer whose node is built around this GPU with the most GPUs and the fastest network, where the catalog knows no usual machine.
const Instance* biggest_offer(const Catalog& catalog, int gpu) {
  const Instance* best = nullptr;
  const auto better = [](const Instance& a, const Instance& b) {
    if (a.gpus != b.gpus) return a.gpus > b.gpus;
    return a.scale_out_per_node_each_way > b.scale_out_per_node_each_way;
  };
  for (const Instance& i : catalog.instances) {
    if (i.gpu == gpu && i.gpus.n <= 16 && (!best || better(i, *best))) best = &i;
  }
  return best;
}

const Instance* usual_node(const Catalog& catalog, int gpu) {
  const Instance* known = reference_node(catalog, gpu);
  return known ? known : biggest_offer(catalog, gpu);
}

/// GPUs that reach each other directly: the machine's own, but only the pair of a bridge, and the whole rack where the fabric leaves the machine.
Gpus domain_of(const Gpu& gpu, const Instance* node, ScaleUp link, Gpus per_node) {
  if (node && node->scale_up_domain > node->gpus) return std::max(node->scale_up_domain, per_node);
  if (link == ScaleUp::bridge) return std::min(gpu.scale_up_max, per_node);
  return per_node;
}

void wire(Machine& m, const Gpu& gpu, const Instance* node) {
  const bool linked = node && node->scale_up != ScaleUp::none;
  m.gpu = &gpu;
  m.memory_usable = gpu.memory_usable;
  m.scale_up = linked ? node->scale_up : gpu.scale_up;
  m.scale_up_each_way = linked ? node->scale_up_each_way : gpu.scale_up_each_way;
  m.scale_up_domain = domain_of(gpu, node, m.scale_up, m.gpus_per_node);
  m.pcie_each_way = gpu.pcie_each_way;
  if (!node) return;
  m.scale_out = node->scale_out;
  m.scale_out_per_node_each_way = node->scale_out_per_node_each_way;
  m.nics_per_node = node->nics_per_node;
  m.rdma = node->rdma;
}

}  // namespace

namespace {

/// A box of cards that differ: they reach each other through the host, each keeps its own memory.
Result<DescribedMachine> box_of(const Catalog& catalog, const Hardware& hardware) {
  const std::vector<std::string>& ids = hardware.gpus;
  if (hardware.gpu || hardware.gpu_spec || hardware.instance || hardware.profile || hardware.gpus_per_node || hardware.nodes.value_or(1) != 1 || hardware.memory_gib) {
    return Problem{"/hardware/gpus", ProblemCode::conflict, "/hardware/gpus names every card of one box; leave out gpu, gpu_spec, instance, profile, gpus_per_node, memory_gib and further nodes.", {}};
  }
  if (ids.size() > most_devices) {
    return Problem{"/hardware/gpus", ProblemCode::out_of_range, "/hardware/gpus takes at most " + std::to_string(most_devices) + " cards.", {}};
  }
  DescribedMachine out;
  auto cards = std::make_shared<std::vector<Device>>();
  Machine& m = out.machine;
  m.gpus_per_node = Gpus{static_cast<std::int64_t>(ids.size())};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    auto index = find_gpu(catalog, ids[i], "/hardware/gpus/" + std::to_string(i));
    if (!index) return index.problem();
    const Gpu& gpu = catalog.gpus[static_cast<std::size_t>(*index)];
    cards->push_back({&gpu, gpu.memory_usable});
    if (i == 0) wire(m, gpu, nullptr);
    m.pcie_each_way = min(m.pcie_each_way, gpu.pcie_each_way);
  }
  m.scale_up = ids.size() > 1 ? ScaleUp::pcie : ScaleUp::none;
  m.scale_up_domain = m.gpus_per_node;
  m.scale_up_each_way = m.pcie_each_way;
  const bool differ = std::any_of(cards->begin(), cards->end(), [&](const Device& d) { return d.gpu != m.gpu; });
  if (!differ) return out;
  m.devices = cards.get();
  out.devices = std::move(cards);
  return out;
}

}  // namespace

Result<DescribedMachine> describe_machine(const Catalog& catalog, const Hardware& hardware) {
  if (!hardware.gpus.empty()) return box_of(catalog, hardware);
  DescribedMachine out;
  out.machine.gpus_per_node = Gpus{hardware.gpus_per_node.value_or(1)};
  out.machine.nodes = Nodes{hardware.nodes.value_or(1)};
  if (hardware.gpu_spec) {
    out.held = card_of(*hardware.gpu_spec);
    wire(out.machine, *out.held, nullptr);
  } else if (hardware.gpu) {
    auto index = find_gpu(catalog, *hardware.gpu, "/hardware/gpu");
    if (!index) return index.problem();
    wire(out.machine, catalog.gpus[static_cast<std::size_t>(*index)], usual_node(catalog, *index));
  } else if (const int index = gpu_of_profile(catalog, hardware.profile->gpu); index >= 0) {
    wire(out.machine, catalog.gpus[static_cast<std::size_t>(index)], usual_node(catalog, index));
  } else {
    out.held = std::make_shared<const Gpu>(gpu_from_profile(*hardware.profile));
    wire(out.machine, *out.held, nullptr);
  }
  // A machine that joins others needs a network; without a named one, 100 Gbit/s InfiniBand is assumed and said in the notes.
  if (out.machine.scale_out == ScaleOut::none || out.machine.scale_out_per_node_each_way.value <= 0.0) {
    out.machine.scale_out = ScaleOut::infiniband;
    out.machine.scale_out_per_node_each_way = 100_Gbps;
    out.machine.nics_per_node = 1;
    out.machine.rdma = true;
  }
  return out;
}

}  // namespace gpuplan
