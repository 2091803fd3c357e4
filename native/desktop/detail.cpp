#include <imgui.h>

#include <algorithm>

#include "native/desktop/draw.hpp"
#include "native/desktop/theme.hpp"

namespace gpuplan::desktop {
namespace {

void heading(const App& app, const char* key) {
  ImGui::Dummy({0, ImGui::GetFontSize() * 0.3f});
  quiet_text(app, app.strings().text(key));
}

void draw_figures(const App& app, const std::vector<Figure>& figures) {
  if (!ImGui::BeginTable("figures", columns_of(ImGui::GetFontSize() * 11.0f))) return;
  for (const Figure& f : figures) {
    ImGui::TableNextColumn();
    quiet_text(app, f.label);
    bold_text(app, f.unit.empty() ? f.text : f.text + " " + f.unit);
    if (!f.range.empty()) quiet_text(app, f.range);
  }
  ImGui::EndTable();
}

void draw_messages(const App& app, const Table& t) {
  if (t.rows.empty()) {
    ImGui::TextUnformatted(t.empty.c_str());
    return;
  }
  if (!ImGui::BeginTable("messages", static_cast<int>(t.columns.size()), ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingStretchProp)) return;
  for (const Column& c : t.columns) {
    ImGui::TableNextColumn();
    quiet_text(app, c.label);
  }
  for (const Row& r : t.rows) {
    for (const Cell& c : r.cells) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted((c.unit.empty() ? c.text : c.text + " " + c.unit).c_str());
    }
  }
  ImGui::EndTable();
}

/// GPUs as squares, a node a group; shades tell pipeline stages apart, the number is the tensor-parallel rank.
void draw_ranks(const App& app, const Detail& d) {
  const float side = ImGui::GetFontSize() * 1.6f, gap = ImGui::GetFontSize() * 0.2f;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float node_width = static_cast<float>(d.gpus_per_node) * (side + gap) + gap * 4;
  const int nodes_in_line = std::max(1, static_cast<int>(width / node_width));
  static const char* hues[] = {"weights", "activations", "gradients", "kv_cache", "adapters", "compute", "communication", "optimizer"};
  ImDrawList* list = ImGui::GetWindowDrawList();
  float bottom = origin.y;
  for (const RankCell& r : d.ranks) {
    const ImVec2 at{origin.x + static_cast<float>(r.node % nodes_in_line) * node_width + static_cast<float>(r.gpu) * (side + gap),
                    origin.y + static_cast<float>(r.node / nodes_in_line) * (side + gap * 3)};
    const ImVec2 to{at.x + side, at.y + side};
    list->AddRectFilled(at, to, part_color(hues[static_cast<std::size_t>(r.pp) % std::size(hues)], app.dark), 2.0f);
    list->AddText({at.x + side * 0.3f, at.y + side * 0.15f}, ImGui::ColorConvertFloat4ToU32(theme(app.dark).paper), std::to_string(r.tp).c_str());
    if (ImGui::IsMouseHoveringRect(at, to)) ImGui::SetTooltip("%d/%d: tp %d  pp %d  dp %d  cp %d", r.node, r.gpu, r.tp, r.pp, r.dp, r.cp);
    bottom = to.y;
  }
  ImGui::Dummy({width, bottom - origin.y + gap});
  if (d.ranks_left_out > 0) quiet_text(app, app.strings().text("page.layout.left_out", {{"count", std::to_string(d.ranks_left_out)}}));
}

void draw_explanation(const App& app, const Detail& d) {
  if (!ImGui::TreeNode(app.strings().text("page.detail.explain").c_str())) return;
  for (const ExplainLine& l : d.explain) {
    ImGui::TextWrapped("%s = %s", l.label.c_str(), l.value.c_str());
    std::string inputs = l.formula;
    for (const Figure& f : l.inputs) inputs += "   " + f.label + " = " + (f.unit.empty() ? f.text : f.text + " " + f.unit);
    ImGui::PushStyleColor(ImGuiCol_Text, theme(app.dark).quiet);
    ImGui::TextWrapped("%s   [%s]", inputs.c_str(), l.source.c_str());
    ImGui::PopStyleColor();
  }
  ImGui::TreePop();
}

}  // namespace

void draw_detail(App& app) {
  const Detail& d = *app.detail();
  const Strings& s = app.strings();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::Indent();
  bold_text(app, d.title);
  quiet_text(app, d.subtitle + "   " + d.verdict);
  heading(app, "page.detail.memory");
  ImGui::TextUnformatted((d.memory_text + (d.memory_where.empty() ? "" : "   " + d.memory_where)).c_str());
  draw_bar(app, d.memory, width * 0.9f, ImGui::GetFontSize());
  draw_legend(app, d.memory);
  heading(app, "page.detail.time");
  ImGui::TextUnformatted(d.time_text.c_str());
  ImGui::PushID("time");
  draw_bar(app, d.time, width * 0.9f, ImGui::GetFontSize());
  draw_legend(app, d.time);
  ImGui::PopID();
  heading(app, "page.detail.figures");
  draw_figures(app, d.figures);
  heading(app, "page.detail.messages");
  draw_messages(app, d.messages);
  heading(app, "page.detail.layout");
  draw_ranks(app, d);
  draw_explanation(app, d);
  for (const Note& n : d.notes) ImGui::TextWrapped("%s", n.text.c_str());
  if (ImGui::Button(s.text("page.detail.share").c_str())) {
    ImGui::SetClipboardText(d.link.c_str());
    app.say(s.text("app.link.copied"));
  }
  ImGui::Unindent();
  ImGui::Dummy({0, ImGui::GetFontSize() * 0.5f});
}

}  // namespace gpuplan::desktop
