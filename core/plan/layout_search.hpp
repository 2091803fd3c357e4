#pragma once
/// The best layout of one job on one machine, found without looking at those that cannot be it [M-search].
#include <vector>

#include "core/plan/layout_table.hpp"
#include "core/plan/option.hpp"

namespace gpuplan {

/// How hard a fit must be: recommendations keep the policy's headroom free, a question about one machine only asks whether it fits.
enum class Fit { with_headroom, just_fits };

/// The best layout, and where there is none the one that comes closest. Prices play no part: on one machine the order of layouts is that of
/// their speed, so what is found holds for every offer of such a machine.
struct Best {
  bool found = false, missed = false;
  bool host_counts = false;  ///< some layout keeps something in host memory: only then does it matter how much of that there is
  double speed = 0.0;        ///< of `option`, plainness counted
  Option option, miss;
  std::vector<Option> front;  ///< with Breadth::front: the layouts that no other beats in tokens per second and latency at once
};

/// The best layout of each offer, or all that could be anybody's choice: throughput and latency pull a serving machine apart. A training machine has
/// one, since its throughput and its latency follow the same step.
enum class Breadth { best, front };

class LayoutSearch {
 public:
  LayoutSearch(const Scenario& scenario, Fit fit, Breadth breadth, SearchStatistics& statistics)
      : scenario_(scenario), fit_(fit), breadth_(breadth), statistics_(statistics) {}

  Best on(const Candidate&, const Machine&);

 private:
  struct Progress;
  void climb(Progress&, std::size_t family, double floor);
  void place(Progress&, const Layout&);
  bool fits_rung(Progress&, const Layout&, const MemoryNeed&);
  bool fits_here(Bytes used, Bytes usable, Bytes host, bool fits, const Machine&) const;
  void consider(Progress&, const Layout&, const Memory*);
  void widen(Progress&, const Layout&, const Memory*, const Time&) const;
  Option option_of(const Progress&, const Layout&) const;
  void remember_closest(Progress&, const Layout&, Bytes used);
  void finish(Progress&);
  void climb_in_order(Progress&);
  bool hopeless(const Progress&, const Layout&, double floor) const;
  void refuse(Refusal, std::int64_t layouts);
  Bytes room(Bytes usable) const;
  double speed(const Layout&, const Time&) const;
  bool faster(const Option&, const Option&) const;

  const Scenario& scenario_;
  Fit fit_;
  Breadth breadth_;
  SearchStatistics& statistics_;
  LayoutTables tables_;
  struct Promise {
    double speed;        ///< plainness ÷ floor
    std::size_t family;
    double floor;        ///< s, of a step
  };
  std::vector<Promise> promises_;
};

}  // namespace gpuplan
