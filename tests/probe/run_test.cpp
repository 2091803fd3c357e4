// The whole run on a simulated machine: figures come back, faults leave a valid partial profile.
#include <algorithm>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "native/probe/assemble.hpp"
#include "native/probe/measure/measure.hpp"
#include "native/probe/runner.hpp"
#include "tests/probe/sim/simulated_machine.hpp"

using namespace gpuplan;
using namespace gpuplan::probe;

namespace {

struct Ran {
  Profile profile;
  double seconds = 0.0;  ///< on the machine's clock
  std::vector<RawSample> raw;
  const Measurement& of(const std::string& key) const {
    const auto it = std::find_if(profile.measurements.begin(), profile.measurements.end(), [&](const Measurement& m) { return m.key == key; });
    REQUIRE(it != profile.measurements.end());
    return *it;
  }
  bool noted(const std::string& code) const {
    return std::any_of(profile.notes.begin(), profile.notes.end(), [&](const ProfileNote& n) { return n.code == code; });
  }
};

Ran run(SimulatedTruth truth, Effort effort = Effort::normal, double budget = 0.0) {
  std::atomic<bool> stop{false};
  SimulatedMachine machine(std::move(truth), &stop);
  Settings settings{effort, budget > 0.0 ? budget : default_budget(effort)};
  Ran ran;
  start_profile(ran.profile, machine.truth().facts, effort, "2026-12-01");
  Context ctx(machine, ran.profile, settings, stop);
  ctx.facts = machine.truth().facts;
  ctx.raw = &ran.raw;
  run_measurements(ctx, all_measurements(), 0, nullptr);
  ran.seconds = machine.now();
  const std::string text = profile_text(ran.profile);
  const Result<Profile> back = read_profile(text);  // whatever happened, the file is valid and small enough
  INFO((back ? "" : back.problem().message));
  REQUIRE(back);
  ran.profile = *back;
  return ran;
}

bool is(const Measurement& m, MeasurementStatus status) { return m.status == status; }

}  // namespace

TEST_CASE("known rates come back within 2 % in spite of noise and outliers") {
  const SimulatedTruth truth = example_truth();
  const Ran r = run(truth);
  CHECK(r.profile.complete);
  CHECK(r.profile.gpu.memory_usable.value == truth.usable_bytes);
  for (const auto& [operation, line] : truth.memory) {
    const TransferFit* fit = r.profile.memory_of(operation);
    REQUIRE(fit != nullptr);
    CHECK(fit->segments.back().bandwidth.value == Approx(line.per_s).epsilon(0.02));
    CHECK(fit->segments.front().latency.value == Approx(line.latency_s).epsilon(0.02));
  }
  for (const auto& [type, surface] : truth.gemm) {
    const GemmSurface* g = r.profile.gemm_of(type);
    REQUIRE(g != nullptr);
    CHECK(g->ceiling.value == Approx(surface.ceiling.value).epsilon(0.02));
    CHECK(g->operand_bandwidth.value == Approx(surface.operand_bandwidth.value).epsilon(0.02));
    CHECK(g->half_rate_m == Approx(surface.half_rate_m).epsilon(0.02));
    CHECK(gemm_time(*g, 300, 5120, 5120).value == Approx(gemm_time(surface, 300, 5120, 5120).value).epsilon(0.02));
  }
  REQUIRE(r.profile.attention.size() == 1);
  CHECK(r.profile.attention[0].prefill.value == Approx(truth.prefill.per_s).epsilon(0.02));
  CHECK(r.profile.attention[0].decode.value == Approx(truth.decode.per_s).epsilon(0.02));
  CHECK(r.profile.dequantise.params_per_second == Approx(truth.dequantise.per_s).epsilon(0.02));
  CHECK(r.profile.dequantise.sum_rule_error == Approx(0.0).margin(0.02));
}

TEST_CASE("launch, host, peer and collective figures come back within 2 %") {
  const SimulatedTruth truth = example_truth();
  const Ran r = run(truth);
  CHECK(r.profile.launch.kernel_enqueue.value == Approx(truth.enqueue_s).epsilon(0.02));
  CHECK(r.profile.launch.kernel_round_trip.value == Approx(truth.round_trip_s).epsilon(0.02));
  CHECK(r.profile.launch.graph_kernel.value == Approx(truth.graph_kernel_s).epsilon(0.02));
  REQUIRE(r.profile.host.size() == 5);
  for (const HostFit& h : r.profile.host) CHECK(h.fit.segments.back().bandwidth.value == Approx(truth.host.at({h.direction, h.pinned}).per_s).epsilon(0.02));
  REQUIRE(r.profile.collectives.size() == 9);  // four kinds over 2 and 4 GPUs, send-recv over 2
  for (const CollectiveFit& c : r.profile.collectives) {
    const CollectiveWork work{c.kind, static_cast<int>(c.ranks.n), static_cast<int>(c.nodes.n), 0};
    const CollectiveFit expected{c.kind, c.ranks, c.nodes, truth.collective(work)};
    for (double bytes : {64.0, 4096.0, 16e6, 1e9}) CHECK(collective_time(c, Bytes{bytes}).value == Approx(collective_time(expected, Bytes{bytes}).value).epsilon(0.03));
    CHECK(c.fit.segments.back().bandwidth.value == Approx(360e9).epsilon(0.02));
  }
}

