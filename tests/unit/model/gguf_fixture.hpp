#pragma once
/// Writes GGUF headers of any version and byte order, so that tests need no files.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace gpuplan {

class GgufWriter {
 public:
  explicit GgufWriter(int version = 3, bool big_endian = false) : version_(version), big_endian_(big_endian) {}

  void number(const std::string& key, std::uint32_t value) { entry(key, 4), put(value, 4); }
  void real(const std::string& key, float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, 4);
    entry(key, 6), put(bits, 4);
  }
  void text(const std::string& key, const std::string& value) { entry(key, 8), string(value); }
  void numbers(const std::string& key, const std::vector<std::uint32_t>& values) {
    entry(key, 9), put(4, 4), put(values.size(), width());
    for (const std::uint32_t v : values) put(v, 4);
  }
  void texts(const std::string& key, const std::vector<std::string>& values) {
    entry(key, 9), put(8, 4), put(values.size(), width());
    for (const std::string& v : values) string(v);
  }
  /// `shape` as Hugging Face writes it, rows first.
  void tensor(const std::string& name, std::uint32_t type, const std::vector<std::uint64_t>& shape, std::uint64_t bytes) {
    ++tensors_;
    into_ = &infos_;
    string(name), put(shape.size(), 4);
    for (std::size_t i = shape.size(); i-- > 0;) put(shape[i], width());
    put(type, 4), put(data_, 8);
    data_ += (bytes + 31) / 32 * 32;
    into_ = &entries_;
  }

  std::string header() {
    std::string out = "GGUF";
    into_ = &out;
    put(static_cast<std::uint64_t>(version_), 4), put(tensors_, width()), put(count_, width());
    out += entries_ + infos_;
    into_ = &entries_;
    return out;
  }
  std::uint64_t file_bytes() { return (header().size() + 31) / 32 * 32 + data_; }

 private:
  int width() const { return version_ == 1 ? 4 : 8; }
  void put(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) *into_ += static_cast<char>(value >> 8 * (big_endian_ ? bytes - 1 - i : i));
  }
  void string(const std::string& s) { put(s.size(), width()), *into_ += s; }
  void entry(const std::string& key, std::uint32_t type) { ++count_, string(key), put(type, 4); }

  int version_;
  bool big_endian_;
  std::uint64_t count_ = 0, tensors_ = 0, data_ = 0;
  std::string entries_, infos_;
  std::string* into_ = &entries_;
};

}  // namespace gpuplan
