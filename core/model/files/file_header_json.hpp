#pragma once
/// A weight file's header as JSON: {"metadata": {key: number, text or list}, "tensors": [[name, type, [rows, columns]], …]}.
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/model/files/header.hpp"

namespace gpuplan {

/// Reads `/model/gguf` or `/model/safetensors` of a scenario; bytes follow from types and shapes.
Result<FileHeader> read_file_header(const nlohmann::json& object, const std::string& format, const std::string& pointer);

/// Bits of one element of a safetensors dtype, 0 when it is unknown.
double safetensors_bits(const std::string& dtype);

}  // namespace gpuplan
