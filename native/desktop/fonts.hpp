#pragma once
/// Fonts of the system, found by fontconfig; Chinese glyphs are laid in where a font has them.
#include <imgui.h>

#include <string>

#include "core/api/context.hpp"

namespace gpuplan::desktop {

struct Fonts {
  ImFont *text = nullptr, *bold = nullptr, *small = nullptr, *control = nullptr, *title = nullptr;
  bool chinese = false;  ///< a font with Chinese glyphs was found
};

/// Fills ImGui's atlas at this scale. `more` are texts that must have glyphs besides those of both languages.
Fonts load_fonts(const Context&, const std::string& more, float scale);

}  // namespace gpuplan::desktop
