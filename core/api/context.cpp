#include "core/api/context.hpp"

#include "core/assets.hpp"

namespace gpuplan {

Result<Context> make_context() {
  Context out;
  auto catalog = load_catalog(embedded_asset("gpus"), embedded_asset("instances"), embedded_asset("software"));
  if (!catalog) return catalog.problem();
  auto models = load_models(embedded_asset("models"));
  if (!models) return models.problem();
  auto tiers = load_tiers(embedded_asset("tiers"));
  if (!tiers) return tiers.problem();
  auto calibration = load_calibration(embedded_asset("calibration"));
  if (!calibration) return calibration.problem();
  auto en = load_strings(embedded_asset("strings/en")), zh = load_strings(embedded_asset("strings/zh"));
  if (!en) return en.problem();
  if (!zh) return zh.problem();
  out.knowledge = {*std::move(catalog), *std::move(models), *std::move(tiers), *std::move(calibration)};
  out.en = *std::move(en);
  out.zh = *std::move(zh);
  out.sources = embedded_asset("sources");
  return out;
}

}  // namespace gpuplan
