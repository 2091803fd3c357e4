/// gpuplan-desktop: the tables of the page in a window, offline, from the same view model.
#include <backends/imgui_impl_sdl.h>

#include <exception>
#include <iostream>

#include "core/scenario/link.hpp"
#include "core/scenario/resolve.hpp"
#include "native/cli/files.hpp"
#include "native/desktop/ui.hpp"
#include "native/desktop/window.hpp"

namespace gpuplan::desktop {
namespace {

// ImGui needs a few frames after an event until sizes and popups have settled; then the window sleeps.
constexpr int frames_after_event = 4;

/// Texts of the view that are in neither language's strings: names of models, clouds, instances.
std::string names(const View& view) {
  std::string out;
  for (const Control& c : view.controls) {
    for (const ControlOption& o : c.options) out += o.label;
  }
  return out;
}

void print(const Ui& ui) {
  for (const std::string& line : ui.drawn) std::cout << line << "\n";
  for (const std::string& line : ui.session.banners()) std::cout << "banner\t" << line << "\n";
  std::cout << "link\t" << ui.session.view().link << "\n";
  if (ui.session.detail()) std::cout << "row-link\t" << ui.session.detail()->link << "\n";
}

void open_row(Ui& ui, int number) {
  for (const Table& t : ui.session.view().tables) {
    for (const Row& r : t.rows) {
      if (--number > 0) continue;
      ui.scroll_to = r.link;
      return ui.session.toggle_row(r.link);
    }
  }
}

/// Carries out what drawing asked for, and takes what was dropped.
void carry_out(Ui& ui, Settings& settings) {
  if (!ui.dropped.empty()) {
    ui.session.bring(ui.dropped);
    ui.dropped.clear();
  }
  if (ui.want_dark) {
    settings.dark = *ui.want_dark;
    ui.theme = make_theme(settings.dark);
    apply_style(ui.theme, ui.scale);
    ui.want_dark.reset();
  }
  if (ui.want_language) {
    settings.language = *ui.want_language == Language::zh ? "zh" : "en";
    ui.session.set_language(*ui.want_language);
    ui.notice.clear();
    ui.want_language.reset();
  }
}

Uint32 push_quit(Uint32, void*) {
  SDL_Event e{};
  e.type = SDL_QUIT;
  SDL_PushEvent(&e);
  return 0;
}

void take_dropped(const SDL_Event& e, Ui& ui) {
  if (e.type != SDL_DROPFILE && e.type != SDL_DROPTEXT) return;
  const std::string text = e.drop.file ? e.drop.file : "";
  SDL_free(e.drop.file);
  if (e.type == SDL_DROPFILE) ui.dropped.push_back(text);
  else ui.session.open(text.substr(0, max_link_bytes));
}

/// Sleeps until something happens; false when the window is to close.
bool wait(int& frames_due, Ui& ui) {
  SDL_Event e;
  if (frames_due == 0 && !SDL_WaitEvent(&e)) return true;
  bool waited = frames_due == 0;
  while (waited || SDL_PollEvent(&e)) {
    waited = false;
    if (e.type == SDL_QUIT) return false;
    take_dropped(e, ui);
    ImGui_ImplSDL2_ProcessEvent(&e);
    frames_due = frames_after_event;
  }
  return true;
}

int loop(Window& window, Ui& ui, const Options& o, Settings& settings) {
  int frames_due = frames_after_event, drawn = 0;
  const int last = o.frames ? o.frames : o.quit_after ? 0 : o.scripted() ? 2 * frames_after_event : 0;
  if (o.quit_after) SDL_AddTimer(static_cast<Uint32>(o.quit_after), push_quit, nullptr);
  while (last ? drawn < last : wait(frames_due, ui)) {
    if (last) wait(frames_due = frames_after_event, ui);
    if (frames_due == 0) continue;
    window.begin_frame();
    draw_frame(ui);
    window.end_frame(ui.theme.paper);
    const bool asked = ui.want_dark || ui.want_language || !ui.dropped.empty();
    carry_out(ui, settings);
    frames_due = asked ? frames_after_event : frames_due - 1;
    ++drawn;
  }
  if (o.dump) print(ui);
  if (o.quit_after) std::cout << "frames\t" << drawn << "\n";
  if (!o.screenshot.empty() && !window.write_png(o.screenshot, ui.theme.paper)) {
    std::cerr << "gpuplan-desktop: " << o.screenshot << " cannot be written.\n";
    return 2;
  }
  return 0;
}

int run(const Options& o) {
  const std::string now = o.now.empty() ? cli::today() : o.now;
  if (!days_between(now, now)) {
    std::cerr << "gpuplan-desktop: --now must be a date such as 2026-12-01.\n";
    return 2;
  }
  auto context = make_context();
  if (!context) {
    std::cerr << "gpuplan-desktop: a fault of ours: " << context.problem().message << "\n";
    return 1;
  }
  const std::string path = settings_path();
  Settings settings = o.scripted() ? Settings{} : load_settings(path);
  if (!o.language.empty()) settings.language = o.language;
  settings.dark = (settings.dark || o.dark) && !o.light;
  Window window(o, settings);
  if (!window.problem().empty()) {
    std::cerr << "gpuplan-desktop: " << window.problem() << "\n";
    return 1;
  }
  Session session(*context, Language::en, now);
  Ui ui{session, make_theme(settings.dark), load_fonts(*context, names(session.view()), window.scale()), window.scale()};
  apply_style(ui.theme, ui.scale);
  if (settings.language == "zh" && ui.fonts.chinese) session.set_language(Language::zh);
  else if (settings.language == "zh") ui.notice = session.say("app.no_chinese_font");
  if (!o.link.empty()) session.open(o.link);
  if (!o.files.empty()) session.bring(o.files);
  if (o.open_row) open_row(ui, o.open_row);
  const int exit = loop(window, ui, o, settings);
  window.remember(settings);
  if (!o.scripted()) save_settings(path, settings);
  return exit;
}

}  // namespace
}  // namespace gpuplan::desktop

int main(int argc, char** argv) {
  try {
    int exit = 0;
    const auto options = gpuplan::desktop::read_options(argc, argv, exit);
    return options ? gpuplan::desktop::run(*options) : exit;
  } catch (const std::exception& e) {
    std::cerr << "gpuplan-desktop: a fault of ours: " << e.what() << "\n";
    return 1;
  }
}
