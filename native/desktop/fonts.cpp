#include "native/desktop/fonts.hpp"

#include <fontconfig/fontconfig.h>

#include <optional>

namespace gpuplan::desktop {
namespace {

struct FontFile {
  std::string path;
  int index = 0;
};

/// The system's font for a pattern such as "sans-serif:lang=zh-cn:bold"; for a language only one that has its glyphs.
std::optional<FontFile> find_font(const std::string& wanted, const char* language) {
  FcPattern* pattern = FcNameParse(reinterpret_cast<const FcChar8*>(wanted.c_str()));
  FcConfigSubstitute(nullptr, pattern, FcMatchPattern);
  FcDefaultSubstitute(pattern);
  FcResult result = FcResultNoMatch;
  FcPattern* match = FcFontMatch(nullptr, pattern, &result);
  FcPatternDestroy(pattern);
  if (!match) return std::nullopt;
  FcChar8* path = nullptr;
  FcLangSet* languages = nullptr;
  FontFile out;
  FcPatternGetInteger(match, FC_INDEX, 0, &out.index);
  out.index &= 0xffff;
  bool usable = FcPatternGetString(match, FC_FILE, 0, &path) == FcResultMatch;
  if (usable && language) {
    usable = FcPatternGetLangSet(match, FC_LANG, 0, &languages) == FcResultMatch && FcLangSetHasLang(languages, reinterpret_cast<const FcChar8*>(language)) == FcLangEqual;
  }
  if (usable) out.path = reinterpret_cast<const char*>(path);
  FcPatternDestroy(match);
  return usable ? std::optional(out) : std::nullopt;
}

/// Chinese fonts draw these as wide as a character; between Latin words they come from the Latin font.
constexpr ImWchar wide_signs[] = {0x00b5, 0x00b7, 0x00d7, 0x00f7, 0x2013, 0x2014, 0x2026, 0x2248, 0x2264, 0x2265};

/// The glyphs that our texts need; common Chinese characters too where a person's own text may show up.
ImVector<ImWchar> glyphs(const Context& context, const std::string& more, bool common, bool signs) {
  ImFontGlyphRangesBuilder builder;
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  builder.AddRanges(atlas->GetGlyphRangesDefault());
  builder.AddText("–—…×·÷−≤≥°µ→¥€“”‘’Δ≈∑αβ");
  builder.AddText(more.c_str());
  for (const Strings* s : {&context.en, &context.zh}) {
    for (const auto& [key, text] : s->all()) builder.AddText(text.c_str());
  }
  if (common) builder.AddRanges(atlas->GetGlyphRangesChineseSimplifiedCommon());
  for (const ImWchar c : wide_signs) {
    if (!signs) builder.UsedChars[c >> 5] &= ~(1u << (c & 31));
  }
  ImVector<ImWchar> out;
  builder.BuildRanges(&out);
  return out;
}

ImFont* add(const std::optional<FontFile>& font, float pixels, const ImVector<ImWchar>& ranges, bool merge) {
  if (!font) return nullptr;
  ImFontConfig config;
  config.FontNo = font->index;
  config.MergeMode = merge;
  config.OversampleH = 2;
  return ImGui::GetIO().Fonts->AddFontFromFileTTF(font->path.c_str(), pixels, &config, ranges.Data);
}

}  // namespace

Fonts load_fonts(const Context& context, const std::string& more, float scale) {
  const auto latin = find_font("sans-serif", nullptr), latin_bold = find_font("sans-serif:bold", nullptr);
  const auto chinese = find_font("sans-serif:lang=zh-cn", "zh-cn"), chinese_bold = find_font("sans-serif:lang=zh-cn:bold", "zh-cn");
  // The atlas keeps pointers into the ranges until it is built.
  const ImVector<ImWchar> needed = glyphs(context, more, false, !chinese), all = glyphs(context, more, true, !chinese), latins = glyphs(context, more, false, true);
  const auto make = [&](bool bold, float size, const ImVector<ImWchar>& ranges) {
    const auto& first = chinese ? (bold ? chinese_bold : chinese) : (bold ? latin_bold : latin);
    ImFont* font = add(first, size * scale, ranges, false);
    if (!font) font = ImGui::GetIO().Fonts->AddFontDefault();
    if (chinese) add(bold ? latin_bold : latin, size * scale, latins, true);
    return font;
  };
  Fonts out{make(false, 16.5f, all), make(true, 16.5f, needed), make(false, 14.0f, all), make(true, 18.0f, needed), make(true, 23.0f, needed), chinese.has_value()};
  ImGui::GetIO().Fonts->Build();
  return out;
}

}  // namespace gpuplan::desktop
