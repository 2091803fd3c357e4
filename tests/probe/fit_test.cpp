#include <cmath>
#include <random>

#include <catch2/catch.hpp>

#include "native/probe/fit_gemm.hpp"
#include "native/probe/fit_transfer.hpp"

using namespace gpuplan;
using namespace gpuplan::probe;

namespace {
std::vector<TransferPoint> line(double alpha, double beta, double from, double to, double step) {
  std::vector<TransferPoint> points;
  for (double bytes = from; bytes <= to; bytes *= step) points.push_back({bytes, alpha + bytes / beta});
  return points;
}
/// Times of two protocols, the second from `change` on.
std::vector<TransferPoint> two_protocols(double change, double noise, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(1.0, noise);
  std::vector<TransferPoint> points;
  for (double bytes = 8; bytes <= 1.1e9; bytes *= 4) {
    const double t = bytes < change ? 10e-6 + bytes / 20e9 : 10e-6 + change / 20e9 + bytes / 300e9;
    points.push_back({bytes, t * normal(random)});
  }
  return points;
}
}  // namespace

TEST_CASE("a straight line is found exactly, as one segment") {
  const TransferFit fit = fit_transfer(line(5e-6, 250e9, 1024, 1e9, 4), 4);
  REQUIRE(fit.segments.size() == 1);
  CHECK(fit.segments[0].latency.value == Approx(5e-6).epsilon(1e-6));
  CHECK(fit.segments[0].bandwidth.value == Approx(250e9).epsilon(1e-6));
  CHECK(fit.fit_error_rms < 1e-9);
}

TEST_CASE("two protocols become two segments that meet between their sizes") {
  const TransferFit fit = fit_transfer(two_protocols(1e5, 0.004, 1), 4);
  REQUIRE(fit.segments.size() >= 2);
  CHECK(fit.segments.front().latency.value == Approx(10e-6).epsilon(0.02));
  CHECK(fit.segments.back().bandwidth.value == Approx(300e9).epsilon(0.02));
  CHECK(fit.fit_error_rms < 0.02);
}

TEST_CASE("a protocol that is chosen too late leaves its own sizes badly fitted, not the others") {
  // the first line would reach 60 µs at 1 MB, where the second needs 28 µs
  std::vector<TransferPoint> points;
  for (double bytes = 8; bytes <= 1.1e9; bytes *= 4) points.push_back({bytes, bytes < 1e6 ? 10e-6 + bytes / 20e9 : 25e-6 + bytes / 300e9});
  const TransferFit fit = fit_transfer(points, 4);
  CHECK(transfer_time(fit, Bytes{64}).value == Approx(10e-6).epsilon(0.01));
  CHECK(transfer_time(fit, Bytes{2097152}).value == Approx(25e-6 + 2097152 / 300e9).epsilon(0.01));
  CHECK(fit.segments.back().bandwidth.value == Approx(300e9).epsilon(0.01));
  CHECK(fit.fit_error_rms > 0.05);  // and the fit says that it is not exact
}

TEST_CASE("noise alone seldom asks for more segments") {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal(1.0, 0.02);
  int bent = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<TransferPoint> points = line(5e-6, 250e9, 1024, 1e9, 4);
    for (TransferPoint& p : points) p.seconds *= normal(random);
    bent += fit_transfer(points, 4).segments.size() > 1 ? 1 : 0;
  }
  CHECK(bent <= 20);
}

TEST_CASE("a fitted line never falls: more bytes never take less time") {
  std::mt19937_64 random(11);
  std::lognormal_distribution<double> wild(0.0, 0.8);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<TransferPoint> points = line(5e-6, 250e9, 8, 1e9, 4);
    for (TransferPoint& p : points) p.seconds *= wild(random);
    const TransferFit fit = fit_transfer(points, 4);
    double before = 0.0;
    for (double bytes = 1; bytes < 2e9; bytes *= 1.07) {
      const double t = transfer_time(fit, Bytes{std::floor(bytes)}).value;
      REQUIRE(t >= before * (1 - 1e-9));
      before = t;
    }
  }
}

TEST_CASE("few or odd points give what they can") {
  CHECK(fit_transfer({}, 3).segments.empty());
  const TransferFit one = fit_transfer({{1e6, 1e-3}}, 3);
  REQUIRE(one.segments.size() == 1);
  CHECK(transfer_time(one, Bytes{1e6}).value == Approx(1e-3));
  const TransferFit falling = fit_transfer({{1e3, 2e-3}, {1e6, 1e-3}}, 3);  // a latency must not be negative, nor a bandwidth
  CHECK(falling.segments[0].latency.value >= 0.0);
  CHECK(falling.segments[0].bandwidth.value > 0.0);
  CHECK(fit_transfer({{1e6, NAN}, {1e6, -1.0}}, 3).segments.empty());
}

TEST_CASE("bus bytes are told as message sizes") {
  // 1.75 bus bytes per message byte, protocols change at a message of 1 MB
  std::vector<TransferPoint> points;
  for (double bytes = 8; bytes <= 1.1e9; bytes *= 4) points.push_back({1.75 * bytes, bytes < 1e6 ? 10e-6 + 1.75 * bytes / 20e9 : 100e-6 + 1.75 * bytes / 300e9});
  const TransferFit fit = fit_transfer(points, 4, 1 / 1.75);
  REQUIRE(fit.segments.size() == 2);
  CHECK(fit.segments[1].from.value > 5e5);
  CHECK(fit.segments[1].from.value < 2.1e6);
}

TEST_CASE("the four numbers of a GEMM surface come back within 2 % under 1 % noise") {
  GemmSurface truth;
  truth.fixed = Seconds{4e-6};
  truth.operand_bandwidth = BytesPerSecond{2.5e12};
  truth.ceiling = FlopsPerSecond{700e12};
  truth.half_rate_m = 90;
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(1.0, 0.01);
  std::vector<GemmPoint> points;
  for (auto [n, k] : {std::pair<int, int>{1024, 4096}, {4096, 4096}, {14336, 4096}, {8192, 28672}}) {
    for (int m : {1, 4, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384}) {
      points.push_back({m, n, k, gemm_time(truth, m, n, k).value * normal(random)});
    }
  }
  const GemmSurface g = fit_gemm(Arithmetic::bf16, points);
  CHECK(g.fixed.value == Approx(4e-6).epsilon(0.02));
  CHECK(g.operand_bandwidth.value == Approx(2.5e12).epsilon(0.02));
  CHECK(g.ceiling.value == Approx(700e12).epsilon(0.02));
  CHECK(g.half_rate_m == Approx(90).epsilon(0.02));
  CHECK(g.fit_error_rms < 0.015);
}
