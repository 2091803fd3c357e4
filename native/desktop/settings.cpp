#include "native/desktop/settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

namespace gpuplan::desktop {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t largest_file = 4096;

fs::path folder() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  if (config && config[0] == '/') return fs::path(config) / "gpuplan";
  return home && home[0] == '/' ? fs::path(home) / ".config" / "gpuplan" : fs::path();
}

int number(const nlohmann::json& j, const char* key, int fallback, int minimum, int maximum) {
  if (!j.contains(key) || !j[key].is_number_integer()) return fallback;
  return static_cast<int>(std::clamp<std::int64_t>(j[key].get<std::int64_t>(), minimum, maximum));
}

bool flag(const nlohmann::json& j, const char* key) { return j.contains(key) && j[key].is_boolean() && j[key].get<bool>(); }

}  // namespace

Settings load_settings() {
  Settings out;
  std::error_code error;
  const fs::path file = folder() / "desktop.json";
  if (folder().empty() || !fs::is_regular_file(file, error) || fs::file_size(file, error) > largest_file) return out;
  std::ifstream in(file);
  const nlohmann::json j = nlohmann::json::parse(in, nullptr, false);
  if (!j.is_object()) return out;
  out.x = number(j, "x", -1, -1, 16384);
  out.y = number(j, "y", -1, -1, 16384);
  out.width = number(j, "width", out.width, 480, 16384);
  out.height = number(j, "height", out.height, 360, 16384);
  out.dark = flag(j, "dark");
  out.chinese = flag(j, "chinese");
  return out;
}

void save_settings(const Settings& s) {
  if (folder().empty()) return;
  std::error_code error;
  fs::create_directories(folder(), error);
  const fs::path file = folder() / "desktop.json", fresh = folder() / "desktop.json.new";
  {
    std::ofstream out(fresh);
    out << nlohmann::json{{"x", s.x}, {"y", s.y}, {"width", s.width}, {"height", s.height}, {"dark", s.dark}, {"chinese", s.chinese}}.dump() << "\n";
    if (!out) return;
  }
  fs::rename(fresh, file, error);
}

}  // namespace gpuplan::desktop
