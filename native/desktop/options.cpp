#include "native/desktop/options.hpp"

#include <CLI/CLI.hpp>

namespace gpuplan::desktop {

std::optional<Options> read_options(int argc, char** argv, int& exit) {
  Options o;
  CLI::App app{"gpuplan as a window: which GPU, which instance, which layout, what will it cost, and why. Offline."};
  app.set_version_flag("--version", "gpuplan-desktop " GPUPLAN_VERSION);
  app.add_option("--link,link", o.link, "link of the page or the app to open");
  app.add_option("--open", o.files, "config.json, GGUF, safetensors or profile to compute with, as if dropped on the window");
  app.add_option("--lang", o.language, "en or zh")->check(CLI::IsMember({"en", "zh"}));
  app.add_option("--now", o.now, "date that ages of prices are counted to (default: today)");
  app.add_flag("--dark", o.dark, "dark colours");
  app.add_flag("--light", o.light, "light colours");
  app.add_option("--size", o.size, "size of the window, 1440x900");
  app.add_option("--scale", o.scale, "size of everything, 1 to 4")->check(CLI::Range(1.0, 4.0));
  app.add_option("--open-row", o.open_row, "opens this row, counted over all tables from 1")->check(CLI::Range(1, 1000));
  app.add_flag("--dump", o.dump, "prints the rows that were drawn, and the link, then ends");
  app.add_option("--screenshot", o.screenshot, "writes the window as PNG, then ends");
  app.add_option("--frames", o.frames, "ends after so many frames")->check(CLI::Range(1, 100000));
  app.add_option("--quit-after", o.quit_after, "ends after so many milliseconds and prints the number of frames drawn")->check(CLI::Range(1, 600000));
  try {
    app.parse(argc, argv);
    if (!o.size.empty() && (std::sscanf(o.size.c_str(), "%dx%d", &o.width, &o.height) != 2 || o.width < 320 || o.height < 240 || o.width > 16384 || o.height > 16384)) {
      throw CLI::ValidationError("--size", "must be WIDTHxHEIGHT from 320x240 to 16384x16384");
    }
  } catch (const CLI::ParseError& e) {
    exit = app.exit(e) == 0 ? 0 : 2;
    return std::nullopt;
  }
  return o;
}

}  // namespace gpuplan::desktop
