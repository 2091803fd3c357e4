#pragma once
/// The best layout of one job on one machine, found without looking at those that cannot be it [M-search].
#include <optional>

#include "core/layout/enumerate.hpp"
#include "core/layout/rules.hpp"
#include "core/plan/option.hpp"

namespace gpuplan {

/// How hard a fit must be: recommendations keep the policy's headroom free, a question about one machine only asks whether it fits.
enum class Fit { with_headroom, just_fits };

/// The best layout, and the best among those that break something. Prices play no part: on one machine the order of layouts is that of
/// their speed, so what is found holds for every offer of such a machine.
struct Best {
  bool found = false, missed = false;
  Option option, miss;
};

class LayoutSearch {
 public:
  LayoutSearch(const Scenario& scenario, Fit fit, SearchStatistics& statistics) : scenario_(scenario), fit_(fit), statistics_(statistics) {}

  Best on(const Candidate&, const Machine&) const;

 private:
  std::optional<Memory> memory_if_fits(const Candidate&, const Machine&, const Layout&, Best&) const;
  void climb(const Candidate&, const Machine&, Layout, const Ladder&, Best&) const;
  void refuse(Refusal, std::int64_t layouts) const;
  void consider(const Candidate&, const Machine&, const Layout&, const Memory&, bool fits, Best&) const;
  bool fits_here(const Memory&, const Machine&) const;
  Bytes room(const Machine&) const;
  bool faster(const Option&, const Option&) const;

  const Scenario& scenario_;
  Fit fit_;
  SearchStatistics& statistics_;
};

}  // namespace gpuplan
