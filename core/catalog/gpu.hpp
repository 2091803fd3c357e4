#pragma once
/// One accelerator: the figures that estimates need, each dense, per GPU and in SI units. Sources live in the catalog's source table.
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "core/counts.hpp"
#include "core/units.hpp"

namespace gpuplan {

/// Arithmetic types that have their own peak rate on an accelerator.
enum class Arithmetic { fp64, fp32, tf32, fp16, bf16, fp8, fp6, fp4, int8, int4 };
inline constexpr int arithmetic_count = 10;

/// How GPUs of one node reach each other.
enum class ScaleUp {
  none,       ///< single GPU
  pcie,       ///< PCIe through the host, no peer link
  pcie_p2p,   ///< PCIe with peer access
  bridge,     ///< NVLink bridge: a full-speed pair (or four), PCIe between pairs
  mesh,       ///< direct links, some pairs faster than others (NVLink 1/2 hybrid mesh)
  switched,   ///< any-to-any through switches (NVSwitch)
  all_to_all  ///< direct link from every GPU to every other (xGMI, HCCS): a pair sees only its share
};

/// How nodes reach each other.
enum class ScaleOut { none, tcp, efa, roce, infiniband, gpudirect_tcpx, ici };

/// One accelerator of the catalog.
struct Gpu {
  std::string id, name, vendor, architecture;  ///< id as in api.md, for example "nvidia-h100-sxm-80gb"
  std::vector<std::string> aliases;
  std::string form_factor, memory_type;
  std::string compute_capability;  ///< as the vendor writes it: "9.0", "gfx942", ""
  int compute_capability_major = 0, compute_capability_minor = 0;  ///< NVIDIA only, 0 elsewhere
  int year = 0;
  bool announced_only = false;

  Bytes memory_advertised;      ///< as sold ("80 GB"), in bytes
  Bytes memory_usable;          ///< what the driver reports as total; derived from the advertised size where nobody read it
  bool memory_usable_measured = false;
  bool serves_only = false;     ///< made for inference: its maker has no training stack for it
  bool unified_memory = false;  ///< memory shared with the host (Apple, Jetson, GB10, Strix Halo)
  BytesPerSecond memory_bandwidth;

  std::array<FlopsPerSecond, arithmetic_count> dense{};  ///< peak dense rate with fp32 accumulation where that differs; 0 = not there
  std::array<FlopsPerSecond, arithmetic_count> measured_matmul{};  ///< best published achieved matmul rate; 0 = unknown

  ScaleUp scale_up = ScaleUp::none;
  std::string scale_up_technology;     ///< as the vendor calls it, "NVLink/NVSwitch 4"
  BytesPerSecond scale_up_each_way;    ///< per GPU, one direction; 0 where the card has no link but PCIe
  Gpus scale_up_max{1};                ///< GPUs that one scale-up domain can hold
  BytesPerSecond pcie_each_way;        ///< host link, one direction, raw
  double tdp_watts = 0.0;

  std::string card;     ///< id of the whole card when this is a share of one (vGPU), else ""
  double share = 1.0;   ///< part of the card; memory, rates and bandwidth above are already those of the share [M-vgpu]

  std::string kinds;    ///< one letter per figure of gpu_figures(): d(atasheet) m(easured) r (derived) a(ssumed) - (none)
  std::string sources;  ///< source keys of the row, separated by spaces

  FlopsPerSecond rate(Arithmetic a) const { return dense[static_cast<std::size_t>(a)]; }
  bool has(Arithmetic a) const { return rate(a).value > 0.0; }
};

}  // namespace gpuplan
