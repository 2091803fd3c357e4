#include "core/view/strings.hpp"

namespace gpuplan {

std::string Strings::text(std::string_view key) const {
  const auto found = texts_.find(key);
  return found == texts_.end() ? std::string(key) : found->second;
}

std::string Strings::text(std::string_view key, const std::map<std::string, std::string>& values) const {
  const std::string pattern = text(key);
  std::string out;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t open = pattern.find('{', at), close = open == std::string::npos ? open : pattern.find('}', open);
    if (close == std::string::npos) return out + pattern.substr(at);
    const auto value = values.find(pattern.substr(open + 1, close - open - 1));
    out += pattern.substr(at, open - at);
    out += value == values.end() ? pattern.substr(open, close - open + 1) : value->second;
    at = close + 1;
  }
  return out;
}

}  // namespace gpuplan
