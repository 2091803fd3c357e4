#include <algorithm>

#include "native/desktop/paint.hpp"

namespace gpuplan::desktop {
namespace {

/// Where a column starts and how wide it is; the same place in all four tables.
struct Place {
  float x, width;
};

float share(std::string_view id) {
  if (id == "instance") return 21;
  if (id == "gpus" || id == "how") return 15;
  if (id == "memory" || id == "speed") return 15;
  return 9;
}

std::vector<Place> places(const Ui& ui, const std::vector<Column>& columns) {
  float sum = 0;
  for (const Column& c : columns) sum += share(c.id);
  const float inset = ui.em(0.75f), gap = ui.em(1.0f), total = ImGui::GetContentRegionAvail().x - 2 * inset + gap;
  std::vector<Place> out;
  float x = inset;
  for (const Column& c : columns) {
    const float width = total * share(c.id) / sum;
    out.push_back({x, width - gap});
    x += width;
  }
  return out;
}

void head(Ui& ui, const Table& t, const std::vector<Place>& at) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  float height = 0;
  for (std::size_t i = 0; i < t.columns.size(); ++i) {
    const Column& c = t.columns[i];
    const Lines lines{c.label, "", "", ui.fonts.small, ui.theme.quiet, c.number};
    const ImVec2 place{from.x + at[i].x, from.y + ui.em(0.45f)};
    height = std::max(height, paint_lines(ui, ImGui::GetWindowDrawList(), place, at[i].width, lines));
    if (!c.help.empty() && ImGui::IsMouseHoveringRect(place, {place.x + at[i].width, place.y + height})) ImGui::SetTooltip("%s", c.help.c_str());
  }
  ImGui::Dummy({1, height + ui.em(0.7f)});
}

float paint_cell(const Ui& ui, ImDrawList* list, ImVec2 at, float width, const Cell& c, const Column& column, bool first) {
  float y = 0;
  if (!c.bar.empty()) {
    if (list) paint_bar(ui, list, {at.x, at.y + ui.em(0.3f)}, {width, ui.em(0.62f)}, c.bar);
    y = ui.em(1.1f);
  }
  const bool small = !c.bar.empty() || column.id == "age";
  const Lines lines{c.text, c.unit, c.sub, c.strong || first ? ui.fonts.bold : small ? ui.fonts.small : ui.fonts.text, c.weak ? ui.theme.quiet : ui.theme.ink, column.number};
  const float taken = paint_lines(ui, list, {at.x, at.y + y}, width, lines);
  if (!c.range_low || !c.range_high) return y + taken;
  // Beside the number where there is room, below it in a narrow window.
  const float number = paint_text(nullptr, lines.font, {}, 0, c.text).x + ui.em(0.6f) + paint_text(nullptr, ui.fonts.small, {}, 0, c.unit).x;
  const bool beside = number + range_width(ui) <= width;
  const ImVec2 place = beside ? ImVec2(at.x, at.y + ui.em(0.4f)) : ImVec2(at.x + width - range_width(ui), at.y + y + taken + ui.em(0.25f));
  if (list) paint_range(ui, list, place, static_cast<float>(*c.range_low), static_cast<float>(*c.range_high));
  return y + taken + (beside ? 0 : ui.em(0.8f));
}

/// A row as text: what is put on the screen, cell by cell.
std::string record(const Row& r) {
  std::string out = "row";
  for (const Cell& c : r.cells) out += "\t" + c.text + (c.unit.empty() ? "" : " " + c.unit) + (c.sub.empty() ? "" : " | " + c.sub);
  return out;
}

void row(Ui& ui, const Table& t, const Row& r, const std::vector<Place>& at) {
  const float chevron = ui.em(0.9f), padding = ui.em(0.6f);
  float height = 0;
  const auto cell = [&](ImDrawList* list, ImVec2 from, std::size_t i) {
    const float indent = i == 0 ? chevron : 0;
    return paint_cell(ui, list, {from.x + at[i].x + indent, from.y + padding}, at[i].width - indent, r.cells[i], t.columns[i], i == 0);
  };
  for (std::size_t i = 0; i < r.cells.size(); ++i) height = std::max(height, cell(nullptr, {0, 0}, i));
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const bool open = ui.session.is_open(r.link);
  const std::string link = r.link;
  const bool pressed = ImGui::Selectable(("##" + t.id + r.key).c_str(), open, 0, {ImGui::GetContentRegionAvail().x, height + 2 * padding});
  if (ImGui::IsItemHovered() && ImGui::GetMousePos().x < from.x + at[0].x + at[0].width && r.pareto) ImGui::SetTooltip("%s", ui.session.say("page.row.pareto").c_str());
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine(from, {from.x + ImGui::GetContentRegionAvail().x, from.y}, ui.theme.hair);
  for (std::size_t i = 0; i < r.cells.size(); ++i) cell(list, from, i);
  const ImVec2 tip{from.x + at[0].x + ui.em(0.25f), from.y + padding + ui.em(0.5f)};
  const float s = ui.em(0.2f);
  const ImVec2 shut[] = {{tip.x - s / 2, tip.y - s}, {tip.x + s / 2, tip.y}, {tip.x - s / 2, tip.y + s}}, opened[] = {{tip.x - s, tip.y - s / 2}, {tip.x, tip.y + s / 2}, {tip.x + s, tip.y - s / 2}};
  list->AddPolyline(open ? opened : shut, 3, open ? ui.theme.accent : ui.theme.quiet, 0, 1.4f * ui.scale);
  if (r.pareto) {
    const ImVec2 d{from.x + at[0].x - ui.em(0.32f), tip.y};
    const float q = ui.em(0.2f);
    list->AddQuadFilled({d.x, d.y - q}, {d.x + q, d.y}, {d.x, d.y + q}, {d.x - q, d.y}, ui.theme.accent);
  }
  ui.drawn.push_back(record(r));
  if (ui.scroll_to == link) {
    ImGui::SetScrollFromPosY(from.y - ImGui::GetWindowPos().y, 0.1f);
    ui.scroll_to.reset();
  }
  if (open && ui.session.detail()) draw_detail(ui, *ui.session.detail(), "row");
  else if (open && !ui.session.detail_problem().empty()) flow_text(ui.fonts.text, ui.theme.accent, ui.session.detail_problem());
  if (pressed) ui.session.toggle_row(link);
}

}  // namespace

