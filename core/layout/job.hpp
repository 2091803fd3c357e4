#pragma once
/// A scenario with every choice made but the layout: what to run (Job) and where (Machine).
#include <cstdint>
#include <string>
#include <vector>

#include "core/calibration.hpp"
#include "core/catalog/catalog.hpp"
#include "core/catalog/profile_fwd.hpp"
#include "core/model/tensors.hpp"
#include "core/scenario/scenario.hpp"

namespace gpuplan {

/// What to run. Pointers are borrowed from the context (catalogs) or from the scenario and outlive every estimate.
struct Job {
  const Architecture* model = nullptr;
  const Software* software = nullptr;
  std::string software_version;
  Task task = Task::inference;
  WeightFormat weights = WeightFormat::bf16;  ///< of the (frozen) base model
  KvFormat kv_cache = KvFormat::bf16;         ///< never automatic
  PlainType activations = PlainType::bf16;    ///< compute type: bf16, fp16, fp32 or fp8 GEMMs
  PlainType gradients = PlainType::automatic, master_weights = PlainType::automatic;  ///< automatic = the software's recipe
  Optimizer optimizer = Optimizer::adamw;
  Workload workload;
  const Calibration* calibration = nullptr;
};

/// One card of a box whose cards differ.
struct Device {
  const Gpu* gpu = nullptr;
  Bytes memory_usable;
};
inline constexpr std::size_t most_devices = 8;  ///< different cards that one box may have

/// One accelerator with its links, as wired in this machine; catalog figures or, where `profile` is set, measured ones.
struct Machine {
  const Gpu* gpu = nullptr;
  const Profile* profile = nullptr;
  Gpus gpus_per_node{1};
  Nodes nodes{1};
  Bytes memory_usable;       ///< per GPU
  Bytes host_memory;         ///< per node; 0 = unknown
  ScaleUp scale_up = ScaleUp::none;
  Gpus scale_up_domain{1};
  BytesPerSecond scale_up_each_way;            ///< per GPU
  BytesPerSecond pcie_each_way;                ///< per GPU
  ScaleOut scale_out = ScaleOut::none;
  BytesPerSecond scale_out_per_node_each_way;
  int nics_per_node = 0;
  bool rdma = false;
  const std::vector<Device>* devices = nullptr;  ///< cards that differ: `gpu` is the first, each has its own memory; null: all alike

  Gpus gpus() const { return nodes * gpus_per_node; }
  friend bool operator==(const Machine&, const Machine&) = default;
};

}  // namespace gpuplan
