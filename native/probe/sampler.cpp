#include "native/probe/sampler.hpp"

#include <algorithm>
#include <cmath>

#include "native/probe/statistics.hpp"

namespace gpuplan::probe {
namespace {

constexpr int least_samples = 3, enough_samples = 5, most_samples = 50;
constexpr double sample_seconds = 1e-3;  ///< long against the resolution of device events (about a microsecond)

/// Enough runs per sample to last `sample_seconds`.
int runs_per_sample(double seconds_per_run) {
  return static_cast<int>(std::clamp(std::ceil(sample_seconds / std::max(seconds_per_run, 1e-9)), 1.0, 2000.0));
}

bool settled(const std::vector<double>& taken, double target) {
  return static_cast<int>(taken.size()) >= enough_samples && median_error(taken) < target;
}

Outcome<std::vector<double>> take_samples(Context& ctx, Prepared& work, double seconds_allowed) {
  const double end = ctx.now() + seconds_allowed;
  Outcome<double> warm = work.time(1, ctx.settings.call_timeout_seconds);
  if (warm) warm = work.time(1, ctx.settings.call_timeout_seconds);
  if (!warm) return warm.failure();
  const int runs = runs_per_sample(*warm);
  std::vector<double> taken;
  while (static_cast<int>(taken.size()) < most_samples && !settled(taken, ctx.settings.target_error)) {
    const bool late = static_cast<int>(taken.size()) >= least_samples && ctx.now() >= end;
    if (late || ctx.stopped()) break;
    Outcome<double> seconds = work.time(runs, ctx.settings.call_timeout_seconds);
    if (!seconds) return seconds.failure();
    taken.push_back(*seconds / runs);
  }
  return taken;
}

/// A point whose predecessor was slow may be far too slow for this budget: a GEMM of 16384 rows in fp32 on a small card.
bool too_slow(const std::optional<Sampled>& before, double growth, double share) {
  return before && growth > 0.0 && before->seconds * growth * (least_samples + 3) > std::max(8.0 * share, 0.5);
}

bool passes_over(Fault f) { return f == Fault::out_of_memory || f == Fault::unsupported; }

}  // namespace

Outcome<Sampled> sample(Context& ctx, const Work& what, double seconds_allowed) {
  Outcome<std::unique_ptr<Prepared>> work = ctx.machine.prepare(what);
  if (!work) return work.failure();
  if (Outcome<Done> right = (*work)->verify(); !right) return right.failure();
  Outcome<std::vector<double>> taken = take_samples(ctx, **work, seconds_allowed);
  if (!taken) return taken.failure();
  ctx.watch();
  if (taken->empty()) return Failure{Fault::failed, "interrupted"};
  if (ctx.raw != nullptr) ctx.raw->push_back({ctx.key, text(what), *taken});
  return Sampled{median(*taken), spread(*taken), static_cast<int>(taken->size())};
}

Outcome<std::vector<std::optional<Sampled>>> sweep(Context& ctx, const std::vector<Work>& works, const std::vector<double>& growth) {
  std::vector<std::optional<Sampled>> points(works.size());
  Failure last{Fault::failed, "the time budget was used before the first point"};
  bool any = false;
  for (std::size_t i = 0; i < works.size() && !ctx.stopped(); ++i) {
    const double now = ctx.now(), share = std::max(0.0, ctx.slice_end - now) / static_cast<double>(works.size() - i);
    if (now > ctx.hard_end) break;
    if (i > 0 && i < growth.size() && too_slow(points[i - 1], growth[i], share)) continue;
    Outcome<Sampled> one = sample(ctx, works[i], share);
    if (one) points[i] = *one, any = true;
    else if (passes_over(one.failure().fault)) last = one.failure();
    else return one.failure();
    ctx.progress(static_cast<double>(i + 1) / static_cast<double>(works.size()));
  }
  if (ctx.stopped()) return Failure{Fault::failed, "interrupted"};
  if (!any) return last;
  return points;
}

namespace {
struct Describe {
  std::string operator()(const MemoryWork& w) const { return std::string(name(w.operation)) + " " + std::to_string(w.bytes) + " B"; }
  std::string operator()(const GemmWork& w) const {
    return "gemm m=" + std::to_string(w.m) + " n=" + std::to_string(w.n) + " k=" + std::to_string(w.k);
  }
  std::string operator()(const AttentionWork& w) const {
    return "attention batch=" + std::to_string(w.batch) + " heads=" + std::to_string(w.heads) + " queries=" + std::to_string(w.queries) +
           " keys=" + std::to_string(w.keys);
  }
  std::string operator()(const DequantiseWork& w) const {
    return "dequantise m=" + std::to_string(w.m) + " n=" + std::to_string(w.n) + " k=" + std::to_string(w.k);
  }
  std::string operator()(const LaunchWork& w) const {
    const char* const kinds[] = {"enqueue", "round trip", "graph"};
    return std::string(kinds[static_cast<int>(w.kind)]) + " of " + std::to_string(w.kernels) + " kernels";
  }
  std::string operator()(const HostCopyWork& w) const {
    return std::string(name(w.direction)) + (w.pinned ? " pinned " : " pageable ") + std::to_string(w.bytes) + " B";
  }
  std::string operator()(const PeerCopyWork& w) const {
    return "GPU " + std::to_string(w.from) + " to " + std::to_string(w.to) + (w.direct ? " direct " : " staged ") + std::to_string(w.bytes) + " B";
  }
  std::string operator()(const CollectiveWork& w) const {
    return std::string(name(w.kind)) + " ranks=" + std::to_string(w.ranks) + " nodes=" + std::to_string(w.nodes) + " " + std::to_string(w.bytes) + " B";
  }
};
}  // namespace

std::string text(const Work& work) { return std::visit(Describe{}, work); }

}  // namespace gpuplan::probe
