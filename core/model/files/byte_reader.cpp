#include "core/model/files/byte_reader.hpp"

namespace gpuplan {

bool ByteReader::available(std::uint64_t length) {
  if (needed_ != 0) return false;
  constexpr std::uint64_t farthest = std::uint64_t{1} << 60;
  const std::uint64_t end = length > farthest - position_ ? farthest : position_ + length;
  if (end <= bytes_.size()) return true;
  needed_ = end;
  return false;
}

std::uint64_t ByteReader::number(int width) {
  if (!available(static_cast<std::uint64_t>(width))) return 0;
  std::uint64_t value = 0;
  for (int i = 0; i < width; ++i) {
    const int at = big_endian_ ? i : width - 1 - i;
    value = value << 8 | static_cast<unsigned char>(bytes_[static_cast<std::size_t>(position_) + static_cast<std::size_t>(at)]);
  }
  position_ += static_cast<std::uint64_t>(width);
  return value;
}

std::string_view ByteReader::take(std::uint64_t length) {
  if (!available(length)) return {};
  const std::string_view taken = bytes_.substr(static_cast<std::size_t>(position_), static_cast<std::size_t>(length));
  position_ += length;
  return taken;
}

void ByteReader::skip(std::uint64_t length) {
  if (available(length)) position_ += length;
}

}  // namespace gpuplan
