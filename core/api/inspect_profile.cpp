#include "core/api/inspect_profile.hpp"

#include <nlohmann/json.hpp>

#include "core/catalog/profile_gpu.hpp"

namespace gpuplan {

using nlohmann::json;

json inspect_profile(const Catalog& catalog, const Profile& profile) {
  json out{{"kind", "profile"}, {"profile", write_profile(profile)}, {"gpu", nullptr}, {"figures", json::array()}, {"deviations", json::array()}, {"assumptions", json::array()}};
  // Beside itself every figure that was measured has its partner.
  for (const Deviation& d : deviations(profile, gpu_from_profile(profile))) out["figures"].push_back({{"figure", d.figure}, {"unit", d.unit}, {"measured", d.measured}});
  const int index = gpu_of_profile(catalog, profile.gpu);
  if (index < 0) return out;
  const Gpu& gpu = catalog.gpus[static_cast<std::size_t>(index)];
  out["gpu"] = gpu.id;
  for (const Deviation& d : deviations(profile, gpu)) {
    out["deviations"].push_back({{"figure", d.figure}, {"unit", d.unit}, {"measured", d.measured}, {"datasheet", d.datasheet}, {"ratio", d.ratio()}});
  }
  return out;
}

}  // namespace gpuplan
