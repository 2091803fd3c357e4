#pragma once
/// All that the core knows without asking: catalogs, models and coefficients. Made once, then only read.
#include "core/calibration.hpp"
#include "core/catalog/catalog.hpp"
#include "core/catalog/tiers.hpp"
#include "core/model/models.hpp"

namespace gpuplan {

struct Knowledge {
  Catalog catalog;
  Models models;
  Tiers tiers;
  Calibration calibration;
};

}  // namespace gpuplan