TEST_CASE("pairs of GPUs are grouped by what joins them") {
  const Ran r = run(example_truth());
  REQUIRE(r.profile.peer.size() == 3);  // fast islands, slow between them, staged
  std::size_t pairs = 0;
  for (const PeerFit& p : r.profile.peer) {
    pairs += p.pairs.size();
    const double expected = !p.direct ? 20e9 : p.pairs.size() == 4 ? 370e9 : 45e9;
    CHECK(p.fit.segments[0].bandwidth.value == Approx(expected).epsilon(0.02));
  }
  CHECK(pairs == 24);
}

TEST_CASE("the default run keeps to its budget, and a tighter one to its own") {
  CHECK(run(example_truth()).seconds < 110.0);
  CHECK(run(example_truth(), Effort::quick).seconds < 33.0);
  const Ran tight = run(example_truth(), Effort::normal, 3.0);
  CHECK(tight.seconds < 6.0);
  if (!tight.profile.complete) CHECK(std::any_of(tight.profile.measurements.begin(), tight.profile.measurements.end(), [](const Measurement& m) { return m.reason == "the time budget was used"; }));
}

TEST_CASE("a slow card skips products that would take too long and still fits its surface") {
  SimulatedTruth truth = example_truth();
  truth.gemm[Arithmetic::fp32].ceiling = FlopsPerSecond{1e12};
  const Ran r = run(truth);
  const GemmSurface* g = r.profile.gemm_of(Arithmetic::fp32);
  REQUIRE(g != nullptr);
  CHECK(g->ceiling.value == Approx(1e12).epsilon(0.02));
  CHECK(g->shapes.back().rates.back().value == 0.0);  // 16384 × 8192 × 28672 in fp32: 7.7 s
  CHECK(r.seconds < 120.0);
}

TEST_CASE("what the GPU has no units for is skipped with its reason, not failed") {
  const Ran r = run(example_truth());
  CHECK(is(r.of("gemm-fp4"), MeasurementStatus::skipped));
  CHECK(r.of("gemm-fp4").reason == "the GPU has no units for this type");
  CHECK(r.profile.complete);
}

TEST_CASE("one GPU alone skips peers and collectives and is complete") {
  SimulatedTruth truth = example_truth();
  truth.facts.machine.gpus_per_node = Gpus{1};
  const Ran r = run(truth);
  CHECK(r.profile.complete);
  CHECK(is(r.of("peer-direct"), MeasurementStatus::skipped));
  CHECK(is(r.of("all-reduce"), MeasurementStatus::skipped));
  CHECK(r.profile.collectives.empty());
}

TEST_CASE("throttling is noted with the measurements that saw it") {
  SimulatedTruth truth = example_truth();
  truth.throttle_after_s = 10.0;
  const Ran r = run(truth);
  CHECK(r.noted("throttled-power"));
  CHECK_FALSE(std::any_of(r.profile.notes.begin(), r.profile.notes.end(), [](const ProfileNote& n) { return n.code == "throttled-power" && n.detail == "memory-read"; }));
}

TEST_CASE("another process on the GPU is noted") {
  SimulatedTruth truth = example_truth();
  truth.other_processes = 2;
  CHECK(run(truth).noted("other-process"));
}

TEST_CASE("a small memory leaves out the sizes that do not fit and measures the rest") {
  SimulatedTruth truth = example_truth();
  truth.memory_limit_bytes = 200e6;
  const Ran r = run(truth);
  REQUIRE(r.profile.memory_of(MemoryOperation::read) != nullptr);
  CHECK(r.profile.memory_of(MemoryOperation::read)->segments.back().bandwidth.value == Approx(3e12).epsilon(0.02));
  const GemmSurface* g = r.profile.gemm_of(Arithmetic::bf16);
  REQUIRE(g != nullptr);
  CHECK(g->shapes.back().rates.front().value == 0.0);  // 8192 × 28672 in bf16 is 470 MB
}

