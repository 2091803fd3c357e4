#pragma once
/// The catalog as the operation `catalog` answers it: every figure as {"value", "unit", "kind", "source", "date"}.
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "core/catalog/catalog.hpp"

namespace gpuplan {

/// {"gpus": […]}. `id` keeps one GPU (any name that find_gpu takes), "" all. With the asset "sources" as `sources_json` the texts of the keys
/// in use come along as "sources"; with "" they do not. Fails for an unknown id or a broken asset.
Result<nlohmann::json> describe_gpus(const Catalog&, std::string_view id = "", std::string_view sources_json = "");
/// {"instances": […]}: machines and prices; an offer without a price has "unpriced": true.
Result<nlohmann::json> describe_instances(const Catalog&, std::string_view id = "", std::string_view sources_json = "");
/// {"software": […]}.
Result<nlohmann::json> describe_software(const Catalog&, std::string_view id = "", std::string_view sources_json = "");

}  // namespace gpuplan
