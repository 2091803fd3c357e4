#pragma once
/// The fields of a scenario, each described once: pointer, key in a link, what is allowed, how it is read and written.
/// Readers, writers, the link codec and the controls of both user interfaces walk this table.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/result.hpp"
#include "core/scenario/scenario.hpp"

namespace gpuplan {

enum class FieldKind { integer, number, flag, word, text, list };

struct Field {
  const char* pointer;   ///< "/workload/context"
  const char* key;       ///< in a link: "ctx"
  FieldKind kind;
  double minimum, maximum;                  ///< numbers, inclusive
  std::vector<std::string_view> (*words)();  ///< allowed values of a word or of a list's entries; nullptr = any text
  bool nullable;                            ///< null means "choose for me"
  /// Sets the field; the value has already passed the checks of kind and range.
  void (*set)(Scenario&, const nlohmann::json&);
  /// The field's value, null when it is left to us.
  nlohmann::json (*get)(const Scenario&);
};

/// All plain fields (model, gpu_spec and profile are objects with readers of their own).
const std::vector<Field>& fields();
/// The field with this pointer, nullptr if there is none.
const Field* field_at(std::string_view pointer);

/// Checks `value` against the field and sets it; one clear sentence otherwise.
std::optional<Problem> assign(const Field&, const nlohmann::json& value, Scenario&);
/// A field's value as plain text: words and numbers as written in JSON, lists with commas, "true" and "false", "" when left open.
std::string text_of(const Field&, const Scenario&);
/// The value of a field as text in a link becomes JSON of the field's kind; checked later by assign().
nlohmann::json from_text(const Field&, std::string_view text);

}  // namespace gpuplan
