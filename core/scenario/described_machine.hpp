#pragma once
/// A machine that no provider offers: a GPU of the catalog or a described card, as it is usually built.
#include <memory>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/layout/job.hpp"
#include "core/result.hpp"
#include "core/scenario/scenario.hpp"

namespace gpuplan {

struct DescribedMachine {
  std::shared_ptr<const Gpu> held;  ///< a described card; empty for one of the catalog
  std::shared_ptr<const std::vector<Device>> devices;  ///< of a box whose cards differ
  Machine machine;
};

/// From hardware.gpu, hardware.gpus, hardware.gpu_spec or the GPU that hardware.profile was measured on: links of the GPU's usual node, one network port of its class per node.
Result<DescribedMachine> describe_machine(const Catalog&, const Hardware&);

}  // namespace gpuplan