TEST_CASE("no memory at all fails what needs it and leaves the rest") {
  SimulatedTruth truth = example_truth();
  truth.memory_limit_bytes = 100.0;
  const Ran r = run(truth);
  CHECK_FALSE(r.profile.complete);
  CHECK(is(r.of("gemm-bf16"), MeasurementStatus::failed));
  CHECK(r.of("gemm-bf16").reason == "out of memory");
  CHECK(is(r.of("launch-kernel"), MeasurementStatus::measured));
}

TEST_CASE("a pair that cannot copy is told; the other pairs are measured") {
  SimulatedTruth truth = example_truth();
  truth.wrong = [](const Work& w) {
    const auto* p = std::get_if<PeerCopyWork>(&w);
    return p != nullptr && p->direct && p->from == 1 && p->to == 3;
  };
  const Ran r = run(truth);
  CHECK(is(r.of("peer-direct"), MeasurementStatus::failed));
  CHECK(is(r.of("peer-staged"), MeasurementStatus::measured));
  CHECK(r.noted("peer-failed"));
  std::size_t direct = 0;
  for (const PeerFit& p : r.profile.peer) direct += p.direct ? p.pairs.size() : 0;
  CHECK(direct == 11);
}

TEST_CASE("wrong numbers are never timed") {
  SimulatedTruth truth = example_truth();
  truth.wrong = [](const Work& w) { return std::holds_alternative<GemmWork>(w) && std::get<GemmWork>(w).type == Arithmetic::fp8; };
  const Ran r = run(truth);
  CHECK(is(r.of("gemm-fp8"), MeasurementStatus::failed));
  CHECK(r.profile.gemm_of(Arithmetic::fp8) == nullptr);
  CHECK(r.profile.gemm_of(Arithmetic::bf16) != nullptr);
  CHECK_FALSE(r.profile.complete);
}

TEST_CASE("a call that never returns ends the run with what was measured before it") {
  SimulatedTruth truth = example_truth();
  truth.hangs = [](const Work& w) { return std::holds_alternative<AttentionWork>(w); };
  const Ran r = run(truth);
  CHECK(is(r.of("attention"), MeasurementStatus::failed));
  CHECK(is(r.of("host-pinned-to-device"), MeasurementStatus::skipped));
  CHECK(r.of("host-pinned-to-device").reason == "the GPU stopped answering");
  CHECK(r.profile.gemm_of(Arithmetic::bf16) != nullptr);
  CHECK_FALSE(r.profile.complete);
}

TEST_CASE("a lost device ends the run too") {
  SimulatedTruth truth = example_truth();
  truth.lost = [](const Work& w) { return std::holds_alternative<LaunchWork>(w); };
  const Ran r = run(truth);
  CHECK(is(r.of("launch-kernel"), MeasurementStatus::failed));
  CHECK(is(r.of("gemm-bf16"), MeasurementStatus::skipped));
  CHECK(r.profile.memory.size() == 4);
}

TEST_CASE("Ctrl-C leaves a valid partial profile at whatever moment it comes") {
  for (double at : {0.0, 0.1, 0.5, 2.0, 4.0, 7.0, 10.0}) {
    SimulatedTruth truth = example_truth();
    truth.interrupt_after_s = at;
    const Ran r = run(truth);
    INFO("after " << at << " s");
    CHECK_FALSE(r.profile.complete);
    CHECK(r.noted("interrupted"));
    CHECK(r.seconds < at + 2.0);
    for (const Measurement& m : r.profile.measurements) CHECK(m.status != MeasurementStatus::failed);
  }
}

TEST_CASE("raw samples are kept on request, one list per timed point") {
  const Ran r = run(example_truth(), Effort::quick);
  REQUIRE_FALSE(r.raw.empty());
  for (const RawSample& s : r.raw) {
    CHECK(s.seconds.size() >= 3);
    CHECK(s.seconds.size() <= 50);
  }
}

TEST_CASE("sixteen GPUs of many islands and all eight nodes still make a profile below the limit") {
  SimulatedTruth truth = example_truth();
  truth.facts.machine.gpus_per_node = Gpus{16};
  truth.facts.machine.nodes = Nodes{8};
  truth.peer = [](int from, int to, bool direct) { return SimulatedLine{10e-6, (direct ? 300e9 : 20e9) * (1.0 + 0.01 * from + 0.003 * to)}; };
  const Ran r = run(truth, Effort::thorough);
  CHECK(r.profile.peer.size() >= 2);
  CHECK(r.profile.collectives.size() > 20);
}
