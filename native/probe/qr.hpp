#pragma once
/// A QR code for the terminal.
#include <optional>
#include <string>

namespace gpuplan::probe {

inline constexpr std::size_t qr_max_bytes = 2953;  ///< version 40, lowest error correction (ISO/IEC 18004)
inline constexpr std::size_t qr_easy_bytes = 1840; ///< version 31: 141 modules, still scanned from a screen by an ordinary phone

/// Half-block characters, dark on light with a quiet zone; nothing when the text is too long for a QR code.
std::optional<std::string> qr_code(const std::string& text);

}  // namespace gpuplan::probe
