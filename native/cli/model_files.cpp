#include "native/cli/model_files.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/api/inspect.hpp"

namespace gpuplan::cli {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::uint64_t first_read = 1u << 20;

struct OpenFile {
  std::string path;
  std::uint64_t size = 0;
  std::string bytes;
};

bool ends_with(const std::string& s, const std::string& tail) { return s.size() >= tail.size() && s.compare(s.size() - tail.size(), tail.size(), tail) == 0; }

Result<bool> read_start(OpenFile& f, std::uint64_t bytes) {
  std::ifstream in(f.path, std::ios::binary);
  if (!in) return Problem{"", ProblemCode::missing_field, f.path + " cannot be read; give an existing file or the id of a model.", {}};
  f.bytes.resize(static_cast<std::size_t>(std::min(bytes, f.size)));
  in.read(f.bytes.data(), static_cast<std::streamsize>(f.bytes.size()));
  if (static_cast<std::size_t>(in.gcount()) != f.bytes.size()) return Problem{"", ProblemCode::missing_field, f.path + " could not be read to the end.", {}};
  return true;
}

/// "model-00001-of-00003.gguf" stands for all three.
std::vector<std::string> parts_beside(const std::string& path) {
  const std::size_t of = path.rfind("-of-");
  if (of == std::string::npos || of < 5) return {path};
  const std::string stem = path.substr(0, of - 5), tail = path.substr(of), number = path.substr(of + 4, 5);
  if (!std::all_of(number.begin(), number.end(), [](unsigned char c) { return c >= '0' && c <= '9'; }) || number.size() != 5) return {path};
  std::vector<std::string> found;
  for (int i = 1; i <= std::stoi(number) && i <= 1000; ++i) {
    char digits[8];
    std::snprintf(digits, sizeof digits, "%05d", i);
    if (fs::exists(stem + digits + tail)) found.push_back(stem + digits + tail);
  }
  return found.empty() ? std::vector<std::string>{path} : found;
}

/// The files that the arguments stand for; a config.json beside safetensors parts says what shapes do not.
std::vector<std::string> files_of(const std::vector<std::string>& inputs) {
  if (inputs.size() > 1) return inputs;
  std::vector<std::string> files = parts_beside(inputs[0]);
  const fs::path config = fs::path(inputs[0]).parent_path() / "config.json";
  std::error_code ignored;
  if (ends_with(inputs[0], ".safetensors") && fs::exists(config, ignored)) files.push_back(config.string());
  return files;
}

Result<std::vector<OpenFile>> open_all(const std::vector<std::string>& paths) {
  std::vector<OpenFile> files;
  for (const std::string& path : paths) {
    std::error_code error;
    OpenFile f{path, 0, {}};
    if (fs::is_directory(path, error)) return Problem{"", ProblemCode::wrong_type, path + " is a folder; a file is expected.", {}};
    f.size = fs::file_size(path, error);
    if (error) return Problem{"", ProblemCode::missing_field, path + " cannot be read; give an existing file or the id of a model.", {}};
    const bool whole = ends_with(path, ".json");
    if (auto ok = read_start(f, whole ? std::uint64_t{64} << 20 : first_read); !ok) return ok.problem();
    files.push_back(std::move(f));
  }
  return files;
}

/// Shows the core more of a file until it has the header.
Result<json> inspect_growing(const Knowledge& k, std::vector<OpenFile>& files) {
  for (;;) {
    std::vector<FileStart> starts;
    for (const OpenFile& f : files) starts.push_back({f.path, f.bytes, f.size});
    auto answer = inspect_files(k, starts);
    if (!answer || !answer->contains("need")) return answer;
    OpenFile& f = files[(*answer)["need"]["file"].get<std::size_t>()];
    const std::uint64_t needed = (*answer)["need"]["bytes"].get<std::uint64_t>();
    if (f.bytes.size() >= f.size) return Problem{"", ProblemCode::syntax, f.path + ": the file ends inside its header.", {}};
    if (auto ok = read_start(f, needed); !ok) return ok.problem();
  }
}

}  // namespace

bool looks_like_file(const std::string& name) {
  std::error_code ignored;
  return fs::exists(name, ignored) || ends_with(name, ".json") || ends_with(name, ".gguf") || ends_with(name, ".safetensors");
}

Result<json> inspect_paths(const Knowledge& k, const std::vector<std::string>& paths) {
  auto files = open_all(files_of(paths));
  return files ? inspect_growing(k, *files) : Result<json>(files.problem());
}

}  // namespace gpuplan::cli
