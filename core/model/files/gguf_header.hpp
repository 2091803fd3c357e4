#pragma once
/// Reads a GGUF header piece by piece, so that a tokenizer of any size costs no memory: of everything that no architecture needs only its length is looked at.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/model/files/header.hpp"

namespace gpuplan {

class GgufHeaderReader {
 public:
  /// `file_bytes` = 0 when the size of the file is not known.
  explicit GgufHeaderReader(std::uint64_t file_bytes) : file_bytes_(file_bytes) {}

  /// `bytes` of the file from next_byte() on; a tail that holds no whole item is left for the next call.
  std::optional<Problem> feed(std::string_view bytes);
  bool done() const { return phase_ == Phase::done; }
  /// Offset of the first byte that is still needed, and how many bytes from there the next item takes at least.
  std::uint64_t next_byte() const { return at_; }
  std::uint64_t wanted_bytes() const { return wanted_; }
  /// What has been read; whole once done() holds.
  const FileHeader& header() const { return header_; }

  /// Where reading stands, for a caller who keeps nothing else between two pieces.
  nlohmann::json state() const;
  static Result<GgufHeaderReader> resumed(const nlohmann::json& state, std::uint64_t file_bytes, const std::string& pointer);

 private:
  enum class Phase : std::uint8_t { preamble, entries, tensors, done };
  /// An array being read: its element type and how many elements are left.
  struct Open {
    std::uint32_t type = 0;
    std::uint64_t left = 0;
  };
  class Item;

  std::optional<Problem> step(Item&);
  std::optional<Problem> read_preamble(Item&);
  std::optional<Problem> read_entry(Item&);
  std::optional<Problem> read_value(Item&, std::uint32_t type);
  std::optional<Problem> read_text_value(Item&, bool kept);
  std::optional<Problem> open_array(Item&);
  std::optional<Problem> read_element(Item&);
  std::optional<Problem> read_tensor(Item&);
  std::optional<Problem> place(FileTensor, std::uint32_t type, std::uint64_t offset);
  std::optional<Problem> end_phase();
  std::optional<Problem> finish();
  void close_entry();

  std::uint64_t file_bytes_ = 0, at_ = 0, wanted_ = 8;
  Phase phase_ = Phase::preamble;
  std::uint64_t entries_left_ = 0, tensors_left_ = 0;
  double last_byte_ = 0.0;
  std::vector<Open> open_;
  std::optional<MetaEntry> entry_;  ///< the one that is being read
  FileHeader header_;
};

}  // namespace gpuplan
