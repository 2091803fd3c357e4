#pragma once
/// A weight file's header as JSON: {"metadata": {key: number, text or list}, "tensors": [[name, type, [rows, columns]], …]}.
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/model/files/header.hpp"

namespace gpuplan {

/// Reads `/model/gguf` or `/model/safetensors` of a scenario; bytes follow from types and shapes.
Result<FileHeader> read_file_header(const nlohmann::json& object, const std::string& format, const std::string& pointer);

nlohmann::json write_file_header(const FileHeader&);
/// One value of the metadata: a number, a text, a list of numbers, or {"length", "numbers"} of an array that is not kept whole.
nlohmann::json write_meta_value(const MetaEntry&);
std::optional<MetaEntry> read_meta_value(const std::string& key, const nlohmann::json& value);

/// Bits of one element of a safetensors dtype, 0 when it is unknown.
double safetensors_bits(const std::string& dtype);

}  // namespace gpuplan
