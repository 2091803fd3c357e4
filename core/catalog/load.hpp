#pragma once
/// Parts of load_catalog, one per asset. Each fills its part of the catalog or says what is wrong.
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/catalog/catalog.hpp"

namespace gpuplan {

std::optional<Problem> load_gpus(const nlohmann::json& document, Catalog& catalog);
/// Needs the GPUs: offers refer to them by id.
std::optional<Problem> load_instances(const nlohmann::json& document, Catalog& catalog);
std::optional<Problem> load_software(const nlohmann::json& document, Catalog& catalog);

/// Source dates of an asset's "dates" object, added to the catalog's.
std::optional<Problem> load_dates(const nlohmann::json& document, const std::string& asset, Catalog& catalog);

}  // namespace gpuplan
