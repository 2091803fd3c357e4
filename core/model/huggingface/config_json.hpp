#pragma once
/// Checked access to a config.json: a key may have several spellings, null means absent, and a wrong type is a problem with its pointer.
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/explain.hpp"
#include "core/result.hpp"

namespace gpuplan {

/// What reading a configuration brings to light beside the architecture: the first problem, and everything that was assumed.
struct Findings {
  std::optional<Problem> problem;
  std::vector<Note> notes;
  std::set<std::string> read;  ///< pointers of the keys that were asked for and there

  /// Remembers once that `text` was assumed.
  void assume(const std::string& code, const std::string& text);
  void fail(const std::string& pointer, ProblemCode code, const std::string& what);
};

using Names = std::initializer_list<const char*>;

class ConfigView {
 public:
  ConfigView(const nlohmann::json& object, std::string pointer, Findings& findings) : object_(&object), pointer_(std::move(pointer)), findings_(&findings) {}

  bool has(const char* name) const;
  /// A whole number of at least 1 (a width, a count of heads or layers).
  std::optional<std::int64_t> size(Names) const;
  /// A whole number of at least 0; negative values count as absent (−1 is a spelling of "none").
  std::optional<std::int64_t> count(Names) const;
  std::optional<double> number(Names) const;
  std::optional<bool> flag(Names) const;
  std::optional<std::string> text(Names) const;
  /// A list of whole numbers or truth values; absent when the key holds something else than a list.
  std::optional<std::vector<std::int64_t>> integers(Names) const;
  std::optional<std::vector<std::string>> texts(Names) const;
  std::optional<ConfigView> object(Names) const;
  /// Entry `index` of a list of objects.
  std::optional<ConfigView> entry(const char* list, std::size_t index) const;
  std::size_t entries(const char* list) const;
  /// Number `index` of a list of numbers.
  std::optional<double> number_in(const char* list, std::size_t index) const;
  /// The first object under any key (config_groups of compressed-tensors).
  std::optional<ConfigView> first_object() const;
  /// All objects under this one, by the order of their keys; the keys of this one.
  std::vector<ConfigView> objects() const;
  std::vector<std::string> keys() const;
  bool is_list(const char* name) const;
  /// Names of numbers and lists that nobody asked for although they sound like sizes of the model.
  std::vector<std::string> unread_sizes() const;

  Findings& findings() const { return *findings_; }
  std::string at(const char* name) const;
  void missing(const char* name, const std::string& meaning) const;

 private:
  const nlohmann::json* find(Names, const char*& found) const;
  std::optional<std::int64_t> whole(Names, const char*& found) const;

  const nlohmann::json* object_;
  std::string pointer_;
  Findings* findings_;
};

}  // namespace gpuplan
