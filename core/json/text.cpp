#include "core/json/text.hpp"

#include <nlohmann/json.hpp>

namespace gpuplan {

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

std::string nearest_sentence(const std::vector<std::string>& ids) {
  std::string out;
  for (const std::string& id : ids) out += (out.empty() ? " Nearest: " : ", ") + id;
  return out.empty() ? out : out + ".";
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
