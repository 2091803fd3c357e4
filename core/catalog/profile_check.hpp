#pragma once
/// What the single fields of a profile cannot say: the order of sizes, the lengths of tables, figures that contradict each other.
#include <optional>
#include <string>

#include "core/catalog/profile.hpp"

namespace gpuplan::profile_fields {

struct Contradiction { std::string pointer, what; };  ///< pointer below the profile; what completes "… must …"

/// The first contradiction of a profile whose fields are each in range.
std::optional<Contradiction> contradiction(const Profile&);

}  // namespace gpuplan::profile_fields
