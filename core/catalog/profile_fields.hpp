#pragma once
/// Every field of a profile file, said once: name, unit, range, needed or not. The reader, the writer and the schema walk this description.
/// An Archive offers text, number, whole, flag, maybe_flag, choice, rates, wholes, pairs, texts, object and list.
#include <array>

#include "core/catalog/profile.hpp"

namespace gpuplan::profile_fields {

enum class Need { required, optional };  ///< optional: left out when it has its default value
inline constexpr Need must = Need::required, may = Need::optional;

inline constexpr double max_bytes = 1e16, max_seconds = 1e4, max_rate = 1e18;
inline constexpr std::array<const char*, arithmetic_count> types{"fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "fp6", "fp4", "int8", "int4"};
inline constexpr std::array<const char*, 4> memory_operations{"read", "write", "copy", "triad"};
inline constexpr std::array<const char*, 3> directions{"to-device", "from-device", "both-ways"};
inline constexpr std::array<const char*, 5> collectives{"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "send-recv"};
inline constexpr std::array<const char*, 3> statuses{"measured", "skipped", "failed"};

/// A segment's bandwidth has another name where it counts the bus and not the message.
struct NamedFit { TransferFit& fit; const char* bandwidth_key; };
struct NamedSegment { TransferSegment& segment; const char* bandwidth_key; };

template <class A> void describe(A& a, NamedSegment s) {
  a.number("from_bytes", s.segment.from.value, 0, max_bytes, must);
  a.number("latency_seconds", s.segment.latency.value, 0, max_seconds, must);
  a.number(s.bandwidth_key, s.segment.bandwidth.value, 1, max_rate, must);
}
template <class A> void fit(A& a, TransferFit& f, const char* bandwidth_key) {
  a.list("segments", f.segments, 1, 4, must, [bandwidth_key](A& item, TransferSegment& s) { describe(item, NamedSegment{s, bandwidth_key}); });
  a.number("fit_error_rms", f.fit_error_rms, 0, 100, must);
}
template <class A> void describe(A& a, MemoryFit& m) {
  a.choice("operation", m.operation, memory_operations);
  fit(a, m.fit, "bytes_per_second");
}
template <class A> void describe(A& a, HostFit& h) {
  a.choice("direction", h.direction, directions);
  a.flag("pinned", h.pinned);
  fit(a, h.fit, "bytes_per_second");
}
template <class A> void describe(A& a, PeerFit& p) {
  a.flag("direct", p.direct);
  a.pairs("pairs", p.pairs, 1, 1024, 0, 1023);
  fit(a, p.fit, "bytes_per_second");
}
template <class A> void describe(A& a, CollectiveFit& c) {
  a.choice("kind", c.kind, collectives);
  a.whole("ranks", c.ranks.n, 2, 65536, must);
  a.whole("nodes", c.nodes.n, 1, 65536, must);
  fit(a, c.fit, "bus_bytes_per_second");
}
template <class A> void describe(A& a, GemmShape& s) {
  a.whole("n", s.n, 1, 1 << 24, must);
  a.whole("k", s.k, 1, 1 << 24, must);
  a.rates("flops_per_second", s.rates, 1, 24, max_rate);
}
template <class A> void describe(A& a, GemmSurface& g) {
  a.choice("type", g.type, types);
  a.number("fixed_seconds", g.fixed.value, 0, 1, must);
  a.number("operand_bytes_per_second", g.operand_bandwidth.value, 1, max_rate, must);
  a.number("ceiling_flops_per_second", g.ceiling.value, 1, max_rate, must);
  a.number("half_rate_m", g.half_rate_m, 0, 1e6, must);
  a.number("fit_error_rms", g.fit_error_rms, 0, 100, must);
  a.wholes("m", g.m, 24, 1, 1 << 24);
  a.list("shapes", g.shapes, 0, 12, may, [](A& item, GemmShape& s) { describe(item, s); });
}
template <class A> void describe(A& a, AttentionFit& f) {
  a.choice("type", f.type, types);
  a.number("prefill_flops_per_second", f.prefill.value, 0, max_rate, must);
  a.number("decode_bytes_per_second", f.decode.value, 0, max_rate, must);
  a.number("fit_error_rms", f.fit_error_rms, 0, 100, must);
}
template <class A> void describe(A& a, DequantiseFit& d) {
  a.number("params_per_second", d.params_per_second, 1, max_rate, must);
  a.whole("group_size", d.group_size, 1, 1 << 20, must);
  a.number("sum_rule_error", d.sum_rule_error, -100, 100, must);
}
template <class A> void describe(A& a, LaunchFit& l) {
  a.number("kernel_enqueue_seconds", l.kernel_enqueue.value, 0, 1, may);
  a.number("kernel_round_trip_seconds", l.kernel_round_trip.value, 0, 1, may);
  a.number("graph_launch_seconds", l.graph_launch.value, 0, 1, may);
  a.number("graph_kernel_seconds", l.graph_kernel.value, 0, 1, may);
}
template <class A> void describe(A& a, MeasuredGpu& g) {
  a.text("name", g.name, 96, must);
  a.text("id", g.id, 96, may);
  a.version("compute_capability", g.compute_capability_major, g.compute_capability_minor);
  a.whole("multiprocessors", g.multiprocessors, 1, 100000, must);
  a.number("memory_total_bytes", g.memory_total.value, 1, max_bytes, must);
  a.number("memory_usable_bytes", g.memory_usable.value, 1, max_bytes, must);
  a.number("l2_cache_bytes", g.l2_cache.value, 0, max_bytes, must);
  a.number("sm_clock_max_hz", g.sm_clock_max_hz, 0, 1e11, may);
  a.number("power_limit_watts", g.power_limit_watts, 0, 1e5, may);
  a.maybe_flag("ecc", g.ecc);
  a.maybe_flag("mig", g.mig);
}
template <class A> void describe(A& a, MeasuredMachine& m) {
  a.whole("gpus_per_node", m.gpus_per_node.n, 1, 1024, must);
  a.whole("nodes", m.nodes.n, 1, 65536, must);
  a.whole("pcie_generation", m.pcie_generation, 0, 20, may);
  a.whole("pcie_lanes", m.pcie_lanes, 0, 64, may);
  a.text("driver", m.driver, 48, may);
  a.text("cuda_runtime", m.cuda_runtime, 48, may);
  a.text("cublaslt", m.cublaslt, 48, may);
  a.text("nccl", m.nccl, 48, may);
}
template <class A> void describe(A& a, Measurement& m) {
  a.text("key", m.key, 64, must);
  a.choice("status", m.status, statuses);
  a.text("reason", m.reason, 200, may);
}
template <class A> void describe(A& a, ProfileNote& n) {
  a.text("code", n.code, 48, must);
  a.text("detail", n.detail, 200, may);
}
template <class A> void describe(A& a, Identity& i) {
  a.text("host", i.host, 255, may);
  a.text("user", i.user, 64, may);
  a.texts("gpu_uuids", i.gpu_uuids, 64, 64);
  a.texts("gpu_serials", i.gpu_serials, 64, 64);
}

template <class A, class T> void items(A& a, const char* key, std::vector<T>& list, int most) {
  a.list(key, list, 0, most, may, [](A& item, T& value) { describe(item, value); });
}
/// The members between "version" and "checksum".
template <class A> void describe(A& a, Profile& p) {
  a.text("tool", p.tool, 64, must);
  a.date("measured_on", p.measured_on);
  a.text("effort", p.effort, 16, must);
  a.flag("complete", p.complete);
  a.object("gpu", must, p.gpu);
  a.object("machine", must, p.machine);
  items(a, "memory", p.memory, 4);
  items(a, "gemm", p.gemm, arithmetic_count);
  items(a, "attention", p.attention, arithmetic_count);
  if (a.present("dequantise", p.dequantise.measured)) a.object("dequantise", may, p.dequantise);
  a.object("launch", may, p.launch);
  items(a, "host", p.host, 6);
  items(a, "peer", p.peer, 256);
  items(a, "collectives", p.collectives, 64);
  items(a, "measurements", p.measurements, 128);
  items(a, "notes", p.notes, 32);
  a.object("identity", may, p.identity);
}

}  // namespace gpuplan::profile_fields
