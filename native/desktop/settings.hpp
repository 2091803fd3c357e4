#pragma once
/// What the app remembers between runs: $XDG_CONFIG_HOME/gpuplan/desktop.json. A missing or broken file means the defaults.
#include <string>

namespace gpuplan::desktop {

struct Settings {
  int x = -1, y = -1, width = 1280, height = 860;  ///< -1 = where the window manager likes
  bool maximized = false, dark = false;
  std::string language = "en";
};

/// "" when there is no home.
std::string settings_path();
Settings load_settings(const std::string& path);
/// Written beside and moved into place, so that a crash leaves the old file.
bool save_settings(const std::string& path, const Settings&);

}  // namespace gpuplan::desktop
