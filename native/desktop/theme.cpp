#include "native/desktop/theme.hpp"

#include <cstdint>

namespace gpuplan::desktop {
namespace {

ImVec4 color(std::uint32_t rgb) {
  return {static_cast<float>((rgb >> 16) & 255) / 255.0f, static_cast<float>((rgb >> 8) & 255) / 255.0f, static_cast<float>(rgb & 255) / 255.0f, 1.0f};
}

const Theme light{color(0xfcfcfa), color(0xf1f1ed), color(0x17191b), color(0x62676b), color(0xdfe0dc), color(0xc2361a)};
const Theme night{color(0x131516), color(0x1f2325), color(0xe9eae7), color(0x979da1), color(0x2c3033), color(0xff8058)};

struct PartColor { const char* id; std::uint32_t light, dark; };
constexpr PartColor parts[] = {
    {"weights", 0x34558b, 0x6f93cf},       {"master_weights", 0x7d9ac4, 0x46648f}, {"adapters", 0x2b8aa6, 0x58b3cc},    {"gradients", 0xd19a2a, 0xd8ab4b},
    {"optimizer", 0x9c6a16, 0xa87c2f},     {"activations", 0x4c8a52, 0x74b37a},    {"logits", 0x9bbf75, 0x4f7a3a},      {"kv_cache", 0x7b55a6, 0xa684d0},
    {"state_cache", 0xb49ad0, 0x735598},   {"communication", 0x2c8078, 0x4fada3},  {"exposed_comm", 0x2c8078, 0x4fada3}, {"workspace", 0x6d7277, 0x8f959a},
    {"cuda_graphs", 0x8e9398, 0x6e7479},   {"overhead", 0x8e9398, 0x6e7479},       {"context", 0xadb1b4, 0x565b5f},     {"fragmentation", 0xc7cacb, 0x43484b},
    {"bubble", 0xc7cacb, 0x43484b},        {"compute", 0xb5652b, 0xd98c55},        {"memory", 0x34558b, 0x6f93cf},      {"free", 0xe4e5e1, 0x24282a}};

void set_colors(const Theme& t) {
  ImVec4* c = ImGui::GetStyle().Colors;
  for (const int i : {ImGuiCol_WindowBg, ImGuiCol_ChildBg, ImGuiCol_TableRowBg, ImGuiCol_MenuBarBg}) c[i] = t.paper;
  for (const int i : {ImGuiCol_FrameBg, ImGuiCol_PopupBg, ImGuiCol_Button, ImGuiCol_Header, ImGuiCol_TableHeaderBg, ImGuiCol_TableRowBgAlt}) c[i] = t.raised;
  for (const int i : {ImGuiCol_Border, ImGuiCol_Separator, ImGuiCol_TableBorderLight, ImGuiCol_TableBorderStrong, ImGuiCol_FrameBgHovered, ImGuiCol_ButtonHovered,
                      ImGuiCol_HeaderHovered, ImGuiCol_ScrollbarGrab}) {
    c[i] = t.hair;
  }
  for (const int i : {ImGuiCol_FrameBgActive, ImGuiCol_ButtonActive, ImGuiCol_HeaderActive}) c[i] = {t.accent.x, t.accent.y, t.accent.z, 0.25f};
  for (const int i : {ImGuiCol_CheckMark, ImGuiCol_NavHighlight, ImGuiCol_SliderGrab, ImGuiCol_TextSelectedBg}) c[i] = {t.accent.x, t.accent.y, t.accent.z, 0.6f};
  c[ImGuiCol_Text] = t.ink;
  c[ImGuiCol_TextDisabled] = t.quiet;
  c[ImGuiCol_ScrollbarBg] = t.paper;
}

}  // namespace

const Theme& theme(bool dark) { return dark ? night : light; }

void apply_theme(bool dark, float scale) {
  ImGui::GetStyle() = ImGuiStyle();
  ImGuiStyle& s = ImGui::GetStyle();
  s.WindowPadding = {24, 16};
  s.FramePadding = {8, 4};
  s.CellPadding = {8, 5};
  s.ItemSpacing = {10, 6};
  s.FrameRounding = 3;
  s.WindowBorderSize = 0;
  s.ScrollbarSize = 12;
  set_colors(theme(dark));
  s.ScaleAllSizes(scale);
}

ImU32 part_color(const std::string& id, bool dark) {
  for (const PartColor& p : parts) {
    if (id == p.id) return ImGui::ColorConvertFloat4ToU32(color(dark ? p.dark : p.light));
  }
  return ImGui::ColorConvertFloat4ToU32(theme(dark).quiet);
}

}  // namespace gpuplan::desktop
