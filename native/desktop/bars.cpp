#include <imgui.h>

#include <algorithm>

#include "native/desktop/draw.hpp"
#include "native/desktop/theme.hpp"

namespace gpuplan::desktop {

int columns_of(float width) {
  constexpr int most = 12;
  return std::clamp(static_cast<int>(ImGui::GetContentRegionAvail().x / width), 1, most);
}

void draw_bar(const App& app, const std::vector<BarPart>& parts, float width, float height) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float x = at.x;
  for (const BarPart& p : parts) {
    const float part_width = static_cast<float>(p.fraction) * width;
    const ImVec2 from{x, at.y}, to{std::min(x + std::max(part_width - 1.0f, 1.0f), at.x + width), at.y + height};
    list->AddRectFilled(from, to, part_color(p.id, app.dark));
    if (ImGui::IsMouseHoveringRect(from, to)) ImGui::SetTooltip("%s  %s", p.label.c_str(), p.text.c_str());
    x += part_width;
  }
  ImGui::Dummy({width, height});
}

void draw_legend(const App& app, const std::vector<BarPart>& parts) {
  if (!ImGui::BeginTable("legend", columns_of(ImGui::GetFontSize() * 15.0f))) return;
  for (const BarPart& p : parts) {
    ImGui::TableNextColumn();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = ImGui::GetFontSize() * 0.7f;
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + side * 0.25f}, {at.x + side, at.y + side * 1.25f}, part_color(p.id, app.dark));
    ImGui::Dummy({side, side});
    ImGui::SameLine();
    quiet_text(app, p.label);
    ImGui::SameLine();
    ImGui::TextUnformatted(p.text.c_str());
  }
  ImGui::EndTable();
}

void draw_range(const App& app, double low, double high, float width) {
  // The value sits at 1; the scale runs from 0 to 2, so that a wide range looks wide.
  constexpr double scale = 2.0;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFontSize();
  const auto x = [&](double factor) { return at.x + static_cast<float>(std::clamp(factor / scale, 0.0, 1.0)) * width; };
  const ImU32 ink = ImGui::ColorConvertFloat4ToU32(theme(app.dark).quiet);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({x(low), at.y + height * 0.5f}, {x(high), at.y + height * 0.5f}, ink, 1.5f);
  list->AddLine({x(1.0), at.y + height * 0.2f}, {x(1.0), at.y + height * 0.8f}, ink, 1.5f);
  ImGui::Dummy({width, height});
}

void quiet_text(const App& app, const std::string& text) { ImGui::TextColored(theme(app.dark).quiet, "%s", text.c_str()); }

void bold_text(const App& app, const std::string& text, bool at_end) {
  ImGui::PushFont(app.bold);
  if (at_end) end_text(text);
  else ImGui::TextUnformatted(text.c_str());
  ImGui::PopFont();
}

void end_text(const std::string& text) {
  const float free = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  if (free > 0.0f) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + free);
  ImGui::TextUnformatted(text.c_str());
}

}  // namespace gpuplan::desktop
