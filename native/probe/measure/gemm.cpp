#include <array>

#include "core/catalog/profile_fields.hpp"
#include "native/probe/fit_gemm.hpp"
#include "native/probe/measure/measure.hpp"
#include "native/probe/sampler.hpp"

namespace gpuplan::probe {
namespace {

struct Shape { std::int64_t n, k; };

/// Weight shapes of common transformers: kv, output, gate/up and down projections of 8B, and of 70B.
std::vector<Shape> shapes_of(Effort effort) {
  if (effort == Effort::quick) return {{4096, 4096}, {14336, 4096}};
  if (effort == Effort::normal) return {{1024, 4096}, {4096, 4096}, {6144, 4096}, {14336, 4096}, {8192, 8192}, {8192, 28672}};
  return {{1024, 4096}, {4096, 4096}, {6144, 4096}, {14336, 4096}, {4096, 14336}, {8192, 8192}, {28672, 8192}, {8192, 28672}};
}
std::vector<std::int64_t> rows_of(Effort effort) {
  if (effort == Effort::quick) return {1, 16, 128, 512, 2048, 8192};
  if (effort == Effort::normal) return {1, 4, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384};
  return {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384};
}

struct GemmSweep { std::vector<Work> works; std::vector<double> growth; };

/// All M of a shape before the next shape; growth tells the sweep how much longer than its predecessor a point takes once compute-bound.
GemmSweep gemm_works(Arithmetic type, const std::vector<Shape>& shapes, const std::vector<std::int64_t>& rows) {
  GemmSweep s;
  for (const Shape& shape : shapes) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      s.works.push_back(GemmWork{type, rows[i], shape.n, shape.k});
      s.growth.push_back(i == 0 ? 0.0 : static_cast<double>(rows[i]) / static_cast<double>(rows[i - 1]));
    }
  }
  return s;
}

double flops(const GemmWork& w) { return 2.0 * static_cast<double>(w.m) * static_cast<double>(w.n) * static_cast<double>(w.k); }

void add_table(GemmSurface& g, const GemmSweep& s, const std::vector<std::optional<Sampled>>& points, const std::vector<std::int64_t>& rows) {
  g.m = rows;
  for (std::size_t i = 0; i < s.works.size(); ++i) {
    const GemmWork& w = std::get<GemmWork>(s.works[i]);
    if (i % rows.size() == 0) g.shapes.push_back({w.n, w.k, {}});
    g.shapes.back().rates.push_back(FlopsPerSecond{points[i] ? flops(w) / points[i]->seconds : 0.0});
  }
}

Outcome<Done> measure_gemm(Context& ctx, Arithmetic type) {
  const std::vector<std::int64_t> rows = rows_of(ctx.settings.effort);
  const GemmSweep s = gemm_works(type, shapes_of(ctx.settings.effort), rows);
  auto points = sweep(ctx, s.works, s.growth);
  if (!points) return points.failure();
  std::vector<GemmPoint> measured;
  for (std::size_t i = 0; i < s.works.size(); ++i) {
    const GemmWork& w = std::get<GemmWork>(s.works[i]);
    if ((*points)[i]) measured.push_back({w.m, w.n, w.k, (*points)[i]->seconds});
  }
  if (measured.size() < 5) return Failure{Fault::failed, "only " + std::to_string(measured.size()) + " shapes could be measured, five are needed"};
  GemmSurface g = fit_gemm(type, measured);
  add_table(g, s, *points, rows);
  ctx.profile.gemm.push_back(std::move(g));
  return Done{};
}

}  // namespace

std::vector<MeasurementSpec> gemm_measurements() {
  std::vector<MeasurementSpec> specs;
  for (Arithmetic type : {Arithmetic::bf16, Arithmetic::fp16, Arithmetic::fp8, Arithmetic::int8, Arithmetic::tf32, Arithmetic::fp32, Arithmetic::fp4}) {
    const std::string type_name = profile_fields::types[static_cast<std::size_t>(type)];
    specs.push_back({"gemm-" + type_name, "matrix products in " + type_name + " (cuBLASLt), M = 1…16384 over weight shapes of language models",
                     type == Arithmetic::bf16 ? 8.0 : 5.0, false,
                     [type](Context& ctx) { return ctx.machine.cannot(GemmWork{type, 16, 4096, 4096}); },
                     [type](Context& ctx) { return measure_gemm(ctx, type); }});
  }
  return specs;
}

}  // namespace gpuplan::probe
