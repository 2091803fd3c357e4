#pragma once
/// Files: whole or not at all.
#include <optional>
#include <string>

#include "core/result.hpp"

namespace gpuplan::probe {

/// Says in one sentence why `path` cannot be written; nothing when it can. Leaves an existing file as it is.
std::optional<std::string> cannot_write(const std::string& path);
/// Writes beside the target and renames, so that a reader sees the old file or the whole new one. Returns the problem, if any.
std::optional<std::string> write_whole(const std::string& path, const std::string& text);
/// Reads a file of at most `most` bytes.
Result<std::string> read_small(const std::string& path, std::size_t most);

}  // namespace gpuplan::probe
