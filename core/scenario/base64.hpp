#pragma once
/// base64url without padding (RFC 4648 §5): objects travel in a link this way.
#include <optional>
#include <string>
#include <string_view>

namespace gpuplan {

std::string base64url_encode(std::string_view bytes);
/// Empty when a character is not of the alphabet or the length cannot be.
std::optional<std::string> base64url_decode(std::string_view text);

/// Percent-encoding that leaves letters, digits and -._~/:, as they are.
std::string percent_encode(std::string_view bytes);
/// Empty on a broken escape or when the result is not UTF-8 text.
std::optional<std::string> percent_decode(std::string_view text);

/// True for well-formed UTF-8 (no overlong forms, no surrogates).
bool is_utf8(std::string_view text);

}  // namespace gpuplan
