#pragma once
/// What the header of a weight file tells: some metadata, and each tensor's name, type and shape.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gpuplan {

/// A metadata value as far as an architecture needs it: numbers and truth values as a list, texts by themselves.
struct MetaEntry {
  std::string key;
  std::vector<double> numbers;  ///< one for a scalar
  std::string text;
  bool is_text = false;
  std::uint64_t length = 1;     ///< entries of an array, kept or not
};

struct FileTensor {
  std::string name;
  std::string type;                  ///< "q4_k", "bf16", "f8_e4m3" …
  std::vector<std::int64_t> shape;   ///< slowest dimension first: rows, columns of a matrix
  double elements = 0.0;             ///< weights: packed formats count their unpacked elements where the type says so
  double bytes = 0.0;
};

struct FileHeader {
  std::string format;                ///< "gguf", "safetensors"
  int version = 0;
  bool big_endian = false;
  std::uint64_t header_bytes = 0;    ///< where the tensor data begins
  std::int64_t part = 0, parts = 1;  ///< of a split file
  std::vector<MetaEntry> metadata;
  std::vector<FileTensor> tensors;

  const MetaEntry* find(std::string_view key) const;
  double bytes() const;              ///< of all tensors
  double elements() const;
};

/// Either the header, or how many of the file's first bytes are needed to read it.
struct HeaderRead {
  std::optional<FileHeader> header;
  std::uint64_t needed_bytes = 0;
};

/// Reads the header from the first bytes of a file of `file_bytes` bytes (0 = unknown). Memory stays in proportion to `bytes`, whatever the header claims.
Result<HeaderRead> read_gguf_header(std::string_view bytes, std::uint64_t file_bytes);
Result<HeaderRead> read_safetensors_header(std::string_view bytes, std::uint64_t file_bytes);

bool is_gguf_file(std::string_view bytes);

inline constexpr std::uint64_t most_tensors = 1'000'000;
inline constexpr std::uint64_t most_metadata = 100'000;
inline constexpr std::uint64_t largest_header = 256u * 1024u * 1024u;

}  // namespace gpuplan
