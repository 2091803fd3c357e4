#pragma once
/// The texts that travel inside the programs: catalogs, coefficients, strings. Made from assets/ by tools/pack_assets at build time.
#include <string_view>

namespace gpuplan {

/// The bytes of one packed asset, "" when there is none. Names: "gpus", "instances", "models", "software", "tiers", "presets", "calibration",
/// "strings/en", "strings/zh" (minified JSON, texts of sources replaced by keys) and, outside WebAssembly, "sources".
std::string_view embedded_asset(std::string_view name);

}  // namespace gpuplan
