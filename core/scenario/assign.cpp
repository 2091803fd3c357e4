#include <cmath>

#include <nlohmann/json.hpp>

#include "core/catalog/catalog.hpp"
#include "core/json/text.hpp"
#include "core/scenario/fields.hpp"

namespace gpuplan {
namespace {

constexpr std::size_t max_text = 300, max_list = 200;

std::string plain_number(double v) {
  nlohmann::json j;
  if (v == std::floor(v) && v < 1e15) j = static_cast<std::int64_t>(v);
  else j = v;
  return j.dump();
}

std::string range_text(const Field& f) {
  const char* what = f.kind == FieldKind::integer ? "a whole number from " : "a number from ";
  return what + plain_number(f.minimum) + " to " + plain_number(f.maximum);
}

std::string words_text(const Field& f) {
  std::string out;
  for (const std::string_view w : f.words()) out += (out.empty() ? "" : ", ") + std::string(w);
  return out;
}

Problem wrong_type(const Field& f, const std::string& expected, const nlohmann::json& value) {
  const std::string null_hint = f.nullable ? " (or null: choose for me)" : "";
  return {f.pointer, ProblemCode::wrong_type, std::string(f.pointer) + " must be " + expected + null_hint + ", not " + type_name(value) + ".", {}};
}

std::optional<Problem> check_number(const Field& f, const nlohmann::json& value) {
  if (!value.is_number()) return wrong_type(f, range_text(f), value);
  const double v = value.get<double>();
  const bool whole = f.kind != FieldKind::integer || v == std::floor(v);
  if (whole && v >= f.minimum && v <= f.maximum) return std::nullopt;
  return Problem{f.pointer, ProblemCode::out_of_range, std::string(f.pointer) + " must be " + range_text(f) + ", not " + value.dump() + ".", {}};
}

std::optional<Problem> check_word(const Field& f, const nlohmann::json& value) {
  if (!value.is_string()) return wrong_type(f, "one of " + words_text(f), value);
  const auto& text = value.get_ref<const std::string&>();
  const auto known = f.words();
  for (const std::string_view w : known) {
    if (w == text) return std::nullopt;
  }
  return Problem{f.pointer, ProblemCode::unknown_id, std::string(f.pointer) + " \"" + excerpt(text) + "\" is not known; allowed: " + words_text(f) + ".",
                 nearest_ids(text, known)};
}

std::optional<Problem> check_text(const Field& f, const nlohmann::json& value) {
  if (!value.is_string()) return wrong_type(f, "text", value);
  const std::size_t size = value.get_ref<const std::string&>().size();
  if (size > 0 && size <= max_text) return std::nullopt;
  return Problem{f.pointer, ProblemCode::out_of_range, std::string(f.pointer) + " must have 1 to " + std::to_string(max_text) + " characters.", {}};
}

std::optional<Problem> check_list(const Field& f, const nlohmann::json& value) {
  if (!value.is_array() && !value.is_string()) return wrong_type(f, "a list of texts", value);
  if (value.is_string()) return check_text(f, value);
  if (value.size() > max_list) return Problem{f.pointer, ProblemCode::too_large, std::string(f.pointer) + " may list at most " + std::to_string(max_list) + " entries.", {}};
  for (const auto& entry : value) {
    if (auto p = f.words ? check_word(f, entry) : check_text(f, entry)) return p;
  }
  return std::nullopt;
}

std::optional<Problem> check(const Field& f, const nlohmann::json& value) {
  switch (f.kind) {
    case FieldKind::integer:
    case FieldKind::number: return check_number(f, value);
    case FieldKind::flag: return value.is_boolean() ? std::nullopt : std::optional(wrong_type(f, "true or false", value));
    case FieldKind::word: return check_word(f, value);
    case FieldKind::text: return check_text(f, value);
    case FieldKind::list: return check_list(f, value);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Problem> assign(const Field& f, const nlohmann::json& value, Scenario& scenario) {
  if (value.is_null() && f.nullable) {
    f.set(scenario, value);
    return std::nullopt;
  }
  if (auto p = check(f, value)) return p;
  // A single text stands for a list of one ("lora_targets": "all-linear"), "auto" for the empty list.
  if (f.kind == FieldKind::list && value.is_string()) {
    f.set(scenario, value == "auto" ? nlohmann::json::array() : nlohmann::json::array({value}));
  } else {
    f.set(scenario, value);
  }
  return std::nullopt;
}

std::string text_of(const Field& f, const Scenario& scenario) {
  const nlohmann::json value = f.get(scenario);
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return plain_number(value.get<double>());
  if (!value.is_array()) return value.dump();
  std::string out;
  for (const auto& entry : value) out += (out.empty() ? "" : ",") + entry.get<std::string>();
  return out;
}

nlohmann::json from_text(const Field& f, std::string_view text) {
  const std::string s(text);
  switch (f.kind) {
    case FieldKind::integer:
    case FieldKind::number: {
      auto parsed = parse_own_json(s);
      return parsed.is_number() ? parsed : nlohmann::json(s);
    }
    case FieldKind::flag: return s == "1" ? nlohmann::json(true) : s == "0" ? nlohmann::json(false) : nlohmann::json(s);
    case FieldKind::list: {
      nlohmann::json out = nlohmann::json::array();
      for (std::size_t at = 0; at < s.size();) {
        const std::size_t comma = s.find(',', at);
        const std::size_t end = comma == std::string::npos ? s.size() : comma;
        if (end > at) out.push_back(s.substr(at, end - at));
        at = end + 1;
      }
      return out;
    }
    default: return s;
  }
}

}  // namespace gpuplan
