/// gpuplan-desktop: the tables offline, from the same core and the same view model as the page.
#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <iostream>

#include "native/desktop/window.hpp"

namespace {

using namespace gpuplan::desktop;

struct Arguments {
  std::string link, lang, now, size, screenshot;
  bool dark = false, dump = false;
  int open_row = 0;      ///< 1 = the first row of the first table
  double seconds = 0.0;  ///< run this long, then print how many frames were drawn
};

std::string today() {
  const std::chrono::year_month_day d{std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(d.year()), static_cast<unsigned>(d.month()), static_cast<unsigned>(d.day()));
  return text;
}

void add_options(CLI::App& app, Arguments& a) {
  app.add_option("--link", a.link, "link to open, as copied from the page");
  app.add_option("--lang", a.lang, "en or zh (default: as last time)")->check(CLI::IsMember({"en", "zh"}));
  app.add_option("--now", a.now, "date that ages of prices are counted to (default: today)");
  app.add_option("--size", a.size, "size of the window, for example 1440x900");
  app.add_option("--open-row", a.open_row, "opens this row of the first table");
  app.add_option("--screenshot", a.screenshot, "writes the window as a BMP file and ends");
  app.add_option("--seconds", a.seconds, "runs this long, prints how many frames were drawn, and ends");
  app.add_flag("--dark", a.dark, "dark colours");
  app.add_flag("--dump", a.dump, "prints the rows that were drawn, and the link, and ends");
}

void draw_settled(Window& window, App& app) {
  for (int i = 0; i < 4; ++i) window.frame(app);
}

int show(const Arguments& a, App& app, Settings settings) {
  Window window;
  if (!a.size.empty() && std::sscanf(a.size.c_str(), "%dx%d", &settings.width, &settings.height) != 2) {
    std::cerr << "gpuplan-desktop: --size must be like 1440x900\n";
    return 2;
  }
  const std::string trouble = window.open(settings, app);
  if (!trouble.empty()) {
    std::cerr << "gpuplan-desktop: " << trouble << "\n";
    return 1;
  }
  const bool chinese = a.lang.empty() ? settings.chinese : a.lang == "zh";
  app.set_language(chinese && window.chinese() ? gpuplan::Language::zh : gpuplan::Language::en);
  if (chinese && !window.chinese()) app.say("Chinese texts need a font, for example the package fonts-noto-cjk.");
  if (!a.link.empty()) app.open_link(a.link);
  if (a.open_row > 0 && !app.view().tables.empty() && static_cast<std::size_t>(a.open_row) <= app.view().tables[0].rows.size()) {
    app.toggle(app.view().tables[0].rows[static_cast<std::size_t>(a.open_row) - 1]);
  }
  if (a.dump || !a.screenshot.empty()) {
    draw_settled(window, app);
    for (std::size_t i = 0; a.dump && i < app.drawn.size(); ++i) std::cout << app.drawn[i] << "\n";
    if (a.dump) std::cout << "link " << app.view().link << "\n" << (app.error().empty() ? "" : "error " + app.error() + "\n");
    if (!a.screenshot.empty() && !window.frame(app, a.screenshot)) return 1;
    return 0;
  }
  window.run(app, a.seconds);
  if (a.seconds > 0.0) std::cout << "frames " << window.frames() << "\n";
  else save_settings(window.settings(app));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments a;
  CLI::App options{"The recommended-instance tables, offline."};
  add_options(options, a);
  CLI11_PARSE(options, argc, argv);
  const auto context = gpuplan::make_context();
  if (!context) {
    std::cerr << "gpuplan-desktop: " << context.problem().message << "\n";
    return 1;
  }
  const bool scripted = a.dump || !a.screenshot.empty();
  Settings settings = scripted ? Settings{} : load_settings();
  App app(*context, a.now.empty() ? today() : a.now);
  app.dark = a.dark || settings.dark;
  return show(a, app, settings);
}
