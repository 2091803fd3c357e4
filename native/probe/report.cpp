#include "native/probe/report.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "core/catalog/profile_fields.hpp"

namespace gpuplan::probe {
namespace {

__attribute__((format(printf, 1, 2))) std::string format(const char* pattern, ...) {
  char text[320];
  va_list values;
  va_start(values, pattern);
  std::vsnprintf(text, sizeof text, pattern, values);
  va_end(values);
  return text;
}

double giga(double v) { return v / 1e9; }
double tera(double v) { return v / 1e12; }
double micro(double v) { return v * 1e6; }
double gib(double v) { return v / 1073741824.0; }
double percent(double v) { return v * 100.0; }

std::string head(const Profile& p) {
  std::string out = format("%s   compute capability %d.%d, %lld multiprocessors\n", p.gpu.name.c_str(), p.gpu.compute_capability_major,
                           p.gpu.compute_capability_minor, static_cast<long long>(p.gpu.multiprocessors));
  out += format("%lld GPUs per node, %lld nodes; driver %s, CUDA %s, NCCL %s\n", static_cast<long long>(p.machine.gpus_per_node.n),
                static_cast<long long>(p.machine.nodes.n), p.machine.driver.c_str(), p.machine.cuda_runtime.c_str(),
                p.machine.nccl.empty() ? "none" : p.machine.nccl.c_str());
  return out + format("memory: %.2f GiB usable of %.2f GiB that the driver reports\n", gib(p.gpu.memory_usable.value), gib(p.gpu.memory_total.value));
}

std::string line_of(const std::string& what, const TransferFit& f) {
  if (f.segments.empty()) return "";
  return format("  %-34s %9.1f GB/s  %9.2f us   fit error %.1f %%\n", what.c_str(), giga(f.segments.back().bandwidth.value),
                micro(f.segments.front().latency.value), percent(f.fit_error_rms));
}

std::string transfers(const Profile& p) {
  std::string out;
  for (const MemoryFit& m : p.memory) out += line_of(std::string("memory ") + name(m.operation), m.fit);
  for (const HostFit& h : p.host) out += line_of(std::string("host ") + (h.pinned ? "pinned " : "pageable ") + name(h.direction), h.fit);
  for (const PeerFit& f : p.peer) {
    out += line_of(format("peer %s, %zu pairs (%d to %d …)", f.direct ? "direct" : "staged", f.pairs.size(), f.pairs[0].first, f.pairs[0].second), f.fit);
  }
  for (const CollectiveFit& c : p.collectives) {
    out += line_of(format("%s, %lld GPUs on %lld nodes", name(c.kind), static_cast<long long>(c.ranks.n), static_cast<long long>(c.nodes.n)), c.fit);
  }
  return out.empty() ? "" : "transfers                              bandwidth      latency\n" + out;
}

std::string products(const Profile& p) {
  std::string out;
  for (const GemmSurface& g : p.gemm) {
    out += format("  %-6s %9.1f TFLOPS at large M, half of it at M = %.0f; %.1f GB/s at small M, %.2f us fixed; fit error %.1f %%\n",
                  profile_fields::types[static_cast<std::size_t>(g.type)], tera(g.ceiling.value), g.half_rate_m, giga(g.operand_bandwidth.value),
                  micro(g.fixed.value), percent(g.fit_error_rms));
  }
  for (const AttentionFit& a : p.attention) {
    out += format("  attention products: prefill %.1f TFLOPS, decode %.1f GB/s\n", tera(a.prefill.value), giga(a.decode.value));
  }
  if (p.dequantise.measured) out += format("  4-bit weights: %.1f billion a second expanded\n", giga(p.dequantise.params_per_second));
  return out.empty() ? "" : "matrix products\n" + out;
}

std::string launches(const Profile& p) {
  const LaunchFit& l = p.launch;
  std::string out;
  if (l.kernel_round_trip.value > 0) out += format("launch: %.2f us per queued kernel, %.2f us launch and wait\n", micro(l.kernel_enqueue.value), micro(l.kernel_round_trip.value));
  if (l.graph_kernel.value > 0) out += format("graph: %.2f us per launch, %.2f us per kernel\n", micro(l.graph_launch.value), micro(l.graph_kernel.value));
  return out;
}

std::string remarks(const Profile& p) {
  std::string out;
  for (const Measurement& m : p.measurements) {
    if (m.status != MeasurementStatus::measured) out += std::string("  ") + name(m.status) + " " + m.key + ": " + m.reason + "\n";
  }
  for (const ProfileNote& n : p.notes) out += "  note " + n.code + (n.detail.empty() ? "" : ": " + n.detail) + "\n";
  return out.empty() ? "" : "remarks\n" + out;
}

}  // namespace

std::string report(const Profile& p) { return head(p) + products(p) + transfers(p) + launches(p) + remarks(p); }

std::string list_table(const std::vector<MeasurementSpec>& specs, const std::function<std::string(const MeasurementSpec&)>& why_not) {
  std::string out;
  for (const MeasurementSpec& s : specs) {
    const std::string why = why_not(s);
    out += format("%-28s %s%s\n", s.key.c_str(), s.description.c_str(), why.empty() ? "" : (" [not here: " + why + "]").c_str());
  }
  return out;
}

}  // namespace gpuplan::probe
