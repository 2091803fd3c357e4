#pragma once
/// The link: "#v1?m=…&t=…" — readable, canonical (sorted, defaults left out), stable over versions. In the fragment, so no server sees it.
#include <string>
#include <string_view>
#include <vector>

#include "core/explain.hpp"
#include "core/result.hpp"
#include "core/scenario/scenario.hpp"

namespace gpuplan {

inline constexpr int link_version = 1;
inline constexpr std::size_t max_link_bytes = 512u * 1024u;

/// The one link of a scenario, starting with "#v1?".
std::string encode_link(const Scenario&);

/// What a link says. Parts that cannot be read are left out and named in notes (code "link-…"): the rest of the scenario stays.
struct DecodedLink {
  Scenario scenario;
  std::vector<Note> notes;
};

/// Accepts a whole URL, a fragment or the part after '#'. Fails only when nothing can be read: no version, a newer version, too long.
Result<DecodedLink> decode_link(std::string_view link);

}  // namespace gpuplan
