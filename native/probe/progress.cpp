#include "native/probe/progress.hpp"

#include <algorithm>
#include <cstdio>

namespace gpuplan::probe {

std::string progress_text(double done, const std::string& what, double seconds_left) {
  constexpr int width = 30;
  const double share = std::clamp(done, 0.0, 1.0);
  const int filled = static_cast<int>(share * width), left = static_cast<int>(std::clamp(seconds_left, 0.0, 359999.0) + 0.5);
  char text[160];
  std::snprintf(text, sizeof text, "[%s%s] %3d %%  %-22s %d:%02d left", std::string(static_cast<std::size_t>(filled), '#').c_str(),
                std::string(static_cast<std::size_t>(width - filled), '.').c_str(), static_cast<int>(share * 100), what.substr(0, 22).c_str(), left / 60, left % 60);
  return text;
}

void ProgressLine::show(double done, const std::string& what, double seconds_left) {
  if (!shown_) return;
  std::fprintf(stderr, "\r%s\x1b[K", progress_text(done, what, seconds_left).c_str());
  drawn_ = true;
}

void ProgressLine::clear() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

}  // namespace gpuplan::probe
