#pragma once
/// The fonts of the app: a Latin face with the signs that we use, and Chinese glyphs where the system has them.
#include <imgui.h>

#include <string>

namespace gpuplan::desktop {

/// What was found.
struct Fonts {
  ImFont* bold = nullptr;  ///< for titles and the number that decides a row; the normal face where no bold one was found
  bool chinese = false;  ///< false: Chinese texts cannot be drawn, the app stays in English
};

/// Loads fonts at `size` pixels; only glyphs of `texts` are rasterised for Chinese, so that the atlas stays small.
Fonts load_fonts(float size, const std::string& texts);

}  // namespace gpuplan::desktop
