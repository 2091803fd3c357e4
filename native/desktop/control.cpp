#include "native/desktop/control.hpp"

#include <algorithm>
#include <cstring>

#include "native/desktop/paint.hpp"

namespace gpuplan::desktop {
namespace {

// A list longer than this is easier to search than to read.
constexpr std::size_t worth_filtering = 12;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    if (comma > at) out.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return out;
}

std::string label_of(const Control& c, const std::string& value) {
  for (const ControlOption& o : c.options) {
    if (o.value == value) return o.label;
  }
  return value;
}

/// The words that stand for the value.
std::string shown(const Ui& ui, const Control& c) {
  const std::string text = control_text(ui, c);
  if (c.kind != ControlKind::multiple) return label_of(c, text);
  const auto chosen = split(text);
  const Strings& s = ui.session.strings();
  const std::string any = "page.any." + c.id;
  if (chosen.empty()) return s.text(s.has(any) ? any : "page.multiple.any");
  const std::string first = label_of(c, chosen.front());
  return chosen.size() == 1 ? first : s.text("page.multiple.more", {{"first", first}, {"count", std::to_string(chosen.size() - 1)}});
}

bool holds(std::string text, std::string part) {
  const auto lower = [](std::string& s) { for (char& c : s) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  lower(text);
  lower(part);
  return text.find(part) != std::string::npos;
}

std::string flipped(const Control& c, const std::vector<std::string>& chosen, const std::string& value) {
  std::string out;
  for (const ControlOption& o : c.options) {
    const bool was = std::find(chosen.begin(), chosen.end(), o.value) != chosen.end();
    if (was != (o.value == value)) out += (out.empty() ? "" : ",") + o.value;
  }
  return out;
}

std::optional<std::string> draw_options(Ui& ui, const Control& c, const std::string& filter) {
  std::optional<std::string> out;
  const std::string text = control_text(ui, c);
  const auto chosen = split(text);
  for (const ControlOption& o : c.options) {
    if (!holds(o.label, filter)) continue;
    ImGui::PushID(o.value.c_str());
    if (c.kind == ControlKind::multiple) {
      bool on = std::find(chosen.begin(), chosen.end(), o.value) != chosen.end();
      if (ImGui::Checkbox(o.label.c_str(), &on)) out = flipped(c, chosen, o.value);
    } else {
      if (ImGui::Selectable(o.label.c_str(), o.value == text)) out = o.value;
      if (o.value == text && ImGui::IsWindowAppearing()) ImGui::SetItemDefaultFocus(), ImGui::SetScrollHereY();
    }
    ImGui::PopID();
  }
  return out;
}

std::optional<std::string> popup(Ui& ui, const Control& c) {
  static char filter[64];
  std::optional<std::string> out;
  ImGui::SetNextWindowSizeConstraints({ui.em(9), 0}, {ui.em(26), ui.em(24)});
  if (!ImGui::BeginPopup("options")) return out;
  ImGui::PushFont(ui.fonts.text);
  if (ImGui::IsWindowAppearing()) filter[0] = 0;
  if (c.options.size() > worth_filtering) {
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(ui.em(14));
    ImGui::InputTextWithHint("##filter", ui.session.say("page.multiple.filter").c_str(), filter, sizeof filter);
  }
  if (c.kind == ControlKind::multiple) {
    if (c.options.size() > worth_filtering) ImGui::SameLine();
    if (quiet_button(ui, ui.session.say("page.multiple.clear"), "clear")) out = "";
  }
  if (auto picked = draw_options(ui, c, filter)) out = picked;
  ImGui::PopFont();
  ImGui::EndPopup();
  return out;
}

void underline(const Ui& ui, const Control& c) {
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  const bool bad = ui.session.refusals().count(c.pointer) > 0;
  ImGui::GetWindowDrawList()->AddLine({from.x, to.y}, to, bad ? ui.theme.accent : ImGui::IsItemHovered() ? ui.theme.ink : ui.theme.line, bad ? 2 * ui.scale : ui.scale);
}

std::optional<std::string> number(Ui& ui, const Control& c) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%s", control_text(ui, c).c_str());
  ImGui::SetNextItemWidth(control_width(ui, c));
  const bool changed = ImGui::InputTextWithHint("##value", c.default_value.c_str(), buffer, sizeof buffer);
  underline(ui, c);
  return changed ? std::optional<std::string>(buffer) : std::nullopt;
}

}  // namespace

std::string control_text(const Ui& ui, const Control& c) {
  const auto refused = ui.session.refusals().find(c.pointer);
  return refused == ui.session.refusals().end() ? c.value : refused->second.text;
}

float control_width(const Ui& ui, const Control& c) {
  const ImVec2 size = paint_text(nullptr, ui.fonts.control, {}, 0, shown(ui, c));
  if (c.kind == ControlKind::number) return std::max(size.x, ui.em(1.6f)) + ui.em(0.7f);
  return size.x + ui.em(1.2f);
}

std::optional<std::string> draw_control(Ui& ui, const Control& c) {
  ImGui::PushID(c.id.c_str());
  ImGui::PushFont(ui.fonts.control);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.em(0.12f), ui.em(0.15f)});
  std::optional<std::string> out;
  if (c.kind == ControlKind::number) {
    out = number(ui, c);
  } else if (c.kind == ControlKind::toggle) {
    bool on = c.value == "true";
    if (ImGui::Checkbox("##value", &on)) out = on ? "true" : "false";
  } else {
    ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, {0, 0.5f});
    if (ImGui::Button((shown(ui, c) + "###value").c_str(), {control_width(ui, c), 0})) ImGui::OpenPopup("options");
    ImGui::PopStyleVar();
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    const float x = to.x - ui.em(0.45f), y = (from.y + to.y) / 2, s = ui.em(0.18f);
    const ImVec2 chevron[] = {{x - s, y - s / 2}, {x, y + s / 2}, {x + s, y - s / 2}};
    ImGui::GetWindowDrawList()->AddPolyline(chevron, 3, ui.theme.quiet, 0, 1.4f * ui.scale);
    underline(ui, c);
  }
  if (!c.help.empty() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", c.help.c_str());
  ImGui::PopStyleVar();
  ImGui::PopFont();
  if (auto picked = popup(ui, c)) out = picked;
  ImGui::PopID();
  return out;
}

}  // namespace gpuplan::desktop
