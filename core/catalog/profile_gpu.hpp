#pragma once
/// A measured GPU beside the catalog: which accelerator it is, and how far it is from its datasheet.
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/catalog/profile.hpp"

namespace gpuplan {

/// Index of the catalog's GPU: by id where the profile names one, else by the driver's name among those of the same compute capability and
/// memory size (within 12 %); −1 when none is alike.
int gpu_of_profile(const Catalog&, const MeasuredGpu&);

/// The accelerator that the profile itself describes, for one that no catalog knows: measured rates stand where a datasheet's would.
Gpu gpu_from_profile(const Profile&);

/// One measured figure beside the datasheet's.
struct Deviation {
  std::string figure;     ///< "memory_usable", "memory_bandwidth", or "bf16" … for the large-M rate of products
  std::string unit;       ///< "B", "B/s", "flop/s"
  double measured = 0.0, datasheet = 0.0;
  double ratio() const { return measured / datasheet; }
};

/// Every figure that both sides know: usable memory ÷ advertised, best sustained memory bandwidth, dense rate per type.
std::vector<Deviation> deviations(const Profile&, const Gpu&);

}  // namespace gpuplan
