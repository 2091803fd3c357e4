#pragma once
/// Which option is better: one total order per objective, stable over runs and machines [M-search].
#include <vector>

#include "core/plan/search.hpp"

namespace gpuplan {

/// True when `a` is strictly better than `b` by the objective; unpriced options lose on cost; ties fall to fewer dollars, GPUs and nodes.
bool better(const Option& a, const Option& b, Objective objective);

/// The share of its speed that a layout counts for beside others of one machine [M-search]: an estimate's few per cent are no reason for a more
/// involved layout. 1 for plain data parallelism, 2 % less per doubling of pipeline stages, 1 % of tp, cp and ep, 3 % per level of offload.
double plainness(const Layout&);

/// Marks the options that no other beats on cost, throughput and latency at once.
void mark_pareto(std::vector<Option>& options);

/// The first limit of the policy that an option breaks, as the name of the field ("max_ttft_s"), "" when it keeps all.
struct BrokenLimit {
  const char* limit = "";
  double value = 0.0, allowed = 0.0;
  explicit operator bool() const { return limit[0] != '\0'; }
};
BrokenLimit broken_limit(const Option&, const Policy&);

/// The same for the limits of speed alone: which layout of a machine keeps them does not depend on its price.
BrokenLimit broken_speed(const Option&, const Policy&);

/// How far an option is from what is asked, 1 = there: what it has over what is allowed, of the limit that binds. No room in memory is further
/// than any limit, an unknown price under a budget further still.
double missed_by(const Option&, const Policy&);

/// At most `count` options, best first: one per provider (more only when there are fewer providers than rows), at most two of a GPU and three without a date, so that a table shows choices and not sizes of one offer;
/// the best offer of a large cloud is always among them.
std::vector<const Option*> diverse(const std::vector<const Option*>& options, const std::vector<Offer>& offers, const Catalog&, std::size_t count);

}  // namespace gpuplan
