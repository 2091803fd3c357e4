#pragma once
/// The reverse question: what runs on this hardware, and how far does it go [M-search].
#include <memory>
#include <string>
#include <vector>

#include "core/plan/estimate.hpp"

namespace gpuplan {

/// One model on the hardware of the scenario.
struct FitRow {
  std::shared_ptr<const Search> search;
  Scenario scenario;            ///< with the model and the weight format
  Option option;                ///< the best layout, or the one that comes closest
  bool fits = false;
  std::int64_t max_context = 0; ///< longest context that still fits at the asked concurrency (serving) or longest sequence (training); 0 when none
  double parameters = 0.0;
};

/// Weight formats that are tried for each model when the scenario leaves them open, best quality first: the first that fits is taken.
std::vector<WeightFormat> fit_formats(Task);

/// Every model of the catalog that can do the task (or the scenario's own model alone), largest first among those that fit, then the rest by
/// how little is missing. The scenario names the hardware.
Result<std::vector<FitRow>> fit(const Knowledge&, const Scenario&, const std::string& now, std::size_t limit);

}  // namespace gpuplan
