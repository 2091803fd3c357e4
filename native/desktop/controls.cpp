#include <algorithm>

#include "native/desktop/control.hpp"
#include "native/desktop/paint.hpp"

namespace gpuplan::desktop {
namespace {

struct Change {
  Control control;
  std::string text;
};

/// The words around a control in the sentence; a control without words of its own is led by its label.
std::pair<std::string, std::string> words(const Ui& ui, const Control& c) {
  const Strings& s = ui.session.strings();
  const std::string key = "page.line." + c.id, whole = s.has(key) ? s.text(key) : c.label + " {control}", place = "{control}";
  const std::size_t at = whole.find(place);
  if (at == std::string::npos) return {whole, ""};
  const auto trimmed = [](std::string t) {
    while (!t.empty() && t.front() == ' ') t.erase(0, 1);
    while (!t.empty() && t.back() == ' ') t.pop_back();
    return t;
  };
  std::string after = trimmed(whole.substr(at + place.size()));
  if (!c.unit.empty()) after = c.unit + (after.empty() ? "" : " " + after);
  return {trimmed(whole.substr(0, at)), after};
}

void quiet_word(const Ui& ui, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, ui.theme.quiet);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
}

/// The sentence, broken where the window ends.
void line(Ui& ui, const std::vector<Control>& all, std::optional<Change>& change) {
  const float space = ui.em(0.3f), between = ui.em(0.75f), end = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  float x = 0;
  for (const Control& c : all) {
    if (!c.in_line) continue;
    const auto [before, after] = words(ui, c);
    const auto width_of = [&](const std::string& t) { return t.empty() ? 0 : paint_text(nullptr, ui.fonts.text, {}, 0, t).x + space; };
    const float width = width_of(before) + control_width(ui, c) + width_of(after);
    if (x > 0 && x + between + width < end) ImGui::SameLine(0, between);
    else x = ImGui::GetCursorPosX();
    if (!before.empty()) {
      quiet_word(ui, before);
      ImGui::SameLine(0, space);
    }
    if (auto text = draw_control(ui, c)) change = Change{c, *text};
    if (!after.empty()) {
      ImGui::SameLine(0, space);
      quiet_word(ui, after);
    }
    x = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
  }
  const std::string more = ui.session.say("page.controls.more");
  if (x + between + paint_text(nullptr, ui.fonts.small, {}, 0, more).x + ui.em(1) < end) ImGui::SameLine(0, between);
  if (quiet_button(ui, more, "more", ui.more)) ui.more = !ui.more;
}

/// The other controls in columns, each with its label above.
void panel(Ui& ui, const std::vector<Control>& all, std::optional<Change>& change) {
  hairline(ui, ui.theme.hair);
  const float width = ImGui::GetContentRegionAvail().x, left = ImGui::GetCursorPosX();
  const int columns = std::max(1, static_cast<int>(width / ui.em(14)));
  const float step = width / static_cast<float>(columns);
  int i = 0;
  for (const Control& c : all) {
    if (c.in_line) continue;
    if (i % columns > 0) ImGui::SameLine(left + step * static_cast<float>(i % columns));
    ImGui::BeginGroup();
    flow_text(ui.fonts.small, ui.theme.quiet, c.label);
    if (auto text = draw_control(ui, c)) change = Change{c, *text};
    if (!c.unit.empty()) {
      ImGui::SameLine(0, ui.em(0.3f));
      quiet_word(ui, c.unit);
    }
    ImGui::EndGroup();
    ++i;
  }
}

}  // namespace

void draw_controls(Ui& ui) {
  std::optional<Change> change;
  const std::vector<Control>& all = ui.session.view().controls;
  ImGui::PushFont(ui.fonts.text);
  line(ui, all, change);
  if (ui.more) panel(ui, all, change);
  ImGui::PopFont();
  for (const auto& [pointer, refusal] : ui.session.refusals()) {
    flow_text(ui.fonts.small, ui.theme.accent, "! " + refusal.sentence + " " + ui.session.say("page.error.last_good"));
  }
  // Only now: a change replaces the view that the controls came from.
  if (change) ui.session.change(change->control, change->text);
}

}  // namespace gpuplan::desktop
