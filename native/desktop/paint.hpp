#pragma once
/// Text, bars and ranges at a place of the window; each returns the room it took.
#include <string>
#include <vector>

#include "native/desktop/ui.hpp"

namespace gpuplan::desktop {

/// Text wrapped at `width` (0 = not wrapped). Draws nothing where `list` is null: measuring.
ImVec2 paint_text(ImDrawList* list, ImFont* font, ImVec2 at, ImU32 colour, const std::string& text, float width = 0);
/// Wrapped text whose lines end at the right edge where `to_end` says so; the height.
float paint_wrapped(ImDrawList* list, ImFont* font, ImVec2 at, ImU32 colour, const std::string& text, float width, bool to_end);
/// Text in the flow of the window, wrapped at its edge.
void flow_text(ImFont* font, ImU32 colour, const std::string& text);
void paint_bar(const Ui&, ImDrawList*, ImVec2 at, ImVec2 size, const std::vector<BarPart>&);
void paint_range(const Ui&, ImDrawList*, ImVec2 at, float low, float high);
inline float range_width(const Ui& ui) { return ui.em(2.9f); }
void hairline(const Ui&, ImU32 colour);
/// A quiet word that is a button.
bool quiet_button(Ui&, const std::string& label, const char* id, bool active = false);

/// A main text with a small unit behind it and a quiet line below.
struct Lines {
  std::string text, unit, sub;
  ImFont* font;
  ImU32 colour;
  bool to_end = false;
};
float paint_lines(const Ui&, ImDrawList*, ImVec2 at, float width, const Lines&);

}  // namespace gpuplan::desktop
