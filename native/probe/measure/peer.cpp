#include <cmath>

#include "native/probe/fit_transfer.hpp"
#include "native/probe/measure/measure.hpp"
#include "native/probe/sampler.hpp"
#include "native/probe/statistics.hpp"

namespace gpuplan::probe {
namespace {

constexpr double alike = 0.08;  ///< pairs whose bandwidth and latency agree this closely share an entry

struct PairLine { int from, to; std::vector<TransferPoint> points; TransferFit fit; };

std::vector<Work> pair_works(int from, int to, bool direct, bool quick) {
  std::vector<Work> works;
  for (std::int64_t bytes = 4096; bytes <= 256 << 20; bytes *= quick ? 64 : 16) works.push_back(PeerCopyWork{from, to, direct, bytes});
  return works;
}

Outcome<PairLine> measure_pair(Context& ctx, int from, int to, bool direct) {
  const std::vector<Work> works = pair_works(from, to, direct, ctx.quick());
  auto points = sweep(ctx, works);
  if (!points) return points.failure();
  PairLine line{from, to, {}, {}};
  for (std::size_t i = 0; i < works.size(); ++i) {
    if ((*points)[i]) line.points.push_back({static_cast<double>(std::get<PeerCopyWork>(works[i]).bytes), (*points)[i]->seconds});
  }
  line.fit = fit_transfer(line.points, 1);
  return line;
}

bool near(double a, double b) { return std::abs(a - b) <= alike * std::max(a, b); }
bool same_link(const TransferFit& a, const TransferFit& b) {
  return near(a.segments.back().bandwidth.value, b.segments.back().bandwidth.value) &&
         std::abs(a.segments.front().latency.value - b.segments.front().latency.value) <= std::max(2e-6, 0.3 * a.segments.front().latency.value);
}

/// Groups pairs with equal figures; the group's line is fitted to all of their points.
void add_groups(Profile& profile, bool direct, const std::vector<PairLine>& lines) {
  std::vector<std::vector<const PairLine*>> groups;
  for (const PairLine& line : lines) {
    auto it = groups.begin();
    while (it != groups.end() && !same_link(it->front()->fit, line.fit)) ++it;
    if (it == groups.end()) groups.push_back({&line});
    else it->push_back(&line);
  }
  for (const auto& group : groups) {
    PeerFit out{direct, {}, {}};
    std::vector<TransferPoint> all;
    for (const PairLine* line : group) {
      out.pairs.emplace_back(line->from, line->to);
      all.insert(all.end(), line->points.begin(), line->points.end());
    }
    out.fit = fit_transfer(all, 1);
    if (profile.peer.size() < 256) profile.peer.push_back(std::move(out));
  }
}

struct PairList { std::vector<std::pair<int, int>> pairs; };

PairList usable_pairs(Context& ctx, bool direct) {
  PairList list;
  const int gpus = static_cast<int>(ctx.facts.machine.gpus_per_node.n);
  for (int from = 0; from < gpus; ++from) {
    for (int to = 0; to < gpus; ++to) {
      if (from != to && ctx.machine.cannot(PeerCopyWork{from, to, direct, 4096}).empty()) list.pairs.emplace_back(from, to);
    }
  }
  return list;
}

/// A pair that fails is told in a note and the other pairs are measured.
Outcome<Done> measure_peers(Context& ctx, bool direct) {
  const PairList list = usable_pairs(ctx, direct);
  const double end = ctx.slice_end;
  std::vector<PairLine> lines;
  std::string failed;
  for (std::size_t i = 0; i < list.pairs.size(); ++i) {
    const auto [from, to] = list.pairs[i];
    ctx.slice_end = ctx.now() + std::max(0.0, end - ctx.now()) / static_cast<double>(list.pairs.size() - i);
    Outcome<PairLine> line = measure_pair(ctx, from, to, direct);
    if (line) lines.push_back(std::move(*line));
    else if (line.failure().fault == Fault::lost || line.failure().fault == Fault::timed_out || ctx.stopped()) return line.failure();
    else failed += (failed.empty() ? "" : ", ") + std::to_string(from) + " to " + std::to_string(to) + ": " + line.failure().message;
  }
  add_groups(ctx.profile, direct, lines);
  if (failed.empty()) return Done{};
  ctx.note("peer-failed", failed);
  return Failure{Fault::failed, failed};
}

MeasurementSpec peer_spec(bool direct) {
  return {direct ? "peer-direct" : "peer-staged",
          direct ? "copies between every pair of GPUs with peer access" : "copies between every pair of GPUs through the host", 2.0, false,
          [direct](Context& ctx) -> std::string {
            if (ctx.facts.machine.gpus_per_node.n < 2) return "one GPU in this node";
            return usable_pairs(ctx, direct).pairs.empty() ? "no pair of GPUs has peer access" : "";
          },
          [direct](Context& ctx) { return measure_peers(ctx, direct); }};
}

}  // namespace

std::vector<MeasurementSpec> peer_measurements() { return {peer_spec(true), peer_spec(false)}; }

}  // namespace gpuplan::probe
