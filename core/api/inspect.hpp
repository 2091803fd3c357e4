#pragma once
/// The operation `inspect`: what a configuration, a weight file's header, a profile or a model id describes.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/model/files/header.hpp"
#include "core/result.hpp"
#include "core/scenario/knowledge.hpp"

namespace gpuplan {

/// The first bytes of a file; `file_bytes` is the size of the whole file.
struct FileStart {
  std::string name;
  std::string_view bytes;
  std::uint64_t file_bytes = 0;
  const FileHeader* header = nullptr;  ///< when the caller has read it already; then `bytes` may be empty
};

/// Answers for files at hand: parts of one GGUF or safetensors model (a config.json may be beside them), one config.json, one index, one profile.
/// When a header goes on behind the given bytes, the answer is {"need": {"file": index, "bytes": first bytes needed}}.
Result<nlohmann::json> inspect_files(const Knowledge&, const std::vector<FileStart>&);

/// One of: "id", "text" (of a JSON file), "hf_config", "architecture", "gguf", "safetensors" (objects), or
/// "files": [{"name", "base64": first bytes, "file_bytes"}].
///
/// A header longer than a request may be is read in pieces: `need` then also holds "from" (offset of the next byte), "piece" (how many bytes to give) and
/// "states" (one per file). The next request gives each file its state back, and to the one that needed it {"base64": bytes from "from" on}.
Result<nlohmann::json> inspect(const Knowledge&, const nlohmann::json& request);

/// The "files" of a request.
Result<nlohmann::json> inspect_encoded(const Knowledge&, const nlohmann::json& list);

}  // namespace gpuplan
