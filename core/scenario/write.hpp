#pragma once
/// Scenario → JSON. Canonical: defaults left out, keys sorted, so one scenario has one text.
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/scenario/scenario.hpp"

namespace gpuplan {

/// Only what differs from the defaults (and task, always).
nlohmann::json write_sparse(const Scenario&);
/// Every field, null where the choice is left open.
nlohmann::json write_full(const Scenario&);
/// The fields of one section ("/numerics") alone.
nlohmann::json write_section(const Scenario&, std::string_view section);

}  // namespace gpuplan
