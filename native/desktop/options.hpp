#pragma once
/// The arguments of gpuplan-desktop.
#include <optional>
#include <string>
#include <vector>

namespace gpuplan::desktop {

struct Options {
  std::string link, language, now, size, screenshot;
  std::vector<std::string> files;  ///< a model or a profile, as if dropped on the window
  bool dark = false, light = false, dump = false;
  int open_row = 0;     ///< 1 is the first row of the first table
  int frames = 0;       ///< ends after so many frames
  int quit_after = 0;   ///< milliseconds; prints how many frames were drawn
  double scale = 0;     ///< 0 = as the display says
  int width = 0, height = 0;

  /// Run by a script: places nothing into the person's settings.
  bool scripted() const { return dump || !screenshot.empty() || frames > 0; }
};

/// Nothing when the program should end with `exit`.
std::optional<Options> read_options(int argc, char** argv, int& exit);

}  // namespace gpuplan::desktop
