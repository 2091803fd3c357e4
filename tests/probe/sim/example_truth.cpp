#include "tests/probe/sim/simulated_machine.hpp"

namespace gpuplan::probe {
namespace {

GemmSurface surface(Arithmetic type, double fixed_s, double bytes_per_s, double flops_per_s, double half_rate_m) {
  GemmSurface g;
  g.type = type;
  g.fixed = Seconds{fixed_s};
  g.operand_bandwidth = BytesPerSecond{bytes_per_s};
  g.ceiling = FlopsPerSecond{flops_per_s};
  g.half_rate_m = half_rate_m;
  return g;
}

/// Two protocols: low latency up to 64 KiB, then full bandwidth; nodes reach each other at a sixth of the speed.
TransferFit example_collective(const CollectiveWork& w) {
  const double alpha = 8e-6 + 2e-6 * w.ranks + (w.nodes > 1 ? 15e-6 : 0.0), beta = w.nodes > 1 ? 60e9 : 360e9;
  return {{{Bytes{0}, Seconds{alpha}, BytesPerSecond{beta / 8}}, {Bytes{65536}, Seconds{alpha * 1.5}, BytesPerSecond{beta}}}, 0.0};
}

Facts example_facts() {
  Facts f;
  f.gpu.name = "Simulated GPU 80GB";
  f.gpu.compute_capability_major = 9;
  f.gpu.multiprocessors = 132;
  f.gpu.memory_total = Bytes{85'520'809'984};
  f.gpu.l2_cache = Bytes{52'428'800};
  f.gpu.sm_clock_max_hz = 1.98e9;
  f.gpu.power_limit_watts = 700;
  f.gpu.ecc = 1;
  f.gpu.mig = 0;
  f.machine = {Gpus{4}, Nodes{1}, 5, 16, "580.65", "13.0", "13.0.2", "2.28.9"};
  return f;
}

}  // namespace

SimulatedTruth example_truth() {
  SimulatedTruth t;
  t.facts = example_facts();
  t.usable_bytes = 84'400'000'000;
  t.memory = {{MemoryOperation::read, {3.0e-6, 3.0e12}}, {MemoryOperation::write, {2.5e-6, 2.8e12}},
              {MemoryOperation::copy, {3.5e-6, 2.7e12}}, {MemoryOperation::triad, {4.0e-6, 2.75e12}}};
  t.gemm = {{Arithmetic::bf16, surface(Arithmetic::bf16, 4e-6, 2.5e12, 700e12, 90)}, {Arithmetic::fp16, surface(Arithmetic::fp16, 4e-6, 2.5e12, 690e12, 95)},
            {Arithmetic::fp8, surface(Arithmetic::fp8, 5e-6, 2.4e12, 1250e12, 160)}, {Arithmetic::int8, surface(Arithmetic::int8, 5e-6, 2.4e12, 1200e12, 150)},
            {Arithmetic::tf32, surface(Arithmetic::tf32, 4e-6, 2.5e12, 380e12, 70)}, {Arithmetic::fp32, surface(Arithmetic::fp32, 4e-6, 2.5e12, 52e12, 12)}};
  t.prefill = {6e-6, 420e12};
  t.decode = {8e-6, 2.2e12};
  t.dequantise = {3e-6, 0.9e12};
  t.enqueue_s = 2.1e-6;
  t.round_trip_s = 7.5e-6;
  t.graph_launch_s = 5.5e-6;
  t.graph_kernel_s = 1.1e-6;
  t.host = {{{HostDirection::to_device, true}, {9e-6, 55e9}}, {{HostDirection::from_device, true}, {9e-6, 54e9}},
            {{HostDirection::both_ways, true}, {12e-6, 95e9}}, {{HostDirection::to_device, false}, {14e-6, 11e9}},
            {{HostDirection::from_device, false}, {14e-6, 9e9}}};
  // GPUs 0, 1 and 2, 3 sit on one fast island each
  t.peer = [](int from, int to, bool direct) {
    if (!direct) return SimulatedLine{22e-6, 20e9};
    return from / 2 == to / 2 ? SimulatedLine{10e-6, 370e9} : SimulatedLine{13e-6, 45e9};
  };
  t.collective = example_collective;
  return t;
}

}  // namespace gpuplan::probe
