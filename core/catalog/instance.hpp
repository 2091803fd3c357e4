#pragma once
/// One offer of one provider: a machine with GPUs, its links and its price.
#include <string>

#include "core/catalog/gpu.hpp"

namespace gpuplan {

enum class ProviderClass { hyperscaler, gpu_cloud, marketplace, owned };

/// Kinds of price; an offer may lack any of them.
enum class Pricing { on_demand, spot, reserved, owned };

struct Instance {
  std::string id;        ///< "aws:p5.48xlarge"
  std::string provider;  ///< as shown, "AWS"
  std::string type;      ///< "p5.48xlarge"
  std::string region;    ///< region of the price, "" when the source named none
  bool in_china = false;
  ProviderClass provider_class = ProviderClass::gpu_cloud;
  int gpu = -1;                 ///< index into Catalog::gpus
  bool gpu_inferred = false;    ///< the provider masks the name: what we infer, not what it says
  Gpus gpus{1};                 ///< per node
  /// GPUs that reach each other over the scale-up fabric: all of a node, also over PCIe; 2 for bridged pairs (PCIe between pairs); 72 in an
  /// NVL72 rack and the whole slice of a TPU, even when a node has 4.
  Gpus scale_up_domain{1};
  ScaleUp scale_up = ScaleUp::none;
  BytesPerSecond scale_up_each_way;       ///< per GPU, one direction
  BytesPerSecond pcie_each_way;           ///< per GPU, host link as this machine wires it
  ScaleOut scale_out = ScaleOut::none;
  BytesPerSecond scale_out_per_node_each_way;  ///< all NICs of the node together; 0 = nobody says
  int nics_per_node = 0;
  bool rdma = false;
  int vcpus = 0;
  Bytes host_memory;
  double on_demand_per_hour = 0.0, spot_per_hour = 0.0, reserved_per_hour = 0.0;  ///< in `currency`; 0 = not offered or unknown
  std::string currency;    ///< ISO 4217
  std::string price_date;  ///< ISO date, "" when the source showed none
  bool price_recalled = false;
  double lowest_region_per_hour = 0.0, highest_region_per_hour = 0.0;  ///< on demand, over the regions that the source lists; 0 = unknown

  std::string kinds;           ///< one letter per figure of instance_figures(), as Gpu::kinds
  std::string machine_source;  ///< source keys of the machine's figures, separated by spaces
  std::string price_source;    ///< source keys of the prices
  std::string notes;

  /// Price in the offer's currency, 0 when unknown: what one owns costs the same however others are paid for, what is rented has no owner's rate.
  double price_per_hour(Pricing p) const {
    if (provider_class == ProviderClass::owned) return on_demand_per_hour;
    return p == Pricing::spot ? spot_per_hour : p == Pricing::reserved ? reserved_per_hour : p == Pricing::owned ? 0.0 : on_demand_per_hour;
  }
};

}  // namespace gpuplan
