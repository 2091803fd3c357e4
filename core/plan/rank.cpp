#include "core/plan/rank.hpp"

#include <algorithm>

namespace gpuplan {
namespace {

/// Seconds that the latency objective compares: a request from start to end, or the whole run.
double latency(const Option& o) { return o.time.total.value; }
double throughput(const Option& o) { return o.time.tokens_per_s.value; }

/// Dollars per token: what serving and training have in common.
double price(const Option& o) { return o.cost.usd_per_million_tokens; }

template <class T>
int order(T a, T b) { return a < b ? -1 : b < a ? 1 : 0; }

/// Negative when a is better. Knowing a price beats not knowing it.
int by_cost(const Option& a, const Option& b) {
  if (a.cost.known != b.cost.known) return a.cost.known ? -1 : 1;
  return order(price(a), price(b));
}

int by_objective(const Option& a, const Option& b, Objective objective) {
  switch (objective) {
    case Objective::cost: return by_cost(a, b);
    case Objective::throughput: return order(throughput(b), throughput(a));
    case Objective::latency: return order(latency(a), latency(b));
  }
  return 0;
}

int by_layout(const Layout& a, const Layout& b) {
  const std::int64_t x[] = {a.pp, a.tp, a.cp, a.ep, a.zero, static_cast<int>(a.recompute), static_cast<int>(a.offload), a.attention_dp};
  const std::int64_t y[] = {b.pp, b.tp, b.cp, b.ep, b.zero, static_cast<int>(b.recompute), static_cast<int>(b.offload), b.attention_dp};
  for (std::size_t i = 0; i < std::size(x); ++i) {
    if (const int c = order(x[i], y[i])) return c;
  }
  return 0;
}

int doublings(std::int64_t degree) {
  int n = 0;
  for (; degree > 1; degree = (degree + 1) / 2) ++n;
  return n;
}

}  // namespace

double plainness(const Layout& l) {
  constexpr double per_pipeline_doubling = 0.02, per_other_doubling = 0.01, per_offload_level = 0.03;
  return 1.0 - per_pipeline_doubling * doublings(l.pp) - per_other_doubling * (doublings(l.tp) + doublings(l.cp) + doublings(l.ep)) - per_offload_level * static_cast<int>(l.offload);
}

bool better(const Option& a, const Option& b, Objective objective) {
  if (const int c = by_objective(a, b, objective)) return c < 0;
  if (const int c = by_cost(a, b)) return c < 0;
  if (const int c = order(a.cost.usd_per_hour, b.cost.usd_per_hour)) return c < 0;
  if (const int c = order(a.machine.gpus().n, b.machine.gpus().n)) return c < 0;
  if (const int c = order(throughput(b), throughput(a))) return c < 0;
  if (const int c = by_layout(a.layout, b.layout)) return c < 0;
  return a.offer < b.offer;
}

void mark_pareto(std::vector<Option>& options) {
  const auto beats = [](const Option& a, const Option& b) {
    const bool cheaper = by_cost(a, b) <= 0, faster = throughput(a) >= throughput(b), sooner = latency(a) <= latency(b);
    const bool strictly = by_cost(a, b) < 0 || throughput(a) > throughput(b) || latency(a) < latency(b);
    return cheaper && faster && sooner && strictly;
  };
  // Who is beaten by anyone is beaten by one of the front: beating is transitive.
  std::vector<Option*> front;
  for (Option& o : options) {
    o.pareto = false;
    if (std::any_of(front.begin(), front.end(), [&](const Option* other) { return beats(*other, o); })) continue;
    front.erase(std::remove_if(front.begin(), front.end(), [&](const Option* other) { return beats(o, *other); }), front.end());
    front.push_back(&o);
  }
  for (Option* o : front) o->pareto = true;
}

namespace {

bool above(const std::optional<double>& limit, double v) { return limit && v > *limit; }

BrokenLimit broken_budget(const Option& o, const Policy& p) {
  const bool training = is_training(o.candidate->job.task);
  if (p.max_usd_per_hour && !o.cost.known) return {"max_usd_per_hour", 0.0, *p.max_usd_per_hour};
  if (above(p.max_usd_per_hour, o.cost.usd_per_hour)) return {"max_usd_per_hour", o.cost.usd_per_hour, *p.max_usd_per_hour};
  if (training && p.max_usd && !o.cost.known) return {"max_usd", 0.0, *p.max_usd};
  if (training && above(p.max_usd, o.cost.total_usd)) return {"max_usd", o.cost.total_usd, *p.max_usd};
  return {};
}

}  // namespace

BrokenLimit broken_speed(const Option& o, const Policy& p) {
  constexpr double seconds_per_hour = 3600.0;
  const bool training = is_training(o.candidate->job.task);
  if (p.min_tokens_per_s && throughput(o) < *p.min_tokens_per_s) return {"min_tokens_per_s", throughput(o), *p.min_tokens_per_s};
  if (!training && above(p.max_ttft_s, o.time.ttft.value)) return {"max_ttft_s", o.time.ttft.value, *p.max_ttft_s};
  if (!training && above(p.max_tpot_s, o.time.tpot.value)) return {"max_tpot_s", o.time.tpot.value, *p.max_tpot_s};
  const double hours = o.time.total.value / seconds_per_hour;
  if (training && above(p.deadline_hours, hours)) return {"deadline_hours", hours, *p.deadline_hours};
  return {};
}

BrokenLimit broken_limit(const Option& o, const Policy& p) {
  if (const BrokenLimit budget = broken_budget(o, p)) return budget;
  return broken_speed(o, p);
}

double missed_by(const Option& o, const Policy& p) {
  constexpr double no_price = 1e9, no_room = 1e6;
  const double memory = o.memory.used / o.memory.usable / (1.0 - p.headroom);
  if (!o.memory.fits) return no_room + memory;
  const BrokenLimit b = broken_limit(o, p);
  if (!b) return memory;
  if (b.value <= 0.0) return no_price;
  return b.value > b.allowed ? b.value / b.allowed : b.allowed / b.value;
}

namespace {

constexpr int most_of_one_gpu = 2;    // rows of a table that may show the same GPU
constexpr int most_undated = 3;       // rows whose price nobody dated: the rest can be relied on

const Instance* instance_of(const Option& o, const std::vector<Offer>& offers, const Catalog& catalog) {
  const int index = offers[static_cast<std::size_t>(o.offer)].instance;
  return index < 0 ? nullptr : &catalog.instances[static_cast<std::size_t>(index)];
}

/// What a table shows so far, and whether another offer adds a choice to it.
struct Shown {
  std::vector<const Instance*> all;

