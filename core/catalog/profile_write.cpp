#include <nlohmann/json.hpp>

#include "core/catalog/profile.hpp"
#include "core/catalog/profile_fields.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;
using profile_fields::Need;

/// Writes whole numbers without a fraction, so that every JSON library spells them alike.
json number_json(double v) {
  constexpr double exact = 9007199254740992.0;
  if (v > -exact && v < exact && static_cast<double>(static_cast<std::int64_t>(v)) == v) return static_cast<std::int64_t>(v);
  return v;
}

class Writer {
 public:
  json out = json::object();

  void text(const char* key, const std::string& v, int, Need need) { put(key, v, need, v.empty()); }
  void date(const char* key, const std::string& v) { out[key] = v; }
  void number(const char* key, double v, double, double, Need need) { put(key, number_json(v), need, v == 0.0); }
  void whole(const char* key, std::int64_t v, std::int64_t, std::int64_t, Need need) { put(key, v, need, v == 0); }
  void flag(const char* key, bool v) { out[key] = v; }
  void maybe_flag(const char* key, int v) { if (v >= 0) out[key] = v != 0; }
  void version(const char* key, int major, int minor) { out[key] = std::to_string(major) + "." + std::to_string(minor); }
  bool present(const char*, bool& there) { return there; }

  template <class E, std::size_t N> void choice(const char* key, E v, const std::array<const char*, N>& names) {
    out[key] = names[static_cast<std::size_t>(v)];
  }
  template <class R> void rates(const char* key, const std::vector<R>& v, int, int, double) {
    json& list = out[key] = json::array();
    for (const R& r : v) list.push_back(number_json(r.value));
  }
  void wholes(const char* key, const std::vector<std::int64_t>& v, int, std::int64_t, std::int64_t) { put(key, v, Need::optional, v.empty()); }
  void texts(const char* key, const std::vector<std::string>& v, int, int) { put(key, v, Need::optional, v.empty()); }
  void pairs(const char* key, const std::vector<std::pair<int, int>>& v, int, int, int, int) {
    json& list = out[key] = json::array();
    for (const auto& [from, to] : v) list.push_back({from, to});
  }
  template <class T> void object(const char* key, Need need, T& v) {
    Writer inner;
    profile_fields::describe(inner, v);
    put(key, inner.out, need, inner.out.empty());
  }
  template <class T, class F> void list(const char* key, std::vector<T>& v, int, int, Need need, F describe_item) {
    json all = json::array();
    for (T& item : v) {
      Writer inner;
      describe_item(inner, item);
      all.push_back(std::move(inner.out));
    }
    put(key, std::move(all), need, v.empty());
  }

 private:
  void put(const char* key, json v, Need need, bool is_default) {
    if (need == Need::required || !is_default) out[key] = std::move(v);
  }
};

/// Whole numbers that another program wrote as 1e12 or 1.0 become plain integers. Depth is bounded by the reader's limit.
json canonical(const json& v) {
  if (v.is_number_float()) return number_json(v.get<double>());
  if (!v.is_structured()) return v;
  json out = v;
  for (json& item : out) item = canonical(item);
  return out;
}

}  // namespace

std::string profile_checksum(const json& object) {
  json body = canonical(object);
  body.erase("checksum");
  std::uint64_t hash = 14695981039346656037ULL;
  for (char c : body.dump(-1, ' ', false, json::error_handler_t::replace)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  }
  std::string hex(16, '0');
  for (int i = 15; i >= 0; --i, hash >>= 4) hex[static_cast<std::size_t>(i)] = "0123456789abcdef"[hash & 15];
  return "fnv1a64:" + hex;
}

json write_profile(const Profile& profile) {
  Profile copy = profile;  // the shared description takes references that the reader fills
  Writer writer;
  profile_fields::describe(writer, copy);
  json out = std::move(writer.out);
  out["format"] = "gpuplan-profile";
  out["version"] = profile_version;
  out["checksum"] = profile_checksum(out);
  return out;
}

Profile compact_profile(Profile p) {
  for (GemmSurface& g : p.gemm) {
    g.m.clear();
    g.shapes.clear();
  }
  p.measurements.clear();
  p.notes.clear();
  p.identity = {};
  return p;
}

}  // namespace gpuplan
