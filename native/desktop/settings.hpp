#pragma once
/// What the app remembers between runs: window, language and theme, in one small file of the user's configuration folder.
#include <string>

namespace gpuplan::desktop {

struct Settings {
  int x = -1, y = -1, width = 1280, height = 860;  ///< −1 = let the system place the window
  bool dark = false, chinese = false;
};

/// Defaults when the file is missing or broken; sizes are held within what a screen can show.
Settings load_settings();
/// Written whole under another name and then moved; failures are ignored, nothing depends on it.
void save_settings(const Settings&);

}  // namespace gpuplan::desktop
