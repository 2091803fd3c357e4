#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "native/desktop/draw.hpp"
#include "native/desktop/theme.hpp"

namespace gpuplan::desktop {
namespace {

const char* label_of(const Control& c, const std::string& value) {
  for (const ControlOption& o : c.options) {
    if (o.value == value) return o.label.c_str();
  }
  return value.c_str();
}

bool listed(const std::string& list, const std::string& value) { return ("," + list + ",").find("," + value + ",") != std::string::npos; }

/// The comma-separated list with `value` added or taken out.
std::string toggled(const std::string& list, const std::string& value) {
  std::string out;
  bool found = false;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    const std::string entry = list.substr(at, comma - at);
    if (entry == value) found = true;
    else out += (out.empty() ? "" : ",") + entry;
    at = comma + 1;
  }
  return found ? out : out + (out.empty() ? "" : ",") + value;
}

void draw_choice(App& app, const Control& c) {
  static std::string filter;
  if (!ImGui::BeginCombo("##value", label_of(c, c.value))) return;
  constexpr std::size_t long_list = 20;
  if (c.options.size() > long_list) {
    if (ImGui::IsWindowAppearing()) {
      filter.clear();
      ImGui::SetKeyboardFocusHere();
    }
    ImGui::InputText("##filter", &filter);
  }
  for (const ControlOption& o : c.options) {
    if (c.options.size() > long_list && !ImGuiTextFilter(filter.c_str()).PassFilter(o.label.c_str())) continue;
    if (ImGui::Selectable((o.label + "##" + o.value).c_str(), o.value == c.value)) app.set(c.pointer, o.value);
  }
  ImGui::EndCombo();
}

void draw_multiple(App& app, const Control& c) {
  const std::string shown = c.value.empty() ? app.strings().text("page.any." + c.id) : c.value;
  if (!ImGui::BeginCombo("##value", shown.c_str())) return;
  for (const ControlOption& o : c.options) {
    bool on = listed(c.value, o.value);
    if (ImGui::Checkbox((o.label + "##" + o.value).c_str(), &on)) app.set(c.pointer, toggled(c.value, o.value));
  }
  ImGui::EndCombo();
}

void draw_number(App& app, const Control& c) {
  std::string text = c.value;
  if (ImGui::InputText("##value", &text, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CharsScientific)) app.set(c.pointer, text);
  if (ImGui::IsItemDeactivatedAfterEdit() && text != c.value) app.set(c.pointer, text);
}

void draw_control(App& app, const Control& c) {
  ImGui::PushID(c.id.c_str());
  ImGui::AlignTextToFramePadding();
  quiet_text(app, c.unit.empty() ? c.label : c.label + " (" + c.unit + ")");
  ImGui::SetNextItemWidth(-1);
  switch (c.kind) {
    case ControlKind::choice: draw_choice(app, c); break;
    case ControlKind::multiple: draw_multiple(app, c); break;
    case ControlKind::number: draw_number(app, c); break;
    case ControlKind::toggle: {
      bool on = c.value == "true";
      if (ImGui::Checkbox("##value", &on)) app.set(c.pointer, on ? "1" : "0");
      break;
    }
  }
  if (!c.help.empty() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", c.help.c_str());
  if (app.error_pointer() == c.pointer) ImGui::TextColored(theme(app.dark).accent, "%s", app.error().c_str());
  ImGui::PopID();
}

void draw_group(App& app, const char* id, bool in_line) {
  if (!ImGui::BeginTable(id, columns_of(ImGui::GetFontSize() * 11.0f), ImGuiTableFlags_SizingStretchSame)) return;
  // A change makes the controls anew while they are drawn, so they are drawn from a copy.
  const std::vector<Control> controls = app.view().controls;
  for (const Control& c : controls) {
    if (c.in_line != in_line) continue;
    ImGui::TableNextColumn();
    draw_control(app, c);
  }
  ImGui::EndTable();
}

}  // namespace

void draw_controls(App& app) {
  draw_group(app, "line", true);
  const Strings& s = app.strings();
  if (ImGui::Button(s.text(app.more ? "app.less" : "app.more").c_str())) app.more = !app.more;
  if (app.more) draw_group(app, "more", false);
  if (!app.error().empty()) {
    ImGui::TextColored(theme(app.dark).accent, "%s", app.error().c_str());
    quiet_text(app, s.text("page.error.last_good"));
  }
  for (const Note& n : app.view().notes) ImGui::TextColored(theme(app.dark).accent, "%s", n.text.c_str());
}

}  // namespace gpuplan::desktop
