#include <algorithm>

#include "native/probe/fit_transfer.hpp"
#include "native/probe/measure/measure.hpp"
#include "native/probe/sampler.hpp"

namespace gpuplan::probe {
namespace {

struct Group { int ranks, nodes; };

/// 2, 4, 8 … GPUs inside the node; then all GPUs of 2, 4, 8 … nodes, and one GPU of each of them.
std::vector<Group> groups_of(const MeasuredMachine& machine, Collective kind) {
  const int gpus = static_cast<int>(machine.gpus_per_node.n), nodes = static_cast<int>(machine.nodes.n);
  std::vector<Group> groups;
  const auto add = [&groups](int ranks, int on) {
    const auto same = [&](const Group& g) { return g.ranks == ranks && g.nodes == on; };
    if (ranks >= 2 && std::none_of(groups.begin(), groups.end(), same)) groups.push_back({ranks, on});
  };
  if (kind == Collective::send_recv) {
    if (gpus >= 2) add(2, 1);
    if (nodes >= 2) add(2, 2);
    return groups;
  }
  for (int ranks = 2; ranks < gpus; ranks *= 2) add(ranks, 1);
  add(gpus, 1);
  for (int on = 2; on < 2 * nodes; on *= 2) {
    add(std::min(on, nodes), std::min(on, nodes));
    add(std::min(on, nodes) * gpus, std::min(on, nodes));
  }
  return groups;
}

/// 8 B … 1 GiB, rounded up so that every rank holds whole fp32 elements.
std::vector<Work> collective_works(Collective kind, const Group& g, bool quick) {
  std::vector<Work> works;
  const std::int64_t unit = 4LL * (kind == Collective::send_recv ? 1 : g.ranks);
  for (std::int64_t bytes = 8; bytes <= std::int64_t{1} << 30; bytes *= quick ? 16 : 4) {
    const std::int64_t whole = (bytes + unit - 1) / unit * unit;
    if (works.empty() || std::get<CollectiveWork>(works.back()).bytes < whole) works.push_back(CollectiveWork{kind, g.ranks, g.nodes, whole});
  }
  if (std::get<CollectiveWork>(works.back()).bytes < 1 << 30) works.push_back(CollectiveWork{kind, g.ranks, g.nodes, ((1LL << 30) + unit - 1) / unit * unit});
  return works;
}

Outcome<CollectiveFit> measure_group(Context& ctx, Collective kind, const Group& g) {
  const std::vector<Work> works = collective_works(kind, g, ctx.quick());
  auto points = sweep(ctx, works);
  if (!points) return points.failure();
  const double factor = collective_bus_factor(kind, Gpus{g.ranks});
  std::vector<TransferPoint> line;
  for (std::size_t i = 0; i < works.size(); ++i) {
    if ((*points)[i]) line.push_back({factor * static_cast<double>(std::get<CollectiveWork>(works[i]).bytes), (*points)[i]->seconds});
  }
  return CollectiveFit{kind, Gpus{g.ranks}, Nodes{g.nodes}, fit_transfer(line, 4, 1.0 / factor)};
}

Outcome<Done> measure_collective(Context& ctx, Collective kind) {
  const std::vector<Group> groups = groups_of(ctx.facts.machine, kind);
  const double end = ctx.slice_end;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const double now = ctx.now();
    ctx.slice_end = now + std::max(0.0, end - now) / static_cast<double>(groups.size() - i);
    Outcome<CollectiveFit> fit = measure_group(ctx, kind, groups[i]);
    if (!fit) return fit.failure();
    if (ctx.profile.collectives.size() < 64) ctx.profile.collectives.push_back(std::move(*fit));
  }
  return Done{};
}

std::string collective_cannot(Context& ctx, Collective kind) {
  const std::vector<Group> groups = groups_of(ctx.facts.machine, kind);
  if (groups.empty()) return "one GPU in all; collectives need two";
  return ctx.machine.cannot(CollectiveWork{kind, groups[0].ranks, groups[0].nodes, 1 << 20});
}

}  // namespace

std::vector<MeasurementSpec> collective_measurements() {
  std::vector<MeasurementSpec> specs;
  for (Collective kind : {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter, Collective::all_to_all, Collective::send_recv}) {
    specs.push_back({name(kind), std::string("NCCL ") + name(kind) + ", 8 B … 1 GiB, inside the node and across nodes", 2.5, true,
                     [kind](Context& ctx) { return collective_cannot(ctx, kind); }, [kind](Context& ctx) { return measure_collective(ctx, kind); }});
  }
  return specs;
}

}  // namespace gpuplan::probe
