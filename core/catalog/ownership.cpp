#include "core/catalog/ownership.hpp"

namespace gpuplan {

double usd_per_hour(const Ownership& o, const Gpu& gpu, Gpus gpus) {
  constexpr double hours_per_year = 8766.0, watts_per_kw = 1000.0;
  const double assumed_kw = gpu.tdp_watts * static_cast<double>(gpus.n) / watts_per_kw * assumed_server_over_gpus * assumed_cooling;
  const double electricity = o.power_kw.value_or(assumed_kw) * o.usd_per_kwh.value_or(assumed_usd_per_kwh);
  return o.purchase_usd.value_or(0.0) / (o.years.value_or(assumed_years) * hours_per_year) + electricity;
}

}  // namespace gpuplan
