#include <algorithm>

#include "native/desktop/paint.hpp"

namespace gpuplan::desktop {
namespace {

void heading(Ui& ui, const char* key) {
  ImGui::Dummy({0, ui.em(0.6f)});
  flow_text(ui.fonts.small, ui.theme.quiet, ui.session.say(key));
  ImGui::Dummy({0, ui.em(0.1f)});
}

/// A bar with its legend, `width` wide, at the cursor.
void parts(Ui& ui, const char* key, const std::vector<BarPart>& all, const std::string& text, const std::string& where, float width) {
  ImGui::BeginGroup();
  heading(ui, key);
  flow_text(ui.fonts.control, ui.theme.ink, text);
  if (!where.empty()) flow_text(ui.fonts.small, ui.theme.quiet, where);
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImVec2 at = ImGui::GetCursorScreenPos();
  paint_bar(ui, list, at, {width, ui.em(1.6f)}, all);
  ImGui::Dummy({width, ui.em(2.1f)});
  const int columns = std::max(1, static_cast<int>(width / ui.em(14)));
  const float step = width / static_cast<float>(columns), line = ui.em(1.5f);
  at = ImGui::GetCursorScreenPos();
  int i = 0;
  for (const BarPart& p : all) {
    const ImVec2 from{at.x + static_cast<float>(i % columns) * step, at.y + static_cast<float>(i / columns) * line};
    const float end = from.x + step - ui.em(1.2f), side = ui.em(0.72f), y = from.y + ui.em(0.3f);
    if (p.id == "free") list->AddRect({from.x, y}, {from.x + side, y + side}, ui.theme.line);
    else list->AddRectFilled({from.x, y}, {from.x + side, y + side}, part_colour(p.id, ui.theme.dark));
    paint_text(list, ui.fonts.small, {from.x + ui.em(1.2f), from.y + ui.em(0.2f)}, ui.theme.ink, p.label);
    paint_text(list, ui.fonts.small, {end - paint_text(nullptr, ui.fonts.small, {}, 0, p.text).x, from.y + ui.em(0.2f)}, ui.theme.ink, p.text);
    list->AddLine({from.x, from.y + line - 1}, {end, from.y + line - 1}, ui.theme.hair);
    ++i;
  }
  ImGui::Dummy({width, line * static_cast<float>((i + columns - 1) / columns)});
  ImGui::EndGroup();
}

void figures(Ui& ui, const std::vector<Figure>& all) {
  if (all.empty()) return;
  heading(ui, "page.detail.figures");
  const float width = ImGui::GetContentRegionAvail().x, least = ui.em(11.5f), line = ui.em(3.9f);
  const int columns = std::max(1, static_cast<int>(width / least));
  const float step = width / static_cast<float>(columns);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  int i = 0;
  for (const Figure& f : all) {
    const ImVec2 from{at.x + static_cast<float>(i % columns) * step, at.y + static_cast<float>(i / columns) * line};
    paint_text(ImGui::GetWindowDrawList(), ui.fonts.small, from, ui.theme.quiet, f.label);
    paint_lines(ui, ImGui::GetWindowDrawList(), {from.x, from.y + ui.em(1.1f)}, step - ui.em(1), {f.text, f.unit, f.range, ui.fonts.bold, ui.theme.ink});
    ++i;
  }
  ImGui::Dummy({width, line * static_cast<float>((i + columns - 1) / columns)});
}

void title(Ui& ui, const Detail& d, const char* id) {
  flow_text(ui.fonts.control, ui.theme.ink, d.title);
  const std::string label = ui.session.say("page.detail.share");
  ImGui::SameLine(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - ui.em(1.65f) - paint_text(nullptr, ui.fonts.small, {}, 0, label).x - ui.em(0.5f));
  if (quiet_button(ui, label, id)) copy_link(ui, d.link);
  flow_text(ui.fonts.text, ui.theme.quiet, d.subtitle);
  flow_text(ui.fonts.bold, d.fits ? ui.theme.ink : ui.theme.accent, d.verdict);
  for (const Note& n : d.notes) flow_text(ui.fonts.small, n.severity == Severity::info ? ui.theme.quiet : ui.theme.ink, (n.severity == Severity::info ? "– " : "! ") + n.text);
}

}  // namespace

void draw_detail(Ui& ui, const Detail& d, const char* id) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, inset = ui.em(1.65f);
  list->ChannelsSplit(2);
  list->ChannelsSetCurrent(1);
  ImGui::PushID(id);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.em(0.5f), ui.em(0.25f)});
  ImGui::Indent(inset);
  ImGui::PushItemWidth(width - 2 * inset);
  ImGui::Dummy({0, ui.em(0.3f)});
  title(ui, d, id);
  const float inner = ImGui::GetContentRegionAvail().x - inset, gap = ui.em(3);
  const bool beside = inner > ui.em(48);
  const float half = beside ? (inner - gap) / 2 : inner;
  parts(ui, "page.detail.memory", d.memory, d.memory_text, d.memory_where, half);
  if (beside) ImGui::SameLine(0, gap);
  parts(ui, "page.detail.time", d.time, d.time_text, "", half);
  figures(ui, d.figures);
  draw_ranks(ui, d);
  heading(ui, "page.detail.messages");
  draw_messages(ui, d.messages);
  draw_explain(ui, d);
  ImGui::Dummy({0, ui.em(0.8f)});
  ImGui::PopItemWidth();
  ImGui::Unindent(inset);
  ImGui::PopStyleVar();
  ImGui::PopID();
  list->ChannelsSetCurrent(0);
  list->AddRectFilled(from, {from.x + width, ImGui::GetCursorScreenPos().y}, ui.theme.raised);
  list->ChannelsMerge();
}

}  // namespace gpuplan::desktop