void draw_table(Ui& ui, const Table& t) {
  ImGui::Dummy({0, ui.em(1.0f)});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, inset = ui.em(0.75f);
  const ImVec2 title = paint_text(list, ui.fonts.title, {from.x + inset, from.y}, ui.theme.ink, t.title);
  const float base = from.y + title.y - ui.fonts.text->FontSize - 2 * ui.scale;
  paint_text(list, ui.fonts.text, {from.x + inset + std::max(title.x, ui.em(4.5f)) + ui.em(1), base}, ui.theme.quiet, t.subtitle);
  const float summary = paint_text(nullptr, ui.fonts.text, {}, 0, t.summary).x;
  paint_text(list, ui.fonts.text, {from.x + width - inset - summary, base}, ui.theme.ink, t.summary);
  ImGui::Dummy({width, title.y + ui.em(0.3f)});
  ui.drawn.push_back("table\t" + t.title + "\t" + t.subtitle + "\t" + t.summary);
  hairline(ui, ui.theme.ink);
  if (t.rows.empty()) {
    const float taken = paint_text(list, ui.fonts.text, {from.x + inset, ImGui::GetCursorScreenPos().y + ui.em(0.8f)}, ui.theme.quiet, t.empty, std::min(width - 2 * inset, ui.em(52))).y;
    ImGui::Dummy({width, taken + ui.em(1.6f)});
    ui.drawn.push_back("empty\t" + t.empty);
    return;
  }
  const auto at = places(ui, t.columns);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  head(ui, t, at);
  for (const Row& r : t.rows) row(ui, t, r, at);
  ImGui::PopStyleVar();
}

}  // namespace gpuplan::desktop
