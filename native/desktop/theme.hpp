#pragma once
/// Colours and sizes of the app. A part of memory or time has the same hue here as on the page (web/styles).
#include <imgui.h>

#include <string>

namespace gpuplan::desktop {

/// The few colours that everything is drawn with.
struct Theme {
  ImVec4 paper, raised, ink, quiet, hair, accent;
};
const Theme& theme(bool dark);

/// Sets ImGui's style for the theme; `scale` is the display's scale.
void apply_theme(bool dark, float scale);

/// The colour of a bar's part by its id ("weights", "free", …).
ImU32 part_color(const std::string& id, bool dark);

}  // namespace gpuplan::desktop
