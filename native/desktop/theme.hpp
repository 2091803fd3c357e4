#pragma once
/// The colours of the page (web/styles/tokens.css) for the app: same hue for the same part.
#include <imgui.h>

#include <string_view>

namespace gpuplan::desktop {

struct Theme {
  ImU32 paper, raised, ink, quiet, hair, line, accent, track;
  bool dark;
};

Theme make_theme(bool dark);
/// The colour of a part of a memory or time bar by its id; transparent for "free".
ImU32 part_colour(std::string_view id, bool dark);
/// The ground of a cell in the drawing of ranks, by group.
ImU32 group_colour(int group, bool dark);
/// Popups, inputs, scroll bars and focus in the same colours.
void apply_style(const Theme&, float scale);

}  // namespace gpuplan::desktop
