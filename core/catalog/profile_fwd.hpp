#pragma once
/// A measured profile of one machine, defined in core/catalog/profile.hpp.
namespace gpuplan {
struct Profile;
}
