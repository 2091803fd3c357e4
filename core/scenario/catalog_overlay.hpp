#pragma once
/// A person's own catalog laid over the shipped one: own machines, negotiated prices, other regions (assets/schema/overlay.schema.json).
#include <nlohmann/json_fwd.hpp>

#include "core/catalog/catalog.hpp"
#include "core/result.hpp"

namespace gpuplan {

/// The shipped catalog with the machines and prices of `overlay`; with "only": true nothing but those. Read strictly: pointers start with
/// "/catalog_overlay". At most 500 machines and 2,000 prices.
Result<Catalog> lay_over(const Catalog& shipped, const nlohmann::json& overlay);

}  // namespace gpuplan
