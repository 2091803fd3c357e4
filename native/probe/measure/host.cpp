#include "native/probe/fit_transfer.hpp"
#include "native/probe/measure/measure.hpp"
#include "native/probe/sampler.hpp"

namespace gpuplan::probe {
namespace {

std::vector<Work> host_works(HostDirection direction, bool pinned, bool quick) {
  std::vector<Work> works;
  for (std::int64_t bytes = 4096; bytes <= 256 << 20; bytes *= quick ? 16 : 4) works.push_back(HostCopyWork{direction, pinned, bytes});
  return works;
}

Outcome<Done> measure_host(Context& ctx, HostDirection direction, bool pinned) {
  const std::vector<Work> works = host_works(direction, pinned, ctx.quick());
  auto points = sweep(ctx, works);
  if (!points) return points.failure();
  std::vector<TransferPoint> line;
  for (std::size_t i = 0; i < works.size(); ++i) {
    if ((*points)[i]) line.push_back({static_cast<double>(std::get<HostCopyWork>(works[i]).bytes), (*points)[i]->seconds});
  }
  ctx.profile.host.push_back({direction, pinned, fit_transfer(line, 2)});
  return Done{};
}

MeasurementSpec host_spec(HostDirection direction, bool pinned) {
  const std::string memory = pinned ? "pinned" : "pageable";
  return {"host-" + memory + "-" + name(direction), "copies between " + memory + " host memory and the GPU, " + name(direction), 0.8, false,
          [direction, pinned](Context& ctx) { return ctx.machine.cannot(HostCopyWork{direction, pinned, 4096}); },
          [direction, pinned](Context& ctx) { return measure_host(ctx, direction, pinned); }};
}

}  // namespace

std::vector<MeasurementSpec> host_measurements() {
  return {host_spec(HostDirection::to_device, true), host_spec(HostDirection::from_device, true), host_spec(HostDirection::both_ways, true),
          host_spec(HostDirection::to_device, false), host_spec(HostDirection::from_device, false)};
}

}  // namespace gpuplan::probe
