#include <algorithm>

#include "native/probe/measure/measure.hpp"
#include "native/probe/sampler.hpp"

namespace gpuplan::probe {
namespace {

constexpr int short_graph = 10, long_graph = 500;

Outcome<Done> measure_launch(Context& ctx) {
  const std::vector<Work> works{LaunchWork{LaunchKind::enqueue, 1}, LaunchWork{LaunchKind::round_trip, 1}};
  auto points = sweep(ctx, works);
  if (!points) return points.failure();
  if ((*points)[0]) ctx.profile.launch.kernel_enqueue = Seconds{(*points)[0]->seconds};
  if ((*points)[1]) ctx.profile.launch.kernel_round_trip = Seconds{(*points)[1]->seconds};
  return Done{};
}

/// t = graph_launch + kernels × graph_kernel, from a short and a long graph.
Outcome<Done> measure_graph(Context& ctx) {
  auto points = sweep(ctx, {LaunchWork{LaunchKind::graph, short_graph}, LaunchWork{LaunchKind::graph, long_graph}});
  if (!points) return points.failure();
  if (!(*points)[0] || !(*points)[1]) return Failure{Fault::unsupported, "graphs of both lengths are needed"};
  const double each = std::max(0.0, ((*points)[1]->seconds - (*points)[0]->seconds) / (long_graph - short_graph));
  ctx.profile.launch.graph_kernel = Seconds{each};
  ctx.profile.launch.graph_launch = Seconds{std::max(0.0, (*points)[0]->seconds - short_graph * each)};
  return Done{};
}

}  // namespace

std::vector<MeasurementSpec> launch_measurements() {
  return {{"launch-kernel", "empty kernel: host time per launch, launch and wait", 0.3, false,
           [](Context& ctx) { return ctx.machine.cannot(LaunchWork{LaunchKind::enqueue, 1}); }, measure_launch},
          {"launch-graph", "graph of empty kernels: per launch and per kernel", 0.3, false,
           [](Context& ctx) { return ctx.machine.cannot(LaunchWork{LaunchKind::graph, short_graph}); }, measure_graph}};
}

}  // namespace gpuplan::probe
