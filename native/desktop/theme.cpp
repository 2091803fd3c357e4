#include "native/desktop/theme.hpp"

namespace gpuplan::desktop {
namespace {

struct Pair {
  std::string_view id;
  unsigned light, dark;
};

constexpr Pair parts[] = {
    {"weights", 0x34558b, 0x6f93cf},    {"master_weights", 0x7d9ac4, 0x46648f}, {"adapters", 0x2b8aa6, 0x58b3cc},      {"gradients", 0xd19a2a, 0xd8ab4b},
    {"optimizer", 0x9c6a16, 0xa87c2f},  {"activations", 0x4c8a52, 0x74b37a},    {"logits", 0x9bbf75, 0x4f7a3a},        {"kv_cache", 0x7b55a6, 0xa684d0},
    {"state_cache", 0xb49ad0, 0x735598}, {"communication", 0x2c8078, 0x4fada3}, {"workspace", 0x6d7277, 0x8f959a},     {"cuda_graphs", 0x8e9398, 0x6e7479},
    {"context", 0xadb1b4, 0x565b5f},    {"fragmentation", 0xc7cacb, 0x43484b},  {"compute", 0xb5652b, 0xd98c55},       {"memory", 0x34558b, 0x6f93cf},
    {"exposed_comm", 0x2c8078, 0x4fada3}, {"bubble", 0xc7cacb, 0x43484b},       {"overhead", 0x8e9398, 0x6e7479},
};
constexpr Pair groups[] = {{"", 0xdbe4f3, 0x2a3d5e}, {"", 0xf4e3c1, 0x5a441a}, {"", 0xd9ead8, 0x274a2c}, {"", 0xe7dcf1, 0x47315f},
                           {"", 0xf6d9ce, 0x61301f}, {"", 0xd2eae8, 0x1d4a47}, {"", 0xf3d9e6, 0x5a2a43}, {"", 0xe3e4e0, 0x3d4144}};

ImU32 colour(unsigned rgb, unsigned alpha = 255) { return IM_COL32((rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255, alpha); }
ImVec4 vec(ImU32 c) { return ImGui::ColorConvertU32ToFloat4(c); }

}  // namespace

Theme make_theme(bool dark) {
  if (dark) return {colour(0x131516), colour(0x1a1d1f), colour(0xe9eae7), colour(0x979da1), colour(0x2c3033), colour(0x4a4f53), colour(0xff8058), colour(0x2a2e31), true};
  return {colour(0xfcfcfa), colour(0xf5f5f2), colour(0x17191b), colour(0x62676b), colour(0xdfe0dc), colour(0xb9bbb6), colour(0xc2361a), colour(0xe6e7e3), false};
}

ImU32 part_colour(std::string_view id, bool dark) {
  if (id == "free") return 0;
  for (const Pair& p : parts) {
    if (p.id == id) return colour(dark ? p.dark : p.light);
  }
  return colour(dark ? 0x979da1 : 0x62676b);
}

ImU32 group_colour(int group, bool dark) {
  const Pair& p = groups[static_cast<unsigned>(group) % (sizeof groups / sizeof *groups)];
  return colour(dark ? p.dark : p.light);
}

void apply_style(const Theme& t, float scale) {
  ImGuiStyle style;
  style.WindowPadding = {14, 10};
  style.FramePadding = {4, 4};
  style.ItemSpacing = {8, 6};
  style.WindowBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameRounding = style.PopupRounding = style.ScrollbarRounding = 3;
  style.ScrollbarSize = 12;
  style.ScaleAllSizes(scale);
  for (ImVec4& c : style.Colors) c = vec(0);
  ImVec4* c = style.Colors;
  c[ImGuiCol_Text] = vec(t.ink);
  c[ImGuiCol_TextDisabled] = vec(t.quiet);
  c[ImGuiCol_WindowBg] = c[ImGuiCol_PopupBg] = vec(t.paper);
  c[ImGuiCol_Border] = c[ImGuiCol_ScrollbarGrab] = vec(t.line);
  c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = vec(t.quiet);
  c[ImGuiCol_Header] = c[ImGuiCol_HeaderHovered] = c[ImGuiCol_HeaderActive] = c[ImGuiCol_ButtonHovered] = c[ImGuiCol_ButtonActive] = vec(t.raised);
  c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_FrameBgActive] = vec(t.raised);
  c[ImGuiCol_CheckMark] = c[ImGuiCol_NavHighlight] = vec(t.accent);
  c[ImGuiCol_TextSelectedBg] = vec((t.accent & 0x00ffffffu) | 0x50000000u);
  ImGui::GetStyle() = style;
}

}  // namespace gpuplan::desktop
