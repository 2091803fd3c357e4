#include "core/plan/layout_search.hpp"

#include <algorithm>

#include "core/compute/step_floor.hpp"
#include "core/plan/rank.hpp"

namespace gpuplan {

/// One job on one machine, and what was found so far.
struct LayoutSearch::Progress {
  const Candidate& c;
  const Machine& machine;
  LayoutTable& table;
  Best best{};
  std::size_t family = 0;  ///< in hand
  bool closest_known = false;
  std::size_t closest_family = 0;
  Layout closest{};  ///< of those that do not fit, the one that needs least
  Bytes closest_used{};
};

Bytes LayoutSearch::room(Bytes usable) const {
  return fit_ == Fit::with_headroom ? usable * (1.0 - scenario_.policy.headroom) : usable;
}

/// Nobody is sent to a machine whose host memory is unknown with states that must live there.
bool LayoutSearch::fits_here(Bytes used, Bytes usable, Bytes host, bool fits, const Machine& machine) const {
  const bool host_unknown = host.value > 0.0 && machine.host_memory.value <= 0.0;
  return fits && used <= room(usable) && !(fit_ == Fit::with_headroom && host_unknown);
}

/// What layouts of one machine are ordered by: speed × plainness, more is better.
double LayoutSearch::speed(const Layout& l, const Time& t) const {
  return plainness(l) * (scenario_.policy.objective == Objective::latency ? 1.0 / t.total.value : t.tokens_per_s.value);
}

bool LayoutSearch::faster(const Option& a, const Option& b) const {
  const double x = speed(a.layout, a.time), y = speed(b.layout, b.time);
  return x != y ? x > y : better(a, b, scenario_.policy.objective == Objective::latency ? Objective::latency : Objective::throughput);
}

Option LayoutSearch::option_of(const Progress& p, const Layout& layout) const {
  Option o;
  o.candidate = &p.c;
  o.machine = p.machine;
  o.layout = layout;
  return o;
}

/// Adds a layout to the front of its machine unless one there is as fast and as soon; those that it beats leave.
void LayoutSearch::widen(Progress& p, const Layout& layout, const Memory* memory, const Time& time) const {
  std::vector<Option>& front = p.best.front;
  const auto as_good = [](const Time& a, const Time& b) { return a.tokens_per_s >= b.tokens_per_s && a.total <= b.total; };
  if (std::any_of(front.begin(), front.end(), [&](const Option& o) { return as_good(o.time, time); })) return;
  front.erase(std::remove_if(front.begin(), front.end(), [&](const Option& o) { return as_good(time, o.time); }), front.end());
  front.push_back(option_of(p, layout));
  if (memory) front.back().memory = *memory;
  front.back().time = time;
}

/// Times a layout that fits and keeps it when no other is as fast; one that breaks a limit is a miss. Training time does not ask for memory,
/// so that (null) is written out at the end, for what is kept.
void LayoutSearch::consider(Progress& p, const Layout& layout, const Memory* memory) {
  static const Memory none;
  const Time time = estimate_time(p.c.job, *p.c.time, p.machine, layout, memory ? *memory : none);
  ++statistics_.evaluated;
  if (breadth_ == Breadth::front && !is_training(p.c.job.task)) widen(p, layout, memory, time);
  Best& best = p.best;
  const double own = speed(layout, time);
  if (best.found && own < best.speed) return;
  Option o = option_of(p, layout);
  if (memory) o.memory = *memory;
  o.time = time;
  const bool keeps_limits = !broken_speed(o, scenario_.policy);
  if (!keeps_limits && best.found) return;
  bool& any = keeps_limits ? best.found : best.missed;
  Option& kept = keeps_limits ? best.option : best.miss;
  if (any && !faster(o, kept)) return;
  any = true;
  if (keeps_limits) best.speed = own;
  kept = o;
}

void LayoutSearch::remember_closest(Progress& p, const Layout& layout, Bytes used) {
  ++statistics_.memory_only;
  if (p.closest_known && (used > p.closest_used || (used == p.closest_used && p.family >= p.closest_family))) return;
  p.closest_known = true;
  p.closest_family = p.family;
  p.closest = layout;
  p.closest_used = used;
}

/// Writes out the memory of what is kept. Where nothing fits, what comes closest is estimated in full.
void LayoutSearch::finish(Progress& p) {
  for (Option* kept : {p.best.found ? &p.best.option : nullptr, p.best.missed ? &p.best.miss : nullptr}) {
    if (kept && is_training(p.c.job.task)) kept->memory = estimate_memory(p.c.job, *p.c.memory, p.machine, kept->layout);
  }
  if (p.best.found || p.best.missed || !p.closest_known) return;
  Option& o = p.best.miss = option_of(p, p.closest);
  o.memory = estimate_memory(p.c.job, *p.c.memory, p.machine, p.closest);
  o.time = estimate_time(p.c.job, *p.c.time, p.machine, p.closest, o.memory);
  ++statistics_.evaluated;
  p.best.missed = true;
}

bool LayoutSearch::fits_rung(Progress& p, const Layout& l, const MemoryNeed& need) {
  const MemoryUse use = memory_use(need, p.machine, l);
  p.best.host_counts = p.best.host_counts || use.host.value > 0.0;
  if (fits_here(use.used, p.machine.memory_usable, use.host, use.fits, p.machine)) return true;
  remember_closest(p, l, use.used);
  return false;
}

/// Whether the least time of a family's step, whatever is in memory and on the wires, is too long to be the best (rule 3 of [M-search]). A part in a
/// billion is left for rounding, so what is as fast as the best is looked at and ties are decided as without this rule.
bool LayoutSearch::hopeless(const Progress& p, const Layout& l, double floor) const {
  if (!p.best.found) return false;
  constexpr double rounding = 1.0 - 1e-9;
  return plainness(l) * p.best.option.time.step.value < plainness(p.best.option.layout) * (floor * rounding);
}

/// Up the ladder: on each level of offload the first recompute that fits; further levels then need less recompute to be worth anything.
/// The strongest recompute of a level is tried first: when that does not fit, no other of the level does.
void LayoutSearch::climb(Progress& p, std::size_t family, double floor) {
  Layout l = p.table.families()[family];
  p.family = family;
  const Ladder& steps = p.table.steps();
  std::size_t open = steps.recompute.count;
  for (std::size_t o = 0; o < steps.offload.count; ++o) {
    l.offload = steps.offload.values[o];
    if (const Refusal why = check_savers(p.c.job, l); why != Refusal::none) {
      refuse(why, static_cast<std::int64_t>(steps.recompute.count));
      continue;
    }
    if (open == 0 || hopeless(p, l, floor)) break;
    const auto fits = [&](std::size_t r) {
      l.recompute = steps.recompute.values[r];
      return fits_rung(p, l, p.table.need(family, o, r));
    };
    if (!fits(open - 1)) continue;
    std::size_t r = 0;
    while (r + 1 < open && !fits(r)) ++r;
    l.recompute = steps.recompute.values[r];
    consider(p, l, nullptr);
    open = r;
  }
}

/// Families of the same degrees: neither floor nor plainness tells their ZeRO stages apart, but for layers that are gathered.
static bool same_promise(const Layout& a, const Layout& b) {
  return a.tp == b.tp && a.pp == b.pp && a.cp == b.cp && a.dp == b.dp && a.ep == b.ep && (a.zero >= 3) == (b.zero >= 3);
}

/// The families that promise most come first: what they reach leaves the more of the others out. Among equals the order of the table stays.
void LayoutSearch::climb_in_order(Progress& p) {
  const std::vector<Layout>& families = p.table.families();
  promises_.clear();
  for (std::size_t i = 0; i < families.size(); ++i) {
    if (i > 0 && same_promise(families[i - 1], families[i])) {
      promises_.push_back({promises_.back().speed, i, promises_.back().floor});
      continue;
    }
    const double floor = std::max(0.0, step_floor(p.c.job, *p.c.time, p.machine, families[i]).value);
    promises_.push_back({plainness(families[i]) / floor, i, floor});
  }
  std::sort(promises_.begin(), promises_.end(), [](const Promise& a, const Promise& b) { return a.speed != b.speed ? a.speed > b.speed : a.family < b.family; });
  for (const Promise& next : promises_) {
    if (hopeless(p, families[next.family], next.floor)) break;  // and so is what promises less
    climb(p, next.family, next.floor);
  }
}

/// Serving has no ladder; how much cache there is room for decides the speed.
void LayoutSearch::place(Progress& p, const Layout& l) {
  const Memory memory = estimate_memory(p.c.job, *p.c.memory, p.machine, l);
  p.best.host_counts = p.best.host_counts || memory.host.value > 0.0;
  if (fits_here(memory.used, memory.usable, memory.host, memory.fits, p.machine)) consider(p, l, &memory);
  else remember_closest(p, l, memory.used);
}

void LayoutSearch::refuse(Refusal why, std::int64_t layouts) {
  statistics_.refused += layouts;
  statistics_.refusals[static_cast<std::size_t>(why)] += layouts;
}

Best LayoutSearch::on(const Candidate& c, const Machine& machine) {
  Progress p{c, machine, tables_.of(c, machine, scenario_.layout)};
  const auto rungs = static_cast<std::int64_t>(p.table.rungs());
  statistics_.candidates += p.table.families_looked_at() * rungs;
  for (std::size_t why = 0; why < refusal_count; ++why) refuse(static_cast<Refusal>(why), p.table.refused()[why] * rungs);
  if (rungs > 0 && is_training(c.job.task)) climb_in_order(p);  // no rung: a wish that the task has no answer to
  for (std::size_t i = 0; rungs > 0 && !is_training(c.job.task) && i < p.table.families().size(); ++i) place(p, p.table.families()[i]);
  finish(p);
  statistics_.pruned = statistics_.candidates - statistics_.refused - statistics_.evaluated;
  return p.best;
}

}  // namespace gpuplan
