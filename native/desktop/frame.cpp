#include <imgui.h>
#include <imgui_stdlib.h>

#include "core/scenario/link.hpp"
#include "native/desktop/paint.hpp"

namespace gpuplan::desktop {
namespace {

void banners(Ui& ui) {
  for (const std::string& line : ui.session.banners()) flow_text(ui.fonts.text, ui.theme.accent, line);
}

void open_pasted(Ui& ui) {
  ui.session.open(ui.pasted);
  ui.notice.clear();
  if (ui.session.banners().empty()) ui.pasted.clear();
}

/// Ctrl+C copies the link of what is shown, Ctrl+V opens the one of the clipboard; a text field has them first.
void shortcuts(Ui& ui) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!io.KeyCtrl || io.WantTextInput) return;
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_C), false)) copy_link(ui, ui.session.view().link);
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_V), false)) {
    const char* text = ImGui::GetClipboardText();
    ui.pasted = text ? std::string(text).substr(0, max_link_bytes) : "";
    open_pasted(ui);
  }
}

void mark(const Ui& ui) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float u = ui.em(1.6f) / 32;
  list->AddRectFilled({at.x + 2 * u, at.y + 10 * u}, {at.x + 30 * u, at.y + 22 * u}, ui.theme.line, 1.5f * u);
  list->AddRectFilled({at.x + 2 * u, at.y + 10 * u}, {at.x + 18 * u, at.y + 22 * u}, ui.theme.ink, 1.5f * u);
  list->AddRectFilled({at.x + 19.5f * u, at.y + 4 * u}, {at.x + 22.5f * u, at.y + 28 * u}, ui.theme.accent);
  ImGui::Dummy({ui.em(1.6f), ui.em(1.6f)});
}

void link_field(Ui& ui, float width) {
  ImGui::SetNextItemWidth(width);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, ui.theme.raised);
  ImGui::PushFont(ui.fonts.small);
  if (ImGui::InputTextWithHint("##link", ui.session.say("app.link.hint").c_str(), &ui.pasted, ImGuiInputTextFlags_EnterReturnsTrue) && !ui.pasted.empty()) open_pasted(ui);
  ImGui::PopFont();
  ImGui::PopStyleColor();
}

}  // namespace

void copy_link(Ui& ui, const std::string& link) {
  ImGui::SetClipboardText(link.c_str());
  ui.notice = ui.session.say("page.share.done");
}

void draw_header(Ui& ui) {
  mark(ui);
  ImGui::SameLine(0, ui.em(0.5f));
  ImGui::PushFont(ui.fonts.control);
  if (ImGui::Button("gpuplan")) ui.session.start_over();
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", ui.session.say("page.controls.reset").c_str());
  ImGui::PopFont();
  const Strings& s = ui.session.strings();
  const std::string share = ui.notice.empty() ? s.text("app.link.copy") : ui.notice, language = s.text("page.language"), colours = s.text(ui.theme.dark ? "app.light" : "app.dark");
  float right = ui.em(3.2f);
  for (const std::string* t : {&share, &language, &colours}) right += paint_text(nullptr, ui.fonts.small, {}, 0, *t).x;
  ImGui::SameLine(0, ui.em(1.5f));
  link_field(ui, std::max(ui.em(8), ImGui::GetContentRegionAvail().x - right));
  ImGui::SameLine(0, ui.em(0.8f));
  if (quiet_button(ui, share, "share")) copy_link(ui, ui.session.view().link);
  ImGui::SameLine(0, ui.em(0.4f));
  const bool chinese = ui.session.language() == Language::zh;
  if (quiet_button(ui, language, "language")) {
    if (ui.fonts.chinese || chinese) ui.want_language = chinese ? Language::en : Language::zh;
    else ui.notice = s.text("app.no_chinese_font");
  }
  ImGui::SameLine(0, ui.em(0.4f));
  if (quiet_button(ui, colours, "colours")) ui.want_dark = !ui.theme.dark;
}

void draw_frame(Ui& ui) {
  ui.drawn.clear();
  const ImGuiIO& io = ImGui::GetIO();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(io.DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {std::max(ui.em(1), std::min(io.DisplaySize.x * 0.032f, ui.em(2.5f))), ui.em(0.7f)});
  const auto plain = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;
  ImGui::Begin("gpuplan", nullptr, plain);
  ImGui::PopStyleVar();
  ImGui::PushFont(ui.fonts.text);
  shortcuts(ui);
  draw_header(ui);
  hairline(ui, ui.theme.hair);
  draw_controls(ui);
  banners(ui);
  hairline(ui, ui.theme.hair);
  ImGui::BeginChild("tables", {0, 0}, false, ImGuiWindowFlags_NavFlattened);
  if (ui.session.plan()) draw_detail(ui, *ui.session.plan(), "plan");
  for (const Table& t : ui.session.view().tables) draw_table(ui, t);
  ImGui::Dummy({0, ui.em(1.5f)});
  hairline(ui, ui.theme.hair);
  flow_text(ui.fonts.small, ui.theme.quiet, ui.session.view().data_line);
  flow_text(ui.fonts.small, ui.theme.quiet, ui.session.say("app.private"));
  ImGui::EndChild();
  ImGui::PopFont();
  ImGui::End();
}

}  // namespace gpuplan::desktop
