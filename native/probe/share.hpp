#pragma once
/// The page's link with a profile inside.
#include <string>

#include "core/catalog/profile.hpp"

namespace gpuplan::probe {

/// Link of the compact profile: `page` (an address, may be empty) and the fragment "#v1?…" that the core's codec writes.
std::string profile_link(const Profile&, const std::string& page);

/// The link with no more than `most_bytes`: least important figures are left out one after the other (pageable copies, staged peers,
/// collectives, host copies, types of little use) until it is short enough; "" when even the essentials are too long.
std::string short_profile_link(const Profile&, const std::string& page, std::size_t most_bytes);

}  // namespace gpuplan::probe
