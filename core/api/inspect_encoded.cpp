/// Files of a request: their first bytes in base64, or a piece from the middle of a header beside the state that reading had reached.
#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/api/inspect.hpp"
#include "core/json/text.hpp"
#include "core/model/files/gguf_header.hpp"
#include "core/scenario/base64.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

constexpr std::size_t most_files = 1000;
constexpr std::uint64_t piece_bytes = std::uint64_t{4} << 20;

Problem wrong_files() {
  return {"/files", ProblemCode::wrong_type, "/files must be a list of {\"name\", \"base64\", \"file_bytes\"}, at most " + std::to_string(most_files) + ".", {}};
}

struct Given {
  std::string name, bytes;
  std::uint64_t file_bytes = 0;
  std::optional<GgufHeaderReader> reader;  ///< of a GGUF file
};

/// base64 of either alphabet, padded or not.
Result<std::string> decoded(const json& f) {
  if (!f.contains("base64")) return std::string();
  if (!f["base64"].is_string()) return wrong_files();
  std::string text = f["base64"].get<std::string>();
  while (!text.empty() && text.back() == '=') text.pop_back();
  for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
  auto bytes = base64url_decode(text);
  if (!bytes) return Problem{"/files", ProblemCode::syntax, "/files holds bytes that are not base64.", {}};
  return *std::move(bytes);
}

Result<Given> read_given(const json& f, const std::string& pointer) {
  const bool has_state = f.is_object() && f.contains("state") && !f["state"].is_null();
  const bool shaped = f.is_object() && (f.contains("base64") || has_state) && f.contains("file_bytes") && f["file_bytes"].is_number_integer() && f["file_bytes"] >= 0;
  if (!shaped || (f.contains("name") && !f["name"].is_string())) return wrong_files();
  Given g;
  g.name = f.value("name", std::string("file")), g.file_bytes = f["file_bytes"].get<std::uint64_t>();
  auto bytes = decoded(f);
  if (!bytes) return bytes.problem();
  g.bytes = *std::move(bytes);
  if (has_state) {
    auto reader = GgufHeaderReader::resumed(f["state"], g.file_bytes, pointer + "/state");
    if (!reader) return reader.problem();
    g.reader = *std::move(reader);
  } else if (is_gguf_file(g.bytes)) {
    g.reader.emplace(g.file_bytes);
  }
  if (!g.reader || g.reader->done()) return g;
  if (auto problem = g.reader->feed(g.bytes)) {
    problem->message = excerpt(g.name, 200) + ": " + problem->message;
    return *problem;
  }
  return g;
}

json states_of(const std::vector<Given>& files) {
  json states = json::array();
  for (const Given& g : files) states.push_back(g.reader ? g.reader->state() : json(nullptr));
  return states;
}

}  // namespace

Result<json> inspect_encoded(const Knowledge& k, const json& list) {
  if (!list.is_array() || list.empty() || list.size() > most_files) return wrong_files();
  std::vector<Given> given;
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto g = read_given(list[i], "/files/" + std::to_string(i));
    if (!g) return g.problem();
    given.push_back(*std::move(g));
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Given& g = given[i];
    if (!g.reader || g.reader->done()) continue;
    const std::uint64_t from = g.reader->next_byte(), first = from + std::max(g.reader->wanted_bytes(), std::uint64_t{1} << 20);
    const std::uint64_t end = g.file_bytes > 0 ? g.file_bytes : from + piece_bytes;
    return json{{"need", {{"file", i}, {"bytes", std::min(std::max<std::uint64_t>(first, 2 * g.bytes.size()), end)}, {"from", from},
                          {"piece", std::min(std::max(piece_bytes, g.reader->wanted_bytes()), end > from ? end - from : 1)}, {"states", states_of(given)}}}};
  }
  std::vector<FileStart> files;
  for (const Given& g : given) files.push_back({g.name, g.bytes, g.file_bytes, g.reader ? &g.reader->header() : nullptr});
  return inspect_files(k, files);
}

}  // namespace gpuplan
