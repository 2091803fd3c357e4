#pragma once
/// Software versions as one comparable number: major·10⁶ + minor·10³ + patch; suffixes such as ".post1" do not count.
#include <cstdint>
#include <string_view>

namespace gpuplan::memory {

/// What unreadable or empty text counts as.
constexpr std::int64_t newest_version = INT64_C(1) << 60;
constexpr std::int64_t version(std::int64_t major, std::int64_t minor, std::int64_t patch = 0) { return (major * 1000 + minor) * 1000 + patch; }

inline std::int64_t parse_version(std::string_view text) {
  std::int64_t parts[3] = {0, 0, 0};
  std::size_t at = 0;
  if (!text.empty() && (text[0] == 'v' || text[0] == 'b')) at = 1;  // "v0.11", llama.cpp's "b5000"
  int part = 0;
  bool digits = false;
  for (; at < text.size() && part < 3; ++at) {
    const char c = text[at];
    if (c >= '0' && c <= '9') {
      digits = true;
      if (parts[part] < 1000000) parts[part] = parts[part] * 10 + (c - '0');
    } else if (c == '.' && digits) {
      ++part;
    } else {
      break;
    }
  }
  return digits ? version(parts[0], parts[1], parts[2]) : newest_version;
}

}  // namespace gpuplan::memory
