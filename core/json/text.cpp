#include "core/json/text.hpp"

#include <nlohmann/json.hpp>

namespace gpuplan {
namespace {

/// Deepest nesting of brackets outside strings; stops counting past the limit.
int nesting(std::string_view text) {
  int depth = 0, deepest = 0;
  bool in_string = false, escaped = false;
  for (const char c : text) {
    if (in_string) {
      in_string = escaped || c != '"';
      escaped = !escaped && c == '\\';
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '[' || c == '{') deepest = ++depth > deepest ? depth : deepest;
    if (c == ']' || c == '}') --depth;
    if (deepest > max_nesting) break;
  }
  return deepest;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

std::string at_line(std::string_view text, std::size_t byte) {
  std::size_t line = 1, column = 1;
  for (std::size_t i = 0; i < byte && i < text.size(); ++i) {
    column = text[i] == '\n' ? 1 : column + 1;
    line += text[i] == '\n';
  }
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

}  // namespace

Result<nlohmann::json> parse_json(std::string_view text, const std::string& what, std::size_t max_bytes) {
  if (text.size() > max_bytes) {
    return Problem{"", ProblemCode::too_large, what + " has " + std::to_string(text.size()) + " bytes; at most " + std::to_string(max_bytes) + " are read.", {}};
  }
  if (is_blank(text)) return Problem{"", ProblemCode::syntax, what + " is empty; a JSON object is expected.", {}};
  if (nesting(text) > max_nesting) {
    return Problem{"", ProblemCode::too_large, what + " is nested more than " + std::to_string(max_nesting) + " levels deep.", {}};
  }
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& e) {
    return Problem{"", ProblemCode::syntax, what + " is not valid JSON: stopped at " + at_line(text, e.byte > 0 ? e.byte - 1 : 0) + ".", {}};
  } catch (const nlohmann::json::exception&) {
    return Problem{"", ProblemCode::syntax, what + " holds a number that is too large to be read.", {}};
  }
}

std::string type_name(const nlohmann::json& value) {
  switch (value.type()) {
    case nlohmann::json::value_t::null: return "null";
    case nlohmann::json::value_t::boolean: return value.get<bool>() ? "true" : "false";
    case nlohmann::json::value_t::string: return "the text \"" + excerpt(value.get_ref<const std::string&>()) + "\"";
    case nlohmann::json::value_t::array: return "a list";
    case nlohmann::json::value_t::object: return "an object";
    default: return "the number " + value.dump();
  }
}

std::string number_text(double v) { return nlohmann::json(v).dump(); }

std::string child(const std::string& pointer, std::string_view token) {
  std::string out = pointer + "/";
  for (const char c : token.substr(0, 200)) {
    if (c == '~') out += "~0";
    else if (c == '/') out += "~1";
    else out += c;
  }
  return out;
}

std::string excerpt(std::string_view text, std::size_t limit) {
  const bool cut = text.size() > limit;
  if (cut) {
    text = text.substr(0, limit);
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.remove_suffix(1);
    if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xC0) text.remove_suffix(1);
  }
  std::string out;
  for (const char c : text) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
  return cut ? out + "…" : out;
}

}  // namespace gpuplan
