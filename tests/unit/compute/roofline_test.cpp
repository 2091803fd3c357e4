#include "core/compute/roofline.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/compute/serving_jobs.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;

namespace {

Rates rates(const Machine& m) { return rates_of(load_surfaces(shipped().knowledge.calibration), m); }
double product(const Rates& r, double m) { return gemm_time(r, Kernel::half, m, 8192.0, 8192.0, Bytes{2.0 * 8192.0 * 8192.0}).total().value; }

}  // namespace

TEST_CASE("every surface of every generation has its coefficients") {
  const Surfaces s = load_surfaces(shipped().knowledge.calibration);
  for (const auto& kernels : s.gemm) {
    for (const KernelSurface& k : kernels) {
      CHECK((k.bandwidth > 0.0 && k.bandwidth <= 1.0));
      CHECK((k.flops > 0.0 && k.flops <= 1.0));
      CHECK((k.blend >= 0.0 && k.ramp_rows >= 0.0 && k.fixed > 0.0));
    }
  }
}

TEST_CASE("a product never beats the datasheet") {
  for (const char* id : {"nvidia-a100-sxm4-80gb", "nvidia-h100-sxm-80gb", "nvidia-b200-sxm-180gb", "nvidia-l40s", "amd-mi300x-192gb", "nvidia-t4"}) {
    const Machine m = cluster(gpu(id), 1, 0.0);
    const Rates r = rates(m);
    for (double rows = 1.0; rows <= 16384.0; rows *= 2.0) {
      const double t = product(r, rows);
      CHECK(t >= 2.0 * rows * 8192.0 * 8192.0 / r.peak[static_cast<std::size_t>(Kernel::half)].value);
      CHECK(t >= 2.0 * 8192.0 * 8192.0 / r.bandwidth.value);
    }
  }
}

TEST_CASE("more rows never take less time") {
  const Rates r = rates(cluster(gpu("nvidia-h200-sxm-141gb"), 1, 0.0));
  double before = 0.0;
  for (double rows = 1.0; rows <= 20000.0; rows += 7.0 + rows / 10.0) {
    const double now = product(r, rows);
    CHECK(now >= before);
    before = now;
  }
}

TEST_CASE("the published share of bandwidth and peak of an H100 comes out") {
  const Rates r = rates(cluster(gpu("nvidia-h100-sxm-80gb"), 1, 0.0));
  const double narrow = 2.0 * 7000.0 * 7000.0 / 3.35e12 / gemm_time(r, Kernel::half, 16.0, 7000.0, 7000.0, Bytes{2.0 * 7000.0 * 7000.0}).total().value;
  const double wide = 2.0 * 4096.0 * 7000.0 * 7000.0 / 989e12 / gemm_time(r, Kernel::half, 4096.0, 7000.0, 7000.0, Bytes{2.0 * 7000.0 * 7000.0}).total().value;
  CHECK(narrow == Approx(0.82).epsilon(0.10));  // measured 0.82 of bandwidth at 16 rows, 0.81 of peak at 4,096
  CHECK(wide == Approx(0.81).epsilon(0.10));
}
