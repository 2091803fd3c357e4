/// The state of a header that is being read, as JSON: a caller may keep it between two pieces instead of the bytes.
#include <nlohmann/json.hpp>

#include "core/json/text.hpp"
#include "core/model/files/file_header_json.hpp"
#include "core/model/files/gguf_header.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

constexpr const char* phases[] = {"preamble", "entries", "tensors", "done"};
constexpr std::uint64_t largest_number = std::uint64_t{1} << 53;

Problem wrong(const std::string& pointer) { return {pointer, ProblemCode::wrong_type, "The field " + pointer + " must be the state that inspect answered for this file, unchanged.", {}}; }

std::optional<std::uint64_t> number_of(const json& o, const char* key) {
  const auto it = o.find(key);
  if (it == o.end() || !it->is_number_integer() || *it < 0 || *it > largest_number) return std::nullopt;
  return it->get<std::uint64_t>();
}

}  // namespace

json GgufHeaderReader::state() const {
  json open = json::array();
  for (const Open& o : open_) open.push_back({o.type, o.left});
  json s = write_file_header(header_);
  s["at"] = at_, s["wanted"] = wanted_, s["phase"] = phases[static_cast<int>(phase_)];
  s["entries_left"] = entries_left_, s["tensors_left"] = tensors_left_, s["last_byte"] = last_byte_, s["open"] = open;
  s["version"] = header_.version, s["big_endian"] = header_.big_endian;
  s["entry"] = entry_ ? json{{"key", entry_->key}, {"value", write_meta_value(*entry_)}} : json(nullptr);
  return s;
}

Result<GgufHeaderReader> GgufHeaderReader::resumed(const json& s, std::uint64_t file_bytes, const std::string& pointer) {
  if (!s.is_object()) return wrong(pointer);
  GgufHeaderReader r(file_bytes);
  auto header = read_file_header(s, "gguf", pointer);
  if (!header) return header.problem();
  r.header_ = *std::move(header);
  const auto at = number_of(s, "at"), wanted = number_of(s, "wanted"), entries = number_of(s, "entries_left"), tensors = number_of(s, "tensors_left"), version = number_of(s, "version");
  const bool shaped = s.contains("phase") && s["phase"].is_string() && s.contains("open") && s["open"].is_array() && s["open"].size() <= 4 && s.contains("last_byte") && s["last_byte"].is_number() && s["last_byte"] >= 0 &&
                      s.contains("big_endian") && s["big_endian"].is_boolean() && s.contains("entry") && (s["entry"].is_null() || s["entry"].is_object());
  if (!at || !wanted || !entries || !tensors || !version || *version > 3 || !shaped || *at > largest_header || *wanted > largest_header) return wrong(pointer);
  if (*entries > most_metadata || *tensors > most_tensors) return wrong(pointer);
  r.at_ = *at, r.wanted_ = *wanted, r.entries_left_ = *entries, r.tensors_left_ = *tensors, r.last_byte_ = s["last_byte"].get<double>();
  r.header_.version = static_cast<int>(*version), r.header_.big_endian = s["big_endian"].get<bool>();
  int phase = -1;
  for (int i = 0; i < 4; ++i) phase = s["phase"] == phases[i] ? i : phase;
  if (phase < 0) return wrong(pointer);
  r.phase_ = static_cast<Phase>(phase);
  for (const json& o : s["open"]) {
    const bool pair = o.is_array() && o.size() == 2 && o[0].is_number_integer() && o[0] >= 0 && o[0] <= 12 && o[1].is_number_integer() && o[1] >= 0 && o[1] <= largest_number;
    if (!pair) return wrong(pointer);
    r.open_.push_back({o[0].get<std::uint32_t>(), o[1].get<std::uint64_t>()});
  }
  if (s["entry"].is_object()) {
    const json& e = s["entry"];
    if (!e.contains("key") || !e["key"].is_string() || !e.contains("value")) return wrong(pointer);
    r.entry_ = read_meta_value(e["key"].get<std::string>(), e["value"]);
    if (!r.entry_) return wrong(pointer);
  }
  if (r.open_.empty() == r.entry_.has_value() || (r.phase_ == Phase::entries && r.entries_left_ == 0)) return wrong(pointer);
  if (r.phase_ == Phase::done) {
    if (auto problem = r.finish()) return *problem;
  }
  return r;
}

}  // namespace gpuplan
