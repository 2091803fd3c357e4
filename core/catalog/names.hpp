#pragma once
/// Comparing names as people write them: without regard to case, spaces and punctuation.
#include <string>
#include <string_view>
#include <vector>

namespace gpuplan {

/// The letter or digit in lower case, 0 for what does not count (spaces, '-', '_', '.', …). Bytes of UTF-8 count as they are.
constexpr char plain(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  const bool counts = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
  return counts ? c : '\0';
}

/// "RTX 4090", "rtx-4090" and "RTX4090" are one name. An empty name is no name.
bool same_name(std::string_view a, std::string_view b);

/// Equal but for the case of ASCII letters: ids whose punctuation counts ("g1.12xlarge" is not "g11.2xlarge").
bool same_text(std::string_view a, std::string_view b);

/// The parts of a text between spaces.
std::vector<std::string> words_of(std::string_view text);

/// `name` without the vendor in front ("nvidia-h100…" → "h100…"), or "" where it does not start with `vendor`.
std::string_view without_vendor(std::string_view name, std::string_view vendor);

}  // namespace gpuplan
