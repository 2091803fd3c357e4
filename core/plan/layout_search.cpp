#include "core/plan/layout_search.hpp"

#include "core/layout/rules.hpp"
#include "core/plan/rank.hpp"

namespace gpuplan {

Bytes LayoutSearch::room(const Machine& machine) const {
  return fit_ == Fit::with_headroom ? machine.memory_usable * (1.0 - scenario_.policy.headroom) : machine.memory_usable;
}

/// Nobody is sent to a machine whose host memory is unknown with states that must live there.
bool LayoutSearch::fits_here(const Memory& m, const Machine& machine) const {
  const bool host_unknown = m.host.value > 0.0 && machine.host_memory.value <= 0.0;
  return m.fits && m.used <= room(machine) && !(fit_ == Fit::with_headroom && host_unknown);
}

bool LayoutSearch::faster(const Option& a, const Option& b) const {
  const bool latency = scenario_.policy.objective == Objective::latency;
  const auto score = [latency](const Option& o) { return plainness(o.layout) * (latency ? 1.0 / o.time.total.value : o.time.tokens_per_s.value); };
  const double x = score(a), y = score(b);
  return x != y ? x > y : better(a, b, latency ? Objective::latency : Objective::throughput);
}

void LayoutSearch::consider(const Candidate& c, const Machine& machine, const Layout& layout, const Memory& memory, bool fits, Best& best) const {
  Option o;
  o.candidate = &c;
  o.machine = machine;
  o.layout = layout;
  o.memory = memory;
  o.time = estimate_time(c.job, *c.time, machine, layout, memory);
  ++statistics_.evaluated;
  if (fits && !broken_speed(o, scenario_.policy)) {
    if (!best.found || faster(o, best.option)) best.option = o;
    best.found = true;
    return;
  }
  const bool miss_fits = best.missed && fits_here(best.miss.memory, machine);
  const bool closer = !best.missed || (fits != miss_fits ? fits : fits ? faster(o, best.miss) : memory.used < best.miss.memory.used);
  if (closer) best.miss = o;
  best.missed = true;
}

/// Memory of one rung; remembers what comes closest while nothing fits.
std::optional<Memory> LayoutSearch::memory_if_fits(const Candidate& c, const Machine& machine, const Layout& l, Best& best) const {
  const Memory memory = estimate_memory(c.job, *c.memory, machine, l);
  if (fits_here(memory, machine)) return memory;
  ++statistics_.memory_only;
  const bool closest = !best.found && (!best.missed || (!fits_here(best.miss.memory, machine) && memory.used < best.miss.memory.used));
  if (closest) consider(c, machine, l, memory, false, best);
  return std::nullopt;
}

/// Up the ladder: on each level of offload the first recompute that fits; further levels then need less recompute to be worth anything.
/// The strongest recompute of a level is tried first: when that does not fit, no other of the level does.
void LayoutSearch::climb(const Candidate& c, const Machine& machine, Layout l, const Ladder& steps, Best& best) const {
  std::size_t open = steps.recompute.count;
  for (const Offload offload : steps.offload) {
    l.offload = offload;
    if (const Refusal why = check_savers(c.job, l); why != Refusal::none) {
      refuse(why, static_cast<std::int64_t>(steps.recompute.count));
      continue;
    }
    if (open == 0) break;
    l.recompute = steps.recompute.values[open - 1];
    const auto strongest = memory_if_fits(c, machine, l, best);
    if (!strongest) continue;
    std::size_t r = 0;
    std::optional<Memory> memory;
    for (; r + 1 < open; ++r) {
      l.recompute = steps.recompute.values[r];
      memory = memory_if_fits(c, machine, l, best);
      if (memory) break;
    }
    l.recompute = steps.recompute.values[r];
    consider(c, machine, l, memory ? *memory : *strongest, true, best);
    open = r;
  }
}

void LayoutSearch::refuse(Refusal why, std::int64_t layouts) const {
  statistics_.refused += layouts;
  statistics_.refusals[static_cast<std::size_t>(why)] += layouts;
}

Best LayoutSearch::on(const Candidate& c, const Machine& machine) const {
  Best best;
  const Ladder steps = ladder(c.job, scenario_.layout);
  const auto rungs = static_cast<std::int64_t>(steps.recompute.count * steps.offload.count);
  for_each_degrees(c.job, machine, scenario_.layout, [&](const Layout& degrees) {
    for (const Layout& l : families(c.job, scenario_.layout, degrees)) {
      statistics_.candidates += rungs;
      if (const Refusal why = check_layout(c.job, machine, l); why != Refusal::none) refuse(why, rungs);
      else climb(c, machine, l, steps, best);
    }
  });
  statistics_.pruned = statistics_.candidates - statistics_.refused - statistics_.evaluated;
  return best;
}

}  // namespace gpuplan
