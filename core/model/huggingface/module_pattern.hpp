#pragma once
/// Lists of modules in a quantization_config: exact names, globs ("model.layers.*.self_attn") and regular expressions ("re:.*self_attn.*").
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpuplan {

/// Whether the regular expression matches a beginning of `text`, as Python's re.match does. Knows literals, ., [], (|), \d, \w, *, +, ?, ^, $;
/// anything else, and a search that takes too long, counts as no match.
bool regex_matches(std::string_view pattern, std::string_view text);
/// Whether a glob of literals and "*" matches all of `text`.
bool glob_matches(std::string_view pattern, std::string_view text);

/// A list of modules, sorted by the layer that an entry names, so that asking for one module looks at few entries.
class ModulePatterns {
 public:
  explicit ModulePatterns(const std::vector<std::string>& entries);
  bool empty() const { return by_layer_.empty() && anywhere_.empty(); }
  /// Whether an entry names `module` ("self_attn.q_proj") of a layer, or a part of the model that holds it.
  bool names(std::int64_t layer, std::string_view module) const;
  /// Whether an entry names a module outside the layers ("lm_head").
  bool names_outside(std::string_view module) const;

 private:
  std::map<std::int64_t, std::vector<std::string>> by_layer_;  ///< what stands behind "layers.3."
  std::vector<std::string> anywhere_;
  mutable std::int64_t work_ = 0;                              ///< bounds the time that hostile lists take
};

}  // namespace gpuplan
