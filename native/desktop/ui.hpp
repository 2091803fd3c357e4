#pragma once
/// What every drawing function is given: the session, colours, fonts and scale; what it asks the window to do afterwards.
#include <optional>
#include <string>
#include <vector>

#include "native/desktop/fonts.hpp"
#include "native/desktop/session.hpp"
#include "native/desktop/theme.hpp"

namespace gpuplan::desktop {

struct Ui {
  Session& session;
  Theme theme;
  Fonts fonts;
  float scale = 1;
  bool more = false;                      ///< controls behind "more" are shown
  std::string pasted{};                   ///< text of the link field
  std::string notice{};                   ///< "Link copied"
  std::string axis{};                     ///< colours of the rank drawing
  std::vector<std::string> drawn{};       ///< the rows of the last frame as text, written while they were drawn
  std::optional<std::string> scroll_to{}; ///< link of a row to bring into view
  std::optional<bool> want_dark{};
  std::optional<Language> want_language{};
  std::vector<std::string> dropped{};     ///< files that were dropped on the window since the last frame

  float em(float n) const { return n * 16.5f * scale; }
};

/// One whole frame.
void draw_frame(Ui&);
void draw_header(Ui&);
void draw_controls(Ui&);
void draw_table(Ui&, const Table&);
void draw_detail(Ui&, const Detail&, const char* id);
void draw_explain(Ui&, const Detail&);
void draw_ranks(Ui&, const Detail&);
void draw_messages(Ui&, const Table&);
/// Copies a link and says so.
void copy_link(Ui&, const std::string& link);

}  // namespace gpuplan::desktop
