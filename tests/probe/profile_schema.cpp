// The JSON schema of a profile, made from the description that the reader and the writer walk: prints it, or with a file name compares.
// `profile_schema > assets/schema/profile.schema.json` after a change of core/catalog/profile_fields.hpp.
#include <fstream>
#include <iostream>

#include <nlohmann/json.hpp>

#include "core/catalog/profile_fields.hpp"

namespace {

using nlohmann::ordered_json;
using gpuplan::profile_fields::Need;
namespace fields = gpuplan::profile_fields;

class SchemaWriter {
 public:
  ordered_json properties = ordered_json::object(), required = ordered_json::array();

  ordered_json object_schema() const {
    ordered_json out{{"type", "object"}, {"additionalProperties", false}, {"properties", properties}};
    if (!required.empty()) out["required"] = required;
    return out;
  }
  void text(const char* key, const std::string&, int most, Need need) { add(key, {{"type", "string"}, {"maxLength", most}}, need); }
  void date(const char* key, const std::string&) { add(key, {{"type", "string"}, {"format", "date"}}, Need::required); }
  void number(const char* key, double, double lo, double hi, Need need) {
    add(key, {{"type", "number"}, {"minimum", plain(lo)}, {"maximum", plain(hi)}}, need);
  }
  void whole(const char* key, std::int64_t, std::int64_t lo, std::int64_t hi, Need need) {
    add(key, {{"type", "integer"}, {"minimum", lo}, {"maximum", hi}}, need);
  }
  void flag(const char* key, bool) { add(key, {{"type", "boolean"}}, Need::required); }
  void maybe_flag(const char* key, int) { add(key, {{"type", "boolean"}}, Need::optional); }
  void version(const char* key, int, int) { add(key, {{"type", "string"}, {"pattern", "^[0-9]{1,2}\\.[0-9]{1,2}$"}}, Need::required); }
  bool present(const char*, bool) { return true; }
  template <class E, std::size_t N> void choice(const char* key, E, const std::array<const char*, N>& names) {
    add(key, {{"enum", names}}, Need::required);
  }
  template <class R> void rates(const char* key, const std::vector<R>&, int least, int most, double hi) {
    add(key, list_of({{"type", "number"}, {"minimum", 0}, {"maximum", plain(hi)}}, least, most), Need::required);
  }
  void wholes(const char* key, const std::vector<std::int64_t>&, int most, std::int64_t lo, std::int64_t hi) {
    add(key, list_of({{"type", "integer"}, {"minimum", lo}, {"maximum", hi}}, 0, most), Need::optional);
  }
  void texts(const char* key, const std::vector<std::string>&, int most, int longest) {
    add(key, list_of({{"type", "string"}, {"maxLength", longest}}, 0, most), Need::optional);
  }
  void pairs(const char* key, const std::vector<std::pair<int, int>>&, int least, int most, int lo, int hi) {
    add(key, list_of(list_of({{"type", "integer"}, {"minimum", lo}, {"maximum", hi}}, 2, 2), least, most), Need::required);
  }
  template <class T> void object(const char* key, Need need, T& v) {
    SchemaWriter inner;
    fields::describe(inner, v);
    add(key, inner.object_schema(), need);
  }
  template <class T, class F> void list(const char* key, std::vector<T>&, int least, int most, Need need, F describe_item) {
    SchemaWriter inner;
    T item{};
    describe_item(inner, item);
    add(key, list_of(inner.object_schema(), least, most), need);
  }

 private:
  static ordered_json plain(double v) { return static_cast<std::int64_t>(v); }
  static ordered_json list_of(ordered_json items, int least, int most) {
    return {{"type", "array"}, {"minItems", least}, {"maxItems", most}, {"items", std::move(items)}};
  }
  void add(const char* key, ordered_json schema, Need need) {
    properties[key] = std::move(schema);
    if (need == Need::required) required.push_back(key);
  }
};

ordered_json profile_schema() {
  SchemaWriter top;
  top.properties["format"] = {{"const", "gpuplan-profile"}};
  top.properties["version"] = {{"type", "integer"}, {"minimum", 1}, {"maximum", gpuplan::profile_version}};
  top.required = {"format", "version"};
  gpuplan::Profile p;
  fields::describe(top, p);
  top.properties["checksum"] = {{"type", "string"}, {"pattern", "^fnv1a64:[0-9a-f]{16}$"}};
  top.required.push_back("checksum");
  ordered_json out{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                   {"title", "gpuplan measured profile"},
                   {"description", "What gpuplan-probe measured on a machine: SI units, named in the keys; at most 65536 bytes. Meaning of each "
                                   "number: native/probe/README.md and core/catalog/profile.hpp."}};
  out.update(top.object_schema());
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string text = profile_schema().dump(1) + "\n";
  if (argc < 2) return std::cout << text, 0;
  std::ifstream in(argv[1], std::ios::binary);
  const std::string kept{std::istreambuf_iterator<char>(in), {}};
  if (kept == text) return 0;
  std::cerr << argv[1] << " is not what the reader's description says; run profile_schema > " << argv[1] << "\n";
  return 1;
}
