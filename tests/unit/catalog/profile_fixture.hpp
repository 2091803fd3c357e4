#pragma once
/// A profile with every part filled in: invented round figures, none of a real machine.
#include "core/catalog/profile.hpp"

namespace gpuplan::fixture {

inline TransferFit line(double latency_s, double bytes_per_s) {
  return {{{Bytes{0}, Seconds{latency_s}, BytesPerSecond{bytes_per_s}}}, 0.01};
}

inline Profile full_profile() {
  Profile p;
  p.tool = "gpuplan-probe 0.1.0";
  p.measured_on = "2026-12-01";
  p.effort = "default";
  p.gpu = {"Example GPU 80GB", "example-80gb", 9, 0, 132, Bytes{85e9}, Bytes{84e9}, Bytes{50e6}, 1.98e9, 700.0, 1, 0};
  p.machine = {Gpus{4}, Nodes{2}, 5, 16, "580.65", "13.0", "13.0.2", "2.28.9"};
  p.memory = {{MemoryOperation::read, line(2e-6, 3e12)},
              {MemoryOperation::copy, {{{Bytes{0}, Seconds{2e-6}, BytesPerSecond{5e12}}, {Bytes{1e8}, Seconds{4e-6}, BytesPerSecond{2.8e12}}}, 0.02}}};
  GemmSurface g{Arithmetic::bf16, Seconds{5e-6}, BytesPerSecond{2.5e12}, FlopsPerSecond{7e14}, 100.0, 0.08, {1, 256, 8192}, {}};
  g.shapes = {{4096, 4096, {FlopsPerSecond{2e12}, FlopsPerSecond{4e14}, FlopsPerSecond{6.5e14}}},
              {14336, 4096, {FlopsPerSecond{2.3e12}, FlopsPerSecond{0}, FlopsPerSecond{6.8e14}}}};
  p.gemm = {g, {Arithmetic::fp8, Seconds{6e-6}, BytesPerSecond{2.4e12}, FlopsPerSecond{1.2e15}, 200.0, 0.1, {}, {}}};
  p.attention = {{Arithmetic::bf16, FlopsPerSecond{4e14}, BytesPerSecond{2e12}, 0.1}};
  p.dequantise = {true, 5e11, 128, 0.03};
  p.launch = {Seconds{2e-6}, Seconds{8e-6}, Seconds{5e-6}, Seconds{1e-6}};
  p.host = {{HostDirection::to_device, true, line(1e-5, 5.5e10)}, {HostDirection::both_ways, false, line(2e-5, 1.2e10)}};
  p.peer = {{true, {{0, 1}, {1, 0}}, line(1e-5, 3.7e11)}, {false, {{0, 2}}, line(2e-5, 2e10)}};
  p.collectives = {{Collective::all_reduce, Gpus{8}, Nodes{2}, line(3e-5, 1e11)}, {Collective::send_recv, Gpus{2}, Nodes{1}, line(1e-5, 3e11)}};
  p.measurements = {{"gemm-bf16", MeasurementStatus::measured, ""}, {"gemm-fp4", MeasurementStatus::skipped, "the GPU has no fp4 units"}};
  p.notes = {{"throttled-power", "gemm-bf16"}};
  return p;
}

}  // namespace gpuplan::fixture
