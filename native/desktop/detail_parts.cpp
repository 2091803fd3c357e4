#include <algorithm>

#include "native/desktop/paint.hpp"

namespace gpuplan::desktop {
namespace {

using Axis = std::int32_t RankCell::*;
struct Named {
  const char* key;
  Axis axis;
};
constexpr Named axes[] = {{"page.layout.tp", &RankCell::tp}, {"page.layout.pp", &RankCell::pp}, {"page.layout.dp", &RankCell::dp}, {"page.layout.cp", &RankCell::cp}};

bool varies(const Detail& d, Axis axis) {
  return std::any_of(d.ranks.begin(), d.ranks.end(), [&](const RankCell& r) { return r.*axis != d.ranks.front().*axis; });
}

/// The kinds of parallelism that the layout has, as buttons; the chosen one.
const Named* choose_axis(Ui& ui, const Detail& d) {
  const Named* chosen = nullptr;
  for (const Named& n : axes) {
    if (varies(d, n.axis) && (!chosen || ui.axis == n.key)) chosen = &n;
  }
  if (!chosen) return nullptr;
  ImGui::Dummy({0, ui.em(0.6f)});
  flow_text(ui.fonts.small, ui.theme.quiet, ui.session.say("page.detail.layout"));
  for (const Named& n : axes) {
    if (!varies(d, n.axis)) continue;
    ImGui::SameLine(0, ui.em(1));
    if (quiet_button(ui, ui.session.say(n.key), n.key, &n == chosen)) ui.axis = n.key;
  }
  return chosen;
}

}  // namespace

void draw_ranks(Ui& ui, const Detail& d) {
  const Named* chosen = d.ranks.size() > 1 ? choose_axis(ui, d) : nullptr;
  if (!chosen) return;
  const float cell = ui.em(1.9f), gap = ui.em(1.2f);
  const int across = std::clamp(d.gpus_per_node, 1, 8), down = (std::max(1, d.gpus_per_node) + across - 1) / across;
  const float node_width = cell * static_cast<float>(across) + gap, node_height = cell * static_cast<float>(down) + ui.em(1.8f);
  const int per_line = std::max(1, static_cast<int>(ImGui::GetContentRegionAvail().x / node_width));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  int nodes = 0;
  for (const RankCell& r : d.ranks) {
    const ImVec2 node{at.x + static_cast<float>(r.node % per_line) * node_width, at.y + static_cast<float>(r.node / per_line) * node_height};
    if (r.gpu == 0) paint_text(list, ui.fonts.small, node, ui.theme.quiet, ui.session.strings().text("page.layout.node", {{"node", std::to_string(r.node)}}));
    const ImVec2 from{node.x + static_cast<float>(r.gpu % across) * cell, node.y + ui.em(1.2f) + static_cast<float>(r.gpu / across) * cell};
    list->AddRectFilled(from, {from.x + cell - 2, from.y + cell - 2}, group_colour(r.*(chosen->axis), ui.theme.dark), 2);
    const std::string number = std::to_string(r.*(chosen->axis));
    const ImVec2 size = paint_text(nullptr, ui.fonts.small, {}, 0, number);
    paint_text(list, ui.fonts.small, {from.x + (cell - 2 - size.x) / 2, from.y + (cell - 2 - size.y) / 2}, ui.theme.ink, number);
    nodes = std::max(nodes, r.node + 1);
  }
  ImGui::Dummy({1, node_height * static_cast<float>((nodes + per_line - 1) / per_line)});
  if (d.ranks_left_out > 0) flow_text(ui.fonts.small, ui.theme.quiet, ui.session.strings().text("page.layout.left_out", {{"count", std::to_string(d.ranks_left_out)}}));
}

void draw_messages(Ui& ui, const Table& t) {
  if (t.rows.empty()) return flow_text(ui.fonts.text, ui.theme.quiet, t.empty);
  const float step = std::min(ImGui::GetContentRegionAvail().x / static_cast<float>(t.columns.size()), ui.em(8)), line = ui.em(1.5f);
  ImVec2 at = ImGui::GetCursorScreenPos();
  const auto place = [&](std::size_t i, const Lines& l) { paint_lines(ui, ImGui::GetWindowDrawList(), {at.x + step * static_cast<float>(i), at.y}, step - ui.em(1.8f), l); };
  for (std::size_t i = 0; i < t.columns.size(); ++i) place(i, {t.columns[i].label, "", "", ui.fonts.small, ui.theme.quiet, t.columns[i].number});
  for (const Row& r : t.rows) {
    at.y += line;
    for (std::size_t i = 0; i < r.cells.size() && i < t.columns.size(); ++i) place(i, {r.cells[i].text, r.cells[i].unit, "", ui.fonts.small, ui.theme.ink, t.columns[i].number});
  }
  ImGui::Dummy({1, line * static_cast<float>(t.rows.size() + 1)});
}

void draw_explain(Ui& ui, const Detail& d) {
  if (d.explain.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, ui.theme.quiet);
  ImGui::PushFont(ui.fonts.small);
  const bool open = ImGui::TreeNodeEx("explain", ImGuiTreeNodeFlags_NoTreePushOnOpen, "%s", ui.session.say("page.detail.explain").c_str());
  ImGui::PopFont();
  ImGui::PopStyleColor();
  if (!open) return;
  for (const ExplainLine& line : d.explain) {
    hairline(ui, ui.theme.hair);
    flow_text(ui.fonts.bold, ui.theme.ink, (line.label.empty() ? line.term : line.label) + " = " + line.value);
    if (!line.formula.empty()) flow_text(ui.fonts.text, ui.theme.ink, line.formula);
    std::string inputs;
    for (const Figure& f : line.inputs) inputs += (inputs.empty() ? "" : "  ·  ") + f.label + " = " + f.text + (f.unit.empty() ? "" : " " + f.unit);
    if (!inputs.empty()) flow_text(ui.fonts.small, ui.theme.quiet, inputs);
    if (!line.source.empty()) flow_text(ui.fonts.small, ui.theme.quiet, ui.session.say("page.explain.source") + ": " + line.source);
  }
}

}  // namespace gpuplan::desktop