  bool adds_choice(const Instance& i, bool provider_again) const {
    int same_gpu = 0, undated = i.price_date.empty() ? 1 : 0;
    for (const Instance* s : all) {
      if (s->provider == i.provider && (!provider_again || s->gpu == i.gpu)) return false;
      same_gpu += s->gpu == i.gpu;
      undated += s->price_date.empty();
    }
    return same_gpu < most_of_one_gpu && (!i.price_date.empty() || undated <= most_undated);
  }
};

}  // namespace

std::vector<const Option*> diverse(const std::vector<const Option*>& options, const std::vector<Offer>& offers, const Catalog& catalog, std::size_t count) {
  Shown shown;
  std::vector<bool> taken(options.size(), false);
  std::size_t rows = 0, last = 0, large_cloud = options.size();
  bool has_large_cloud = false;
  for (const bool provider_again : {false, true}) {
    for (std::size_t n = 0; n < options.size() && rows < count; ++n) {
      const Instance* i = instance_of(*options[n], offers, catalog);
      if (taken[n] || (i && !shown.adds_choice(*i, provider_again))) continue;
      if (i) shown.all.push_back(i);
      has_large_cloud = has_large_cloud || (i && i->provider_class == ProviderClass::hyperscaler);
      taken[n] = true;
      last = std::max(last, n);
      ++rows;
    }
  }
  // Many people may only use one of the large clouds: the best of them has the last row when none earned a place.
  for (std::size_t n = 0; n < options.size() && large_cloud == options.size(); ++n) {
    const Instance* i = instance_of(*options[n], offers, catalog);
    if (i && i->provider_class == ProviderClass::hyperscaler) large_cloud = n;
  }
  if (large_cloud < options.size() && !has_large_cloud && rows == count) {
    taken[last] = false;
    taken[large_cloud] = true;
  }
  std::vector<const Option*> out;
  for (std::size_t n = 0; n < options.size(); ++n) {
    if (taken[n]) out.push_back(options[n]);
  }
  return out;
}

}  // namespace gpuplan
