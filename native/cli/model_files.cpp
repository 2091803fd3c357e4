#include "native/cli/model_files.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/api/inspect.hpp"
#include "core/model/files/gguf_header.hpp"

namespace gpuplan::cli {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::uint64_t first_read = 1u << 20, piece = 4u << 20, longest_json = 64u << 20;

struct OpenFile {
  std::string path;
  std::uint64_t size = 0;
  std::string bytes;                        ///< the first of the file; none once its header is read
  std::optional<GgufHeaderReader> reader;   ///< of a GGUF file
};

bool ends_with(const std::string& s, const std::string& tail) { return s.size() >= tail.size() && s.compare(s.size() - tail.size(), tail.size(), tail) == 0; }

Problem unreadable(const std::string& path) { return {"", ProblemCode::missing_field, path + " cannot be read; give an existing file, a folder or the id of a model.", {}}; }

/// `bytes` of the file from `from` on, or fewer at its end.
Result<std::string> read_piece(const std::string& path, std::uint64_t from, std::uint64_t bytes) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return unreadable(path);
  in.seekg(static_cast<std::streamoff>(from));
  std::string out(static_cast<std::size_t>(bytes), '\0');
  in.read(out.data(), static_cast<std::streamsize>(out.size()));
  out.resize(static_cast<std::size_t>(in.gcount()));
  return out;
}

/// Reads the header of a GGUF file in pieces; a tokenizer of any size passes through without being kept.
std::optional<Problem> read_gguf(OpenFile& f) {
  f.reader.emplace(f.size);
  for (;;) {
    if (auto problem = f.reader->feed(f.bytes)) {
      problem->message = f.path + ": " + problem->message;
      return problem;
    }
    if (f.reader->done()) break;
    auto more = read_piece(f.path, f.reader->next_byte(), std::max(piece, f.reader->wanted_bytes()));
    if (!more) return more.problem();
    if (more->size() < f.reader->wanted_bytes()) return Problem{"", ProblemCode::syntax, f.path + ": the file ends inside its header.", {}};
    f.bytes = *std::move(more);
  }
  f.bytes.clear();
  return std::nullopt;
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
    std::error_code ignored;
    if (fs::exists(stem + digits + tail, ignored)) found.push_back(stem + digits + tail);
  }
  return found.empty() ? std::vector<std::string>{path} : found;
}

bool holds(const std::string& s, const char* part) { return s.find(part) != std::string::npos; }

/// The files of one model in a folder: parts of safetensors with the config.json, else one GGUF model, else the config.json alone.
Result<std::vector<std::string>> files_in(const std::string& folder) {
  std::vector<std::string> weights, ggufs, projectors;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string path = it->path().string(), name = it->path().filename().string();
    const bool copy = name.rfind("consolidated", 0) == 0 || name.rfind("adapter", 0) == 0 || name.rfind("training_args", 0) == 0;
    if (ends_with(name, ".safetensors") && !copy) weights.push_back(path);
    if (ends_with(name, ".gguf")) (holds(name, "mmproj") ? projectors : ggufs).push_back(path);
  }
  if (error) return unreadable(folder);
  std::sort(weights.begin(), weights.end());
  std::sort(ggufs.begin(), ggufs.end());
  const std::string config = (fs::path(folder) / "config.json").string();
  if (!weights.empty()) {
    if (fs::exists(config, error)) weights.push_back(config);
    return weights;
  }
  if (ggufs.empty() && fs::exists(config, error)) return std::vector<std::string>{config};
  if (ggufs.empty()) return Problem{"", ProblemCode::missing_field, folder + " holds no safetensors, no GGUF file and no config.json.", {}};
  std::vector<std::string> parts = parts_beside(ggufs[0]);
  if (parts.size() != ggufs.size()) {
    std::string list;
    for (std::size_t i = 0; i < ggufs.size() && i < 8; ++i) list += (i > 0 ? ", " : "") + fs::path(ggufs[i]).filename().string();
    return Problem{"", ProblemCode::conflict, folder + " holds " + std::to_string(ggufs.size()) + " GGUF files; name the one to read: " + list + (ggufs.size() > 8 ? " …" : "."), {}};
  }
  if (projectors.size() == 1) parts.push_back(projectors[0]);
  return parts;
}

/// The files that the arguments stand for; a config.json beside safetensors parts says what shapes do not.
Result<std::vector<std::string>> files_of(const std::vector<std::string>& inputs) {
  if (inputs.size() > 1) return inputs;
  std::error_code ignored;
  if (fs::is_directory(inputs[0], ignored)) return files_in(inputs[0]);
  const bool index = ends_with(inputs[0], ".safetensors.index.json");
  std::vector<std::string> files = parts_beside(inputs[0]);
  const fs::path config = fs::path(inputs[0]).parent_path() / "config.json";
  if (index && fs::exists(config, ignored)) {
    auto all = files_in(fs::path(inputs[0]).parent_path().empty() ? "." : fs::path(inputs[0]).parent_path().string());
    if (all && all->size() > 1) return all;
  }
  if (ends_with(inputs[0], ".safetensors") && fs::exists(config, ignored)) files.push_back(config.string());
  return files;
}

Result<std::vector<OpenFile>> open_all(const std::vector<std::string>& paths) {
  std::vector<OpenFile> files;
  for (const std::string& path : paths) {
    std::error_code error;
    OpenFile f;
    f.path = path;
    if (fs::is_directory(path, error)) return Problem{"", ProblemCode::wrong_type, path + " is a folder; give it alone, or files.", {}};
    f.size = fs::file_size(path, error);
    if (error) return unreadable(path);
    auto start = read_piece(path, 0, std::min(f.size, ends_with(path, ".json") ? longest_json : first_read));
    if (!start) return start.problem();
    f.bytes = *std::move(start);
    if (is_gguf_file(f.bytes)) {
      if (auto problem = read_gguf(f)) return *problem;
    }
    files.push_back(std::move(f));
  }
  return files;
}

/// Shows the core more of a file until it has the header.
Result<json> inspect_growing(const Knowledge& k, std::vector<OpenFile>& files) {
  for (;;) {
    std::vector<FileStart> starts;
    for (const OpenFile& f : files) starts.push_back({f.path, f.bytes, f.size, f.reader ? &f.reader->header() : nullptr});
    auto answer = inspect_files(k, starts);
    if (!answer || !answer->contains("need")) return answer;
    OpenFile& f = files[(*answer)["need"]["file"].get<std::size_t>()];
    const std::uint64_t needed = (*answer)["need"]["bytes"].get<std::uint64_t>();
    if (f.bytes.size() >= f.size) return Problem{"", ProblemCode::syntax, f.path + ": the file ends inside its header.", {}};
    auto more = read_piece(f.path, 0, std::min(needed, f.size));
    if (!more) return more.problem();
    if (more->size() <= f.bytes.size()) return Problem{"", ProblemCode::syntax, f.path + ": the file ends inside its header.", {}};
    f.bytes = *std::move(more);
  }
}

}  // namespace

bool looks_like_file(const std::string& name) {
  std::error_code ignored;
  return fs::exists(name, ignored) || ends_with(name, ".json") || ends_with(name, ".gguf") || ends_with(name, ".safetensors");
}

Result<json> inspect_paths(const Knowledge& k, const std::vector<std::string>& paths) {
  auto names = files_of(paths);
  if (!names) return names.problem();
  auto files = open_all(*names);
  return files ? inspect_growing(k, *files) : Result<json>(files.problem());
}

}  // namespace gpuplan::cli
