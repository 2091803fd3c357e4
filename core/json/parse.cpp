#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/json/text.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

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

/// Builds the value as the parser reports it, and remembers where and why it stopped. The parser's own way to say that is an exception,
/// which core.wasm is built without.
class Builder final : public nlohmann::json_sax<json> {
 public:
  json root = json::value_t::discarded;
  std::size_t stopped_at = 0;  ///< bytes read when an error was found
  bool number_too_large = false;
  std::optional<std::string> twice;  ///< a member that one object names two times

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (open_.back()->contains(name)) {
      twice = name;
      return false;
    }
    member_ = &(*open_.back())[name];
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& reason) override {
    constexpr int number_overflow = 406;
    stopped_at = position;
    number_too_large = reason.id == number_overflow;
    return false;
  }

 private:
  json* put(json value) {
    if (open_.empty()) return &(root = std::move(value));
    if (!open_.back()->is_array()) return &(*member_ = std::move(value));
    open_.back()->push_back(std::move(value));
    return &open_.back()->back();
  }
  bool add(json value) { return put(std::move(value)) != nullptr; }
  bool open(json empty) {
    open_.push_back(put(std::move(empty)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<json*> open_;  ///< lists and objects that are not finished, outermost first
  json* member_ = nullptr;   ///< where the next value of an object goes
};

}  // namespace

Result<nlohmann::json> parse_json(std::string_view text, const std::string& what, std::size_t max_bytes) {
  if (text.size() > max_bytes) {
    return Problem{"", ProblemCode::too_large, what + " has " + std::to_string(text.size()) + " bytes; at most " + std::to_string(max_bytes) + " are read.", {}};
  }
  if (is_blank(text)) return Problem{"", ProblemCode::syntax, what + " is empty; a JSON object is expected.", {}};
  if (nesting(text) > max_nesting) {
    return Problem{"", ProblemCode::too_large, what + " is nested more than " + std::to_string(max_nesting) + " levels deep.", {}};
  }
  Builder builder;
  if (json::sax_parse(text, &builder)) return std::move(builder.root);
  if (builder.twice) return Problem{"", ProblemCode::conflict, what + " names \"" + excerpt(*builder.twice) + "\" twice in one object; say it once.", {}};
  if (builder.number_too_large) return Problem{"", ProblemCode::syntax, what + " holds a number that is too large to be read.", {}};
  const std::size_t byte = builder.stopped_at > 0 ? builder.stopped_at - 1 : 0;
  return Problem{"", ProblemCode::syntax, what + " is not valid JSON: stopped at " + at_line(text, byte) + ".", {}};
}

json parse_own_json(std::string_view text) {
  Builder builder;
  return json::sax_parse(text, &builder) ? std::move(builder.root) : json(json::value_t::discarded);
}

}  // namespace gpuplan
