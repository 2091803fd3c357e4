#pragma once
/// The answer of inspect for a measured profile: the profile, the catalog's GPU that it was measured on, and how far it is from the datasheet.
#include <nlohmann/json_fwd.hpp>

#include "core/catalog/catalog.hpp"
#include "core/catalog/profile.hpp"

namespace gpuplan {

/// {"kind": "profile", "profile", "gpu": id or null, "deviations": [{"figure", "unit", "measured", "datasheet", "ratio"}], "assumptions": []}
nlohmann::json inspect_profile(const Catalog&, const Profile&);

}  // namespace gpuplan
