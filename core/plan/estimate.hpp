#pragma once
/// One fully laid-out scenario: gaps filled with the best choice, every number explained.
#include <string>

#include "core/explain.hpp"
#include "core/plan/search.hpp"

namespace gpuplan {

/// The answer of `estimate`. `search` keeps alive what the option borrows.
struct Estimate {
  std::shared_ptr<const Search> search;
  Option option;
  Scenario resolved;  ///< every choice filled in
  Explanation why;
  double parameters_total = 0.0;
};

/// When nothing fits, the answer is the layout that comes closest, with option.memory.fits false.
Result<Estimate> estimate(const Knowledge&, const Scenario&, const std::string& now);

/// The scenario with the choices of an option filled in: the link of a row.
Scenario filled(const Knowledge&, const Scenario&, const Search&, const Option&);

/// Why no layout at all is possible, as a problem that names what hinders most.
Problem nothing_possible(const Scenario&, const Search&);

}  // namespace gpuplan
