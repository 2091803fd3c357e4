#include <imgui.h>
#include <imgui_stdlib.h>

#include "native/desktop/draw.hpp"
#include "native/desktop/theme.hpp"

namespace gpuplan::desktop {
namespace {

std::string with_unit(const Cell& c) { return c.unit.empty() ? c.text : c.text + " " + c.unit; }

float column_weight(const std::string& id) {
  if (id == "instance") return 2.0f;
  if (id == "gpus" || id == "how" || id == "memory") return 1.7f;
  return id == "speed" ? 2.2f : 1.0f;
}

void draw_cell(const App& app, const Cell& c, const Column& column) {
  const Theme& t = theme(app.dark);
  if (!c.bar.empty()) draw_bar(app, c.bar, ImGui::GetContentRegionAvail().x, ImGui::GetFontSize() * 0.55f);
  if (c.range_low && c.range_high) {
    draw_range(app, *c.range_low, *c.range_high, ImGui::GetFontSize() * 4.0f);
    ImGui::SameLine();
  }
  ImGui::PushStyleColor(ImGuiCol_Text, c.weak ? t.quiet : t.ink);
  if (c.strong) bold_text(app, with_unit(c), column.number);
  else if (column.number) end_text(with_unit(c));
  else ImGui::TextWrapped("%s", with_unit(c).c_str());
  ImGui::PopStyleColor();
  if (c.sub.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, t.quiet);
  const bool fits = ImGui::CalcTextSize(c.sub.c_str()).x <= ImGui::GetContentRegionAvail().x;
  if (column.number && fits) end_text(c.sub);
  else ImGui::TextWrapped("%s", c.sub.c_str());
  ImGui::PopStyleColor();
}

void draw_row(App& app, const Table& table, const Row& row) {
  ImGui::TableNextRow();
  std::string line = table.id;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    ImGui::TableNextColumn();
    if (i == 0) {
      // The first column carries the row's button over the whole row.
      const ImVec2 at = ImGui::GetCursorPos();
      if (ImGui::Selectable(("##" + row.link).c_str(), app.open_row() == row.link, ImGuiSelectableFlags_SpanAllColumns, {0, ImGui::GetFontSize() * 2.6f})) app.toggle(row);
      ImGui::SetCursorPos(at);
    }
    draw_cell(app, row.cells[i], table.columns[i]);
    line += " | " + with_unit(row.cells[i]);
  }
  app.drawn.push_back(line);
}

void draw_headers(const App& app, const Table& table) {
  ImGui::TableNextRow();
  for (const Column& c : table.columns) {
    ImGui::TableNextColumn();
    ImGui::PushStyleColor(ImGuiCol_Text, theme(app.dark).quiet);
    if (c.number) end_text(c.label);
    else ImGui::TextUnformatted(c.label.c_str());
    ImGui::PopStyleColor();
    if (!c.help.empty() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", c.help.c_str());
  }
}

bool begin_rows(const Table& table) {
  const ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_PadOuterX;
  if (!ImGui::BeginTable("rows", static_cast<int>(table.columns.size()), flags)) return false;
  for (const Column& c : table.columns) ImGui::TableSetupColumn(c.id.c_str(), ImGuiTableColumnFlags_WidthStretch, column_weight(c.id));
  return true;
}

}  // namespace

void draw_table(App& app, const Table& table) {
  ImGui::PushID(table.id.c_str());
  ImGui::Dummy({0, ImGui::GetFontSize() * 0.6f});
  ImGui::SetWindowFontScale(1.25f);
  bold_text(app, table.title);
  ImGui::SetWindowFontScale(1.0f);
  ImGui::SameLine();
  quiet_text(app, table.subtitle);
  if (!table.summary.empty()) {
    ImGui::SameLine();
    end_text(table.summary);
  }
  if (table.rows.empty()) {
    ImGui::TextWrapped("%s", table.empty.c_str());
    app.drawn.push_back(table.id + " | " + table.empty);
  } else if (begin_rows(table)) {
    draw_headers(app, table);
    bool open = true;
    for (const Row& row : table.rows) {
      if (!open) open = begin_rows(table);
      draw_row(app, table, row);
      if (app.detail() && app.open_row() == row.link) {
        ImGui::EndTable();
        open = false;
        draw_detail(app);
      }
    }
    if (open) ImGui::EndTable();
  }
  ImGui::PopID();
}

void draw_header(App& app) {
  const Strings& s = app.strings();
  ImGui::AlignTextToFramePadding();
  bold_text(app, "gpuplan");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 22.0f);
  if (ImGui::InputTextWithHint("##link", s.text("app.link.hint").c_str(), &app.link_input, ImGuiInputTextFlags_EnterReturnsTrue)) app.open_link(app.link_input);
  ImGui::SameLine();
  if (ImGui::Button(s.text("app.link.open").c_str())) app.open_link(app.link_input);
  ImGui::SameLine();
  if (ImGui::Button(s.text("app.link.copy").c_str())) {
    ImGui::SetClipboardText(app.view().link.c_str());
    app.say(s.text("app.link.copied"));
  }
  ImGui::SameLine();
  if (ImGui::Button(s.text("page.language").c_str())) app.set_language(app.language() == Language::en ? Language::zh : Language::en);
  ImGui::SameLine();
  if (ImGui::Button(s.text(app.dark ? "app.light" : "app.dark").c_str())) app.dark = !app.dark;
  ImGui::SameLine();
  quiet_text(app, app.status());
  ImGui::Separator();
}

void draw(App& app) {
  app.drawn.clear();
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->WorkPos);
  ImGui::SetNextWindowSize(viewport->WorkSize);
  ImGui::Begin("gpuplan", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  draw_header(app);
  draw_controls(app);
  ImGui::BeginChild("tables");
  // A click can make the tables anew while they are drawn, so they are drawn from a copy.
  const std::vector<Table> tables = app.view().tables;
  for (const Table& t : tables) draw_table(app, t);
  ImGui::Dummy({0, ImGui::GetFontSize()});
  quiet_text(app, app.view().data_line);
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace gpuplan::desktop
