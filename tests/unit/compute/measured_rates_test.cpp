#include "core/compute/measured_rates.hpp"

#include <catch2/catch.hpp>

#include "core/catalog/profile.hpp"
#include "tests/unit/compute/serving_jobs.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;

namespace {

GemmSurface surface(Arithmetic type, double ceiling, double bandwidth) {
  GemmSurface s;
  s.type = type;
  s.fixed = Seconds{1e-6};
  s.operand_bandwidth = BytesPerSecond{bandwidth};
  s.ceiling = FlopsPerSecond{ceiling};
  return s;
}

Profile measured(double ceiling, double bandwidth = 2.5e12) {
  Profile p;
  p.gemm.push_back(surface(Arithmetic::bf16, ceiling, bandwidth));
  return p;
}

Machine h100(const Profile* profile) {
  Machine m = cluster(gpu("nvidia-h100-sxm-80gb"), 1, 0.0);
  m.profile = profile;
  return m;
}

Rates rates(const Profile* profile) { return rates_of(load_surfaces(shipped().knowledge.calibration), h100(profile)); }

double product(const Rates& r, double m, Kernel kernel = Kernel::half, double bytes_per_weight = 2.0) {
  return gemm_time(r, kernel, m, 8192.0, 8192.0, Bytes{bytes_per_weight * 8192.0 * 8192.0}).total().value;
}

}  // namespace

TEST_CASE("a measured profile replaces the surface of its type") {
  const Profile slow = measured(300e12, 1e12);
  const Rates r = rates(&slow);
  CHECK(r.measured);
  CHECK(product(r, 1.0) == Approx(1e-6 + (2.0 * 8192.0 * 8192.0 + 2.0 * 16384.0) / 1e12));
  CHECK(product(r, 1.0) > product(rates(nullptr), 1.0));
}

TEST_CASE("half the measured rate takes twice the time where arithmetic bounds, and no more where memory does") {
  const Profile whole = measured(700e12), half = measured(350e12);
  CHECK(product(rates(&half), 8192.0) == Approx(2.0 * product(rates(&whole), 8192.0)).epsilon(0.01));
  CHECK(product(rates(&half), 1.0) == Approx(product(rates(&whole), 1.0)));
}

TEST_CASE("a training step follows the measured rate of its products") {
  const Profile whole = measured(700e12), half = measured(350e12);
  const Job job = pretraining(model("meta-llama/Meta-Llama-3-8B"), "megatron", 4096, 64);
  const double fast = step_of(job, h100(&whole), layout(8, 1, 1)).parts.compute.value;
  const double slow = step_of(job, h100(&half), layout(8, 1, 1)).parts.compute.value;
  CHECK(slow / fast > 1.6);  // attention's kernels follow too; passes over memory do not
  CHECK(slow / fast <= 2.0);
}

TEST_CASE("decoding follows the measured bandwidth") {
  const Job job = serving("meta-llama/Llama-3.1-8B", "vllm");
  const Profile whole = measured(700e12, 2.8e12), half = measured(700e12, 1.4e12);
  const double fast = serve(job, h100(&whole), tensor_parallel(1)).tokens_per_s.value;
  const double slow = serve(job, h100(&half), tensor_parallel(1)).tokens_per_s.value;
  CHECK(slow / fast < 0.65);
  CHECK(slow / fast > 0.5);
}

TEST_CASE("kernels that unpack weights are as much slower as the type that they multiply in") {
  const Rates fitted = rates(nullptr);
  const auto i = static_cast<std::size_t>(Kernel::half);
  const Profile half = measured(0.5 * fitted.peak[i].value * fitted.gemm[i].flops, 0.5 * fitted.bandwidth.value * fitted.gemm[i].bandwidth);
  const Rates slow = rates(&half);
  CHECK(product(slow, 8192.0, Kernel::weight_only_4bit, 0.5) == Approx(2.0 * product(fitted, 8192.0, Kernel::weight_only_4bit, 0.5)).epsilon(0.02));
  CHECK(product(slow, 8192.0, Kernel::fp8, 1.0) == product(fitted, 8192.0, Kernel::fp8, 1.0));
}

TEST_CASE("of bf16 and fp16, bf16 stands for 16 bits") {
  Profile both = measured(700e12);
  const double alone = product(rates(&both), 4096.0);
  both.gemm.insert(both.gemm.begin(), surface(Arithmetic::fp16, 100e12, 1e12));
  CHECK(product(rates(&both), 4096.0) == alone);
}
