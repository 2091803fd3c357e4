#include "native/cli/files.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "core/json/text.hpp"

namespace gpuplan::cli {
namespace {

Result<std::string> read_stream(std::istream& in, const std::string& name) {
  std::string out;
  char buffer[65536];
  while (in.read(buffer, sizeof buffer) || in.gcount() > 0) {
    out.append(buffer, static_cast<std::size_t>(in.gcount()));
    if (out.size() > max_request_bytes) return Problem{"", ProblemCode::too_large, name + " is larger than " + std::to_string(max_request_bytes) + " bytes.", {}};
  }
  return out;
}

}  // namespace

Result<std::string> read_input(const std::string& path) {
  if (path == "-") return read_stream(std::cin, "Standard input");
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return Problem{"", ProblemCode::wrong_type, path + " is a folder; a file is expected.", {}};
  std::ifstream in(path, std::ios::binary);
  if (!in) return Problem{"", ProblemCode::missing_field, path + " cannot be read; give an existing file, or - for standard input.", {}};
  return read_stream(in, path);
}

std::string today() {
  const auto days = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  const std::chrono::year_month_day date{days};
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()), static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text;
}

}  // namespace gpuplan::cli
