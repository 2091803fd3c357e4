#include "native/desktop/settings.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "core/json/text.hpp"

namespace gpuplan::desktop {
namespace {

using nlohmann::json;
constexpr std::size_t most_bytes = 65536;

void read_int(const json& j, const char* key, int least, int most, int& out) {
  if (!j.contains(key) || !j[key].is_number_integer()) return;
  const auto v = j[key].get<std::int64_t>();
  if (v >= least && v <= most) out = static_cast<int>(v);
}

void read_flag(const json& j, const char* key, bool& out) {
  if (j.contains(key) && j[key].is_boolean()) out = j[key].get<bool>();
}

}  // namespace

std::string settings_path() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  // The XDG rule: a path that is not absolute is as good as none.
  if (config && *config == '/') return std::string(config) + "/gpuplan/desktop.json";
  return home && *home ? std::string(home) + "/.config/gpuplan/desktop.json" : "";
}

Settings load_settings(const std::string& path) {
  Settings out;
  std::ifstream in(path, std::ios::binary);
  if (path.empty() || !in) return out;
  std::string text(most_bytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  auto j = parse_json(text, "The settings", most_bytes);
  if (!j || !j->is_object()) return out;
  read_int(*j, "x", -16384, 16384, out.x);
  read_int(*j, "y", -16384, 16384, out.y);
  read_int(*j, "width", 320, 16384, out.width);
  read_int(*j, "height", 240, 16384, out.height);
  read_flag(*j, "maximized", out.maximized);
  read_flag(*j, "dark", out.dark);
  if (j->contains("language") && (*j)["language"] == "zh") out.language = "zh";
  return out;
}

bool save_settings(const std::string& path, const Settings& s) {
  if (path.empty()) return false;
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  const std::string fresh = path + ".new";
  {
    std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
    const json j = {{"x", s.x}, {"y", s.y}, {"width", s.width}, {"height", s.height}, {"maximized", s.maximized}, {"dark", s.dark}, {"language", s.language}};
    out << j.dump(2) << "\n";
    if (!out.flush()) return false;
  }
  fs::rename(fresh, path, error);
  return !error;
}

}  // namespace gpuplan::desktop
