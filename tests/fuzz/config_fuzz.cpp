/// Any text as a config.json: an architecture that can be counted and sized, or one problem.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/api/inspect.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  static const gpuplan::Knowledge none;
  const auto answer = gpuplan::inspect(none, {{"text", text}});
  if (!answer && answer.problem().message.empty()) __builtin_trap();
  return 0;
}
