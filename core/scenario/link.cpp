#include "core/scenario/link.hpp"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "core/json/text.hpp"
#include "core/scenario/base64.hpp"
#include "core/scenario/custom.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/read.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;
using Pairs = std::map<std::string, std::string>;  // key → value, both decoded

// Objects have keys of their own: an id in plain text, everything else as base64url of its JSON.
constexpr const char* model_key = "m";
struct ObjectKey { const char* key; const char* pointer; const char* kind; };
constexpr ObjectKey object_keys[] = {
    {"mh", "/model", "hf_config"}, {"mg", "/model", "gguf"}, {"ms", "/model", "safetensors"}, {"ma", "/model", "architecture"},
    {"card", "/hardware/gpu_spec", ""}, {"prof", "/hardware/profile", ""}};

/// Flags are one character, an open choice that differs from the default is "auto".
std::string to_text(const Field& f, const Scenario& s) {
  const std::string text = text_of(f, s);
  if (f.kind == FieldKind::flag && !text.empty()) return text == "true" ? "1" : "0";
  return text.empty() && f.nullable ? "auto" : text;
}

std::vector<std::string> default_texts() {
  std::vector<std::string> out;
  for (const Field& f : fields()) out.push_back(text_of(f, Scenario{}));
  return out;
}

void put_objects(const Scenario& s, Pairs& out) {
  if (!s.model.id.empty()) out[model_key] = s.model.id;
  for (const ObjectKey& k : object_keys) {
    if (!s.model.custom_kind.empty() && s.model.custom_kind == k.kind) out[k.key] = base64url_encode(s.model.custom_json);
  }
  if (s.hardware.gpu_spec) out["card"] = base64url_encode(write_gpu_spec(*s.hardware.gpu_spec).dump());
  if (!s.hardware.profile_json.empty()) out["prof"] = base64url_encode(s.hardware.profile_json);
}

Note note(const char* code, const std::string& text) { return {code, Severity::warning, text}; }

/// The part after '#', whatever came before it.
std::string_view fragment_of(std::string_view link) {
  const std::size_t hash = link.find('#');
  return hash == std::string_view::npos ? link : link.substr(hash + 1);
}

/// The version of "v<digits>?…"; 0 when the text does not start so. Moves `rest` behind the '?'.
int version_of(std::string_view fragment, std::string_view& rest) {
  const std::size_t mark = fragment.find('?');
  const std::string_view head = fragment.substr(0, mark);
  if (head.size() < 2 || head.size() > 4 || head[0] != 'v') return 0;
  int version = 0;
  for (const char c : head.substr(1)) {
    if (c < '0' || c > '9') return 0;
    version = version * 10 + (c - '0');
  }
  rest = mark == std::string_view::npos ? std::string_view() : fragment.substr(mark + 1);
  return version;
}

/// The ladder: each step turns the pairs of one version into those of the next, so a link of any released version opens.
using Step = void (*)(Pairs&);
constexpr Step steps[] = {nullptr};  // steps[v] lifts version v to v + 1; index 0 is unused and version 1 is the newest
static_assert(std::size(steps) == static_cast<std::size_t>(link_version));

Pairs split_pairs(std::string_view text, std::vector<Note>& notes) {
  Pairs out;
  while (!text.empty()) {
    const std::size_t amp = text.find('&');
    const std::string_view pair = text.substr(0, amp);
    text = amp == std::string_view::npos ? std::string_view() : text.substr(amp + 1);
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    const auto value = equals == std::string_view::npos ? std::optional<std::string>() : percent_decode(pair.substr(equals + 1));
    if (!value) {
      notes.push_back(note("link-damaged", "The link's part \"" + excerpt(is_utf8(pair) ? pair : "?", 40) + "\" is damaged and was left out."));
      continue;
    }
    const bool fresh = out.emplace(pair.substr(0, std::min<std::size_t>(equals, 40)), *value).second;
    if (!fresh) notes.push_back(note("link-twice", "The link says \"" + excerpt(is_utf8(pair) ? pair : "?", 40) + "\" again; the first time counts."));
  }
  return out;
}

const ObjectKey* object_key(const std::string& key) {
  for (const ObjectKey& k : object_keys) {
    if (key == k.key) return &k;
  }
  return nullptr;
}

std::optional<Problem> assign_encoded(const ObjectKey& k, const std::string& text, Scenario& out) {
  const auto bytes = base64url_decode(text);
  if (!bytes) return Problem{k.pointer, ProblemCode::syntax, std::string(k.pointer) + " in the link is not base64url text.", {}};
  auto value = parse_json(*bytes, std::string(k.pointer) + " in the link", max_link_bytes);
  if (!value) return value.problem();
  return assign_object(k.pointer, k.kind[0] ? json{{k.kind, *std::move(value)}} : *std::move(value), out);
}

const Field* field_with_key(const std::string& key) {
  for (const Field& f : fields()) {
    if (key == f.key) return &f;
  }
  return nullptr;
}

std::optional<Problem> assign_pair(const std::string& key, const std::string& value, Scenario& out) {
  if (key == model_key) return assign_object("/model", json{{"id", value}}, out);
  if (const ObjectKey* k = object_key(key)) return assign_encoded(*k, value, out);
  const Field* f = field_with_key(key);
  if (!f) return Problem{"", ProblemCode::unknown_field, "The link's part \"" + excerpt(is_utf8(key) ? key : "?", 40) + "\" is not known to this version.", {}};
  if (f->nullable && value == "auto") return std::nullopt;
  return assign(*f, from_text(*f, value), out);
}

}  // namespace

std::string encode_link(const Scenario& s) {
  static const std::vector<std::string> defaults = default_texts();
  Pairs pairs;
  for (std::size_t i = 0; i < fields().size(); ++i) {
    const Field& f = fields()[i];
    if (text_of(f, s) != defaults[i]) pairs[f.key] = to_text(f, s);
  }
  put_objects(s, pairs);
  std::string out = "#v" + std::to_string(link_version) + "?";
  for (const auto& [key, value] : pairs) out += (out.back() == '?' ? "" : "&") + key + "=" + percent_encode(value);
  return out;
}

Result<DecodedLink> decode_link(std::string_view link) {
  if (link.size() > max_link_bytes) {
    return Problem{"", ProblemCode::too_large, "The link has " + std::to_string(link.size()) + " characters; at most " + std::to_string(max_link_bytes) + " are read.", {}};
  }
  std::string_view rest;
  const int version = version_of(fragment_of(link), rest);
  if (version == 0) return Problem{"", ProblemCode::syntax, "This is not a gpuplan link: it must hold #v1? followed by what was chosen.", {}};
  if (version > link_version) {
    return Problem{"", ProblemCode::unsupported, "The link was made by a newer gpuplan (version " + std::to_string(version) + "); reload the page or update the program.", {}};
  }
  DecodedLink out;
  Pairs pairs = split_pairs(rest, out.notes);
  for (int v = version; v < link_version; ++v) steps[v](pairs);
  for (const auto& [key, value] : pairs) {
    auto p = assign_pair(key, value, out.scenario);
    if (p && p->code == ProblemCode::elsewhere) return *std::move(p);
    if (p) out.notes.push_back(note("link-part", p->message + " It was left out of the scenario."));
  }
  return out;
}

}  // namespace gpuplan
