#include "native/desktop/fonts.hpp"

#include <filesystem>

namespace gpuplan::desktop {
namespace {

constexpr const char* latin_faces[] = {"/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf", "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
                                       "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/System/Library/Fonts/Helvetica.ttc", "C:/Windows/Fonts/segoeui.ttf"};
constexpr const char* bold_faces[] = {"/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf", "/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf",
                                      "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf", "C:/Windows/Fonts/segoeuib.ttf"};
constexpr float chinese_scale = 1.15f;  // Chinese glyphs fill less of their em than Latin capitals do
struct ChineseFace { const char* path; int index; };
constexpr ChineseFace chinese_faces[] = {{"/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", 2}, {"/usr/share/fonts/truetype/wqy/wqy-microhei.ttc", 0},
                                         {"/System/Library/Fonts/PingFang.ttc", 0}, {"C:/Windows/Fonts/msyh.ttc", 0}};
// Basic Latin and Latin-1, then the signs of our texts: – … µ × · ≤ ± ▸ ▾ and arrows.
constexpr ImWchar latin_ranges[] = {0x0020, 0x00FF, 0x2010, 0x2026, 0x20AC, 0x20AC, 0x2190, 0x2193, 0x2248, 0x2265, 0x03BC, 0x03BC, 0};

const char* first_present(const char* const* begin, const char* const* end) {
  std::error_code ignored;
  for (; begin != end; ++begin) {
    if (std::filesystem::exists(*begin, ignored)) return *begin;
  }
  return nullptr;
}

}  // namespace

Fonts load_fonts(float size, const std::string& texts) {
  Fonts out;
  ImGuiIO& io = ImGui::GetIO();
  io.Fonts->Clear();
  const char* latin = first_present(std::begin(latin_faces), std::end(latin_faces));
  if (latin) io.Fonts->AddFontFromFileTTF(latin, size, nullptr, latin_ranges);
  else io.Fonts->AddFontDefault();
  static ImVector<ImWchar> ranges;  // must live as long as the atlas
  ranges.clear();
  ImFontGlyphRangesBuilder builder;
  builder.AddText(texts.c_str());
  builder.BuildRanges(&ranges);
  std::error_code ignored;
  for (const ChineseFace& face : chinese_faces) {
    if (!std::filesystem::exists(face.path, ignored)) continue;
    ImFontConfig config;
    config.MergeMode = true;
    config.FontNo = face.index;
    config.GlyphOffset.y = -size * 0.05f;
    out.chinese = io.Fonts->AddFontFromFileTTF(face.path, size * chinese_scale, &config, ranges.Data) != nullptr;
    break;
  }
  const char* bold = first_present(std::begin(bold_faces), std::end(bold_faces));
  out.bold = bold ? io.Fonts->AddFontFromFileTTF(bold, size, nullptr, latin_ranges) : io.Fonts->Fonts[0];
  io.Fonts->Build();
  return out;
}

}  // namespace gpuplan::desktop
