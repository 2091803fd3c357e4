#include "native/probe/assemble.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "native/probe/statistics.hpp"

namespace gpuplan::probe {
namespace {

constexpr int digits = 5;

void round(TransferFit& f) {
  for (TransferSegment& s : f.segments) {
    s.latency = Seconds{significant(s.latency.value, digits)};
    s.bandwidth = BytesPerSecond{significant(s.bandwidth.value, digits)};
  }
  f.fit_error_rms = significant(f.fit_error_rms, 3);
}

void round(GemmSurface& g) {
  g.fixed = Seconds{significant(g.fixed.value, digits)};
  g.operand_bandwidth = BytesPerSecond{significant(g.operand_bandwidth.value, digits)};
  g.ceiling = FlopsPerSecond{significant(g.ceiling.value, digits)};
  g.half_rate_m = significant(g.half_rate_m, digits);
  g.fit_error_rms = significant(g.fit_error_rms, 3);
  for (GemmShape& s : g.shapes) {
    for (FlopsPerSecond& r : s.rates) r = FlopsPerSecond{significant(r.value, 4)};
  }
}

/// Digits beyond the noise would only make files and links longer.
void round_figures(Profile& p) {
  for (MemoryFit& m : p.memory) round(m.fit);
  for (HostFit& h : p.host) round(h.fit);
  for (PeerFit& f : p.peer) round(f.fit);
  for (CollectiveFit& c : p.collectives) round(c.fit);
  for (GemmSurface& g : p.gemm) round(g);
  for (AttentionFit& a : p.attention) {
    a = {a.type, FlopsPerSecond{significant(a.prefill.value, digits)}, BytesPerSecond{significant(a.decode.value, digits)}, significant(a.fit_error_rms, 3)};
  }
  p.dequantise.params_per_second = significant(p.dequantise.params_per_second, digits);
  p.dequantise.sum_rule_error = significant(p.dequantise.sum_rule_error, 3);
  for (Seconds* s : {&p.launch.kernel_enqueue, &p.launch.kernel_round_trip, &p.launch.graph_launch, &p.launch.graph_kernel}) *s = Seconds{significant(s->value, digits)};
}

/// Drops the pairs' lists of all but the largest groups.
void keep_largest_groups(Profile& p, std::size_t most) {
  std::stable_sort(p.peer.begin(), p.peer.end(), [](const PeerFit& a, const PeerFit& b) { return a.pairs.size() > b.pairs.size(); });
  if (p.peer.size() > most) p.peer.resize(most);
}

/// A driver's text as a profile may hold it: printable ASCII, cut to length.
void clean(std::string& text, std::size_t most, const char* otherwise = "") {
  std::string kept;
  for (char c : text.substr(0, most)) kept += static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f ? c : '?';
  text = kept.empty() ? otherwise : kept;
}

void clean_texts(Profile& p) {
  clean(p.gpu.name, 96, "unknown");
  for (std::string* version : {&p.machine.driver, &p.machine.cuda_runtime, &p.machine.cublaslt, &p.machine.nccl}) clean(*version, 48);
  clean(p.identity.host, 255);
  clean(p.identity.user, 64);
  for (auto* list : {&p.identity.gpu_uuids, &p.identity.gpu_serials}) {
    if (list->size() > 64) list->resize(64);
    for (std::string& text : *list) clean(text, 64);
  }
  for (Measurement& m : p.measurements) clean(m.reason, 200);
  for (ProfileNote& n : p.notes) clean(n.detail, 200);
}

}  // namespace

void start_profile(Profile& p, const Facts& facts, Effort effort, const std::string& date) {
  p.tool = tool_name;
  p.measured_on = date;
  p.effort = name(effort);
  p.gpu = facts.gpu;
  p.machine = facts.machine;
  // until it is measured: what the driver reports as total
  p.gpu.memory_usable = p.gpu.memory_total;
}

Profile rounded(Profile p) {
  round_figures(p);
  return p;
}

std::string profile_text(Profile p) {
  round_figures(p);
  clean_texts(p);
  std::string text = write_profile(p).dump(1) + "\n";
  if (text.size() > profile_max_bytes) text = write_profile(p).dump() + "\n";
  if (text.size() > profile_max_bytes) {
    keep_largest_groups(p, 32);
    p.notes.push_back({"shortened", "only the 32 largest groups of GPU pairs are kept"});
    text = write_profile(p).dump() + "\n";
  }
  if (text.size() > profile_max_bytes) {
    for (GemmSurface& g : p.gemm) g.m.clear(), g.shapes.clear();
    p.notes.push_back({"shortened", "the tables of matrix products are left out"});
    text = write_profile(p).dump() + "\n";
  }
  return text;
}

}  // namespace gpuplan::probe
