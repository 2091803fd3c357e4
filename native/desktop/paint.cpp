#include "native/desktop/paint.hpp"

#include <algorithm>

namespace gpuplan::desktop {

ImVec2 paint_text(ImDrawList* list, ImFont* font, ImVec2 at, ImU32 colour, const std::string& text, float width) {
  if (text.empty()) return {0, 0};
  if (list) list->AddText(font, font->FontSize, at, colour, text.c_str(), nullptr, width);
  return font->CalcTextSizeA(font->FontSize, FLT_MAX, width, text.c_str());
}

void flow_text(ImFont* font, ImU32 colour, const std::string& text) {
  ImGui::PushFont(font);
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void paint_bar(const Ui& ui, ImDrawList* list, ImVec2 at, ImVec2 size, const std::vector<BarPart>& parts) {
  list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, ui.theme.track);
  float x = at.x;
  for (const BarPart& p : parts) {
    const float end = std::min(x + static_cast<float>(p.fraction) * size.x, at.x + size.x);
    // A gap of one pixel tells neighbours apart without their colours.
    if (end > x) list->AddRectFilled({x, at.y}, {std::max(x + 0.5f, end - 1), at.y + size.y}, part_colour(p.id, ui.theme.dark));
    x = end;
  }
}

void paint_range(const Ui& ui, ImDrawList* list, ImVec2 at, float low, float high) {
  // From half to one and a half times the value, the same for every row so that widths compare.
  const float width = range_width(ui), height = ui.em(0.5f), middle = at.y + height / 2;
  const auto place = [&](float factor) { return at.x + (std::clamp(factor, 0.5f, 1.5f) - 0.5f) * width; };
  list->AddLine({at.x, middle}, {at.x + width, middle}, ui.theme.line);
  list->AddRectFilled({place(low), middle - ui.scale}, {place(high), middle + 1.5f * ui.scale}, ui.theme.quiet);
  list->AddLine({place(1), at.y}, {place(1), at.y + height}, ui.theme.ink);
}

void hairline(const Ui&, ImU32 colour) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddLine(at, {at.x + ImGui::GetContentRegionAvail().x, at.y}, colour);
  ImGui::Dummy({0, 1});
}

bool quiet_button(Ui& ui, const std::string& label, const char* id, bool active) {
  ImGui::PushFont(ui.fonts.small);
  ImGui::PushStyleColor(ImGuiCol_Text, active ? ui.theme.ink : ui.theme.quiet);
  const bool pressed = ImGui::Button((label + "##" + id).c_str());
  if (active) {
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddLine({from.x, to.y}, to, ui.theme.accent, 1.5f * ui.scale);
  }
  ImGui::PopStyleColor();
  ImGui::PopFont();
  return pressed;
}

float paint_wrapped(ImDrawList* list, ImFont* font, ImVec2 at, ImU32 colour, const std::string& text, float width, bool to_end) {
  if (!to_end) return paint_text(list, font, at, colour, text, width).y;
  const char *from = text.c_str(), *const end = from + text.size();
  float y = 0;
  while (from < end) {
    const char* to = std::max(font->CalcWordWrapPositionA(1, from, end, width), from + 1);
    const std::string piece(from, to);
    const ImVec2 size = paint_text(nullptr, font, {}, 0, piece);
    paint_text(list, font, {at.x + std::max(0.0f, width - size.x), at.y + y}, colour, piece);
    y += size.y;
    for (from = to; from < end && *from == ' ';) ++from;
  }
  return y;
}

float paint_lines(const Ui& ui, ImDrawList* list, ImVec2 at, float width, const Lines& l) {
  ImFont* small = ui.fonts.small;
  const auto size_of = [&](ImFont* f, const std::string& s) { return f->CalcTextSizeA(f->FontSize, FLT_MAX, 0, s.c_str()).x; };
  const float gap = l.unit.empty() ? 0 : ui.em(0.22f), unit = size_of(small, l.unit), main = size_of(l.font, l.text);
  const bool one_line = main + gap + unit <= width;
  const float x = l.to_end && one_line ? at.x + width - main - gap - unit : at.x;
  float height = one_line ? paint_text(list, l.font, {x, at.y}, l.colour, l.text).y : paint_wrapped(list, l.font, at, l.colour, l.text, width, l.to_end);
  if (!l.unit.empty()) {
    const ImVec2 place = one_line ? ImVec2(x + main + gap, at.y + l.font->FontSize - small->FontSize - (l.font == small ? 0 : 0.5f * ui.scale)) : ImVec2(l.to_end ? at.x + width - unit : at.x, at.y + height);
    const float taken = paint_text(list, small, place, ui.theme.quiet, l.unit).y;
    if (!one_line) height += taken;
  }
  if (l.sub.empty()) return height;
  height += ui.em(0.1f);
  return height + paint_wrapped(list, small, {at.x, at.y + height}, ui.theme.quiet, l.sub, width, l.to_end);
}

}  // namespace gpuplan::desktop
