#pragma once
/// JSON from outside: parsed only after its size and nesting are known to be bounded.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/result.hpp"

namespace gpuplan {

inline constexpr std::size_t max_request_bytes = 16u * 1024u * 1024u;
inline constexpr int max_nesting = 64;

/// The parsed text, or a syntax or too-large problem that says where. `what` names the input in the message ("the scenario").
Result<nlohmann::json> parse_json(std::string_view text, const std::string& what, std::size_t max_bytes = max_request_bytes);

/// The parsed text of a file that travels with us or that was read before; discarded when it is no JSON.
nlohmann::json parse_own_json(std::string_view text);

/// "a number", "text", "true or false", "a list", "an object", "null": how a JSON value is called in a message.
std::string type_name(const nlohmann::json&);

/// A number as JSON writes it: shortest text that reads back to the same value.
std::string number_text(double);

/// A JSON pointer grown by one reference token, escaped as RFC 6901 asks.
std::string child(const std::string& pointer, std::string_view token);

/// " Nearest: a, b, c." for the end of a sentence about an unknown id, "" when nothing is near.
std::string nearest_sentence(const std::vector<std::string>& ids);

/// `text` cut to `limit` bytes at a character border, control characters replaced: safe to quote in a message.
std::string excerpt(std::string_view text, std::size_t limit = 60);

}  // namespace gpuplan
