#pragma once
/// A cursor over the first bytes of a file: it never reads past them, and says how many more would be needed.
#include <cstdint>
#include <string_view>

namespace gpuplan {

class ByteReader {
 public:
  ByteReader(std::string_view bytes, bool big_endian) : bytes_(bytes), big_endian_(big_endian) {}

  /// The next unsigned number of `width` bytes; 0 when the bytes end first (then `needed()` is set).
  std::uint64_t number(int width);
  /// The next `length` bytes, empty when they are not all there.
  std::string_view take(std::uint64_t length);
  void skip(std::uint64_t length);
  void set_big_endian(bool big_endian) { big_endian_ = big_endian; }

  std::uint64_t position() const { return position_; }
  bool ended() const { return needed_ != 0; }
  /// Bytes that the file must show for reading to go on, 0 while all was there.
  std::uint64_t needed() const { return needed_; }

 private:
  bool available(std::uint64_t length);
  std::string_view bytes_;
  bool big_endian_;
  std::uint64_t position_ = 0, needed_ = 0;
};

}  // namespace gpuplan
