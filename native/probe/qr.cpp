#include "native/probe/qr.hpp"

#include <memory>

#include <qrencode.h>

namespace gpuplan::probe {
namespace {

constexpr int quiet = 2;  ///< light modules around the code; readers cope with two on screens

bool dark(const QRcode& code, int x, int y) {
  if (x < 0 || y < 0 || x >= code.width || y >= code.width) return false;
  return (code.data[static_cast<std::size_t>(y) * static_cast<std::size_t>(code.width) + static_cast<std::size_t>(x)] & 1) != 0;
}

}  // namespace

std::optional<std::string> qr_code(const std::string& text) {
  if (text.empty() || text.size() > qr_max_bytes) return {};
  const std::unique_ptr<QRcode, decltype(&QRcode_free)> code(
      QRcode_encodeData(static_cast<int>(text.size()), reinterpret_cast<const unsigned char*>(text.data()), 0, QR_ECLEVEL_L), QRcode_free);
  if (!code) return {};
  std::string out;
  for (int y = -quiet; y < code->width + quiet; y += 2) {
    out += "\x1b[30;47m";  // black on white whatever the terminal's colours
    for (int x = -quiet; x < code->width + quiet; ++x) {
      const bool upper = dark(*code, x, y), lower = dark(*code, x, y + 1);
      out += upper && lower ? "█" : upper ? "▀" : lower ? "▄" : " ";
    }
    out += "\x1b[0m\n";
  }
  return out;
}

}  // namespace gpuplan::probe
