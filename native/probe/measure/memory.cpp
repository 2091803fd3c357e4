#include "native/probe/fit_transfer.hpp"
#include "native/probe/measure/measure.hpp"
#include "native/probe/sampler.hpp"

namespace gpuplan::probe {
namespace {

/// 256 KiB … 4 GiB in steps of 4 (quick: of 16); what does not fit into memory is left out by the sweep.
std::vector<Work> memory_works(MemoryOperation operation, bool quick) {
  std::vector<Work> works;
  for (std::int64_t bytes = 1 << 18; bytes <= std::int64_t{1} << 32; bytes *= quick ? 16 : 4) works.push_back(MemoryWork{operation, bytes});
  return works;
}

Outcome<Done> measure_memory(Context& ctx, MemoryOperation operation) {
  const std::vector<Work> works = memory_works(operation, ctx.quick());
  auto points = sweep(ctx, works);
  if (!points) return points.failure();
  std::vector<TransferPoint> line;
  for (std::size_t i = 0; i < works.size(); ++i) {
    if ((*points)[i]) line.push_back({static_cast<double>(std::get<MemoryWork>(works[i]).bytes), (*points)[i]->seconds});
  }
  ctx.profile.memory.push_back({operation, fit_transfer(line, 2)});
  return Done{};
}

MeasurementSpec memory_spec(MemoryOperation operation, const char* what) {
  return {std::string("memory-") + name(operation), what, 1.0, false,
          [operation](Context& ctx) { return ctx.machine.cannot(MemoryWork{operation, 1 << 20}); },
          [operation](Context& ctx) { return measure_memory(ctx, operation); }};
}

Outcome<Done> measure_usable(Context& ctx) {
  Outcome<double> bytes = ctx.machine.usable_bytes();
  if (!bytes) return bytes.failure();
  ctx.profile.gpu.memory_usable = Bytes{*bytes};
  return Done{};
}

}  // namespace

std::vector<MeasurementSpec> memory_measurements() {
  return {{"memory-usable", "largest sum that can be allocated", 0.3, false, [](Context&) { return std::string(); }, measure_usable},
          memory_spec(MemoryOperation::read, "read device memory, cold, against size"),
          memory_spec(MemoryOperation::write, "write device memory against size"),
          memory_spec(MemoryOperation::copy, "copy device memory (read + write) against size"),
          memory_spec(MemoryOperation::triad, "a = b + s·c in device memory against size")};
}

}  // namespace gpuplan::probe
