/// A GGUF file in pieces whose state travels as JSON, and any JSON as such a state: the same header as in one go, or one problem.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/model/files/gguf_header.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using gpuplan::GgufHeaderReader;
  if (size < 1) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (!bytes.empty() && bytes[0] == '{') {
    const auto state = nlohmann::json::parse(bytes, nullptr, false);
    auto reader = GgufHeaderReader::resumed(state, 1u << 30, "");
    if (reader && !reader->done()) (void)reader->feed("some bytes that follow, whatever they mean to the reader");
    return 0;
  }
  const auto whole = gpuplan::read_gguf_header(bytes, 0);
  const std::size_t step = data[0] + 1u;
  GgufHeaderReader reader(0);
  for (int rounds = 0; rounds < 2000 && !reader.done(); ++rounds) {
    if (reader.next_byte() >= bytes.size()) break;
    const std::size_t from = static_cast<std::size_t>(reader.next_byte()), length = reader.wanted_bytes() > step ? static_cast<std::size_t>(reader.wanted_bytes()) : step;
    if (from + reader.wanted_bytes() > bytes.size()) break;
    if (reader.feed(bytes.substr(from, length))) {
      if (whole) __builtin_trap();  // refused in pieces, accepted whole
      return 0;
    }
    if (rounds % 16 == 0) {
      auto again = GgufHeaderReader::resumed(reader.state(), 0, "");
      if (again) reader = *again;
    }
  }
  if (reader.done() && (!whole || !whole->header || whole->header->tensors.size() != reader.header().tensors.size())) __builtin_trap();
  return 0;
}
