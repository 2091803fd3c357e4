#pragma once
/// Texts by key, per language: assets/strings/{en,zh}.json. The core holds keys only.
#include <map>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace gpuplan {

enum class Language { en, zh };

class Strings {
 public:
  /// The text of a key; the key itself when there is none, so that a gap is seen and not hidden.
  std::string text(std::string_view key) const;
  /// The text with {name} places filled.
  std::string text(std::string_view key, const std::map<std::string, std::string>& values) const;
  bool has(std::string_view key) const { return texts_.find(key) != texts_.end(); }
  const std::map<std::string, std::string, std::less<>>& all() const { return texts_; }
  void add(std::string key, std::string text) { texts_[std::move(key)] = std::move(text); }

 private:
  std::map<std::string, std::string, std::less<>> texts_;
};

/// Reads {"key": "text", …}.
Result<Strings> load_strings(std::string_view json);

}  // namespace gpuplan
