#pragma once
/// Files that a person names or drops, for `inspect`: only as much of each is read as its header needs.
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/result.hpp"
#include "core/scenario/knowledge.hpp"

namespace gpuplan::cli {

/// An existing path, or a name with the ending of a file that `inspect` reads; else it is the id of a model.
bool looks_like_file(const std::string& name);

/// The answer of inspect for these files. One part of a split model stands for all that lie beside it, and a config.json beside safetensors is read too.
Result<nlohmann::json> inspect_paths(const Knowledge&, const std::vector<std::string>& paths);

}  // namespace gpuplan::cli
