#include "core/catalog/profile_gpu.hpp"

#include <algorithm>

#include "core/catalog/profile_fields.hpp"

namespace gpuplan {
namespace {

constexpr double same_memory = 0.12;  ///< sold and reported sizes of one card differ by up to a tenth

using Words = std::vector<std::string>;

bool digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool word_char(char c) { return digit(c) || (c >= 'a' && c <= 'z'); }

/// Words that say nothing about which card it is.
bool is_filler(const std::string& w) {
  for (const char* filler : {"nvidia", "tesla", "geforce", "gpu", "generation", "per"}) {
    if (w == filler) return true;
  }
  return false;
}

/// Lower-case runs of letters and digits, fillers left out: "NVIDIA A100-SXM4-80GB" gives a100, sxm4, 80gb.
void add_words(const std::string& text, Words& out) {
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? lower(text[i]) : ' ';
    if (word_char(c)) { word += c; continue; }
    if (!word.empty() && !is_filler(word)) out.push_back(word);
    word.clear();
  }
}
bool has(const Words& words, const std::string& w) { return std::find(words.begin(), words.end(), w) != words.end(); }

/// "a100", "4090", "t4": a word with a digit that is no memory size.
bool names_model(const std::string& w) {
  const bool size = w.size() > 2 && w.compare(w.size() - 2, 2, "gb") == 0;
  return !size && std::any_of(w.begin(), w.end(), digit);
}

/// Two for each word of the driver's name that the card's name, aliases or id hold, less one for each word of the card's own name that the
/// driver's lacks; 0 when they share no model word.
int likeness(const Words& driver, const Gpu& g) {
  Words own, all;
  add_words(g.name, own);
  all = own;
  for (const std::string& alias : g.aliases) add_words(alias, all);
  add_words(g.id, all);
  int score = 0;
  bool same_model = false;
  for (const std::string& w : driver) {
    if (!has(all, w)) continue;
    score += 2;
    same_model = same_model || names_model(w);
  }
  for (const std::string& w : own) score -= has(driver, w) ? 0 : 1;
  return same_model ? std::max(score, 1) : 0;
}

bool near(Bytes a, Bytes b) { return max(a, b) - min(a, b) <= same_memory * max(a, b); }
bool could_be(const MeasuredGpu& m, const Gpu& g) {
  const bool same_units = g.compute_capability_major == 0 ||
                          (g.compute_capability_major == m.compute_capability_major && g.compute_capability_minor == m.compute_capability_minor);
  return g.vendor == "NVIDIA" && same_units && (near(m.memory_total, g.memory_advertised) || near(m.memory_total, g.memory_usable));
}

/// The larger of what reading and copying sustain at the largest sizes.
BytesPerSecond best_bandwidth(const Profile& p) {
  BytesPerSecond best;
  for (const MemoryFit& m : p.memory) {
    if (!m.fit.segments.empty()) best = max(best, m.fit.segments.back().bandwidth);
  }
  return best;
}

void add(std::vector<Deviation>& out, const std::string& figure, const char* unit, double measured, double datasheet) {
  if (measured > 0.0 && datasheet > 0.0) out.push_back({figure, unit, measured, datasheet});
}

/// Above what PCIe 5 gives one card each way, a direct copy went over a link of its own.
constexpr BytesPerSecond faster_than_pcie{64e9};

/// The fastest direct copy between two GPUs; a bridge when only some pairs have it.
void describe_links(const Profile& p, Gpu& g) {
  std::int64_t fast_pairs = 0;
  bool direct = false;
  for (const PeerFit& f : p.peer) {
    if (!f.direct || f.fit.segments.empty()) continue;
    direct = true;
    const BytesPerSecond bandwidth = f.fit.segments.back().bandwidth;
    g.scale_up_each_way = max(g.scale_up_each_way, bandwidth);
    if (faster_than_pcie < bandwidth) fast_pairs += static_cast<std::int64_t>(f.pairs.size());
  }
  const std::int64_t n = p.machine.gpus_per_node.n;
  g.scale_up_max = Gpus{n};
  if (fast_pairs == 0) g.scale_up = direct ? ScaleUp::pcie_p2p : n > 1 ? ScaleUp::pcie : ScaleUp::none;
  else g.scale_up = fast_pairs == n * (n - 1) ? ScaleUp::switched : ScaleUp::bridge;
  for (const HostFit& h : p.host) {
    if (h.pinned && h.direction == HostDirection::to_device && !h.fit.segments.empty()) g.pcie_each_way = h.fit.segments.back().bandwidth;
  }
}

}  // namespace

Gpu gpu_from_profile(const Profile& p) {
  Gpu g;
  g.id = "measured";
  g.name = p.gpu.name;
  g.vendor = "NVIDIA";
  g.architecture = "measured";
  g.compute_capability_major = p.gpu.compute_capability_major;
  g.compute_capability_minor = p.gpu.compute_capability_minor;
  g.memory_advertised = p.gpu.memory_total;
  g.memory_usable = p.gpu.memory_usable;
  g.memory_usable_measured = true;
  g.memory_bandwidth = best_bandwidth(p);
  for (const GemmSurface& s : p.gemm) g.dense[static_cast<std::size_t>(s.type)] = s.ceiling;
  describe_links(p, g);
  return g;
}

int gpu_of_profile(const Catalog& catalog, const MeasuredGpu& measured) {
  if (!measured.id.empty()) {
    const Result<int> named = find_gpu(catalog, measured.id, "/gpu/id");
    return named ? *named : -1;
  }
  Words driver;
  add_words(measured.name, driver);
  int best = -1, most = 0;
  for (std::size_t i = 0; i < catalog.gpus.size(); ++i) {
    const int score = could_be(measured, catalog.gpus[i]) ? likeness(driver, catalog.gpus[i]) : 0;
    if (score > most) most = score, best = static_cast<int>(i);
  }
  return best;
}

std::vector<Deviation> deviations(const Profile& p, const Gpu& g) {
  std::vector<Deviation> out;
  add(out, "memory_usable", "B", p.gpu.memory_usable.value, g.memory_advertised.value);
  add(out, "memory_bandwidth", "B/s", best_bandwidth(p).value, g.memory_bandwidth.value);
  for (const GemmSurface& s : p.gemm) add(out, profile_fields::types[static_cast<std::size_t>(s.type)], "flop/s", s.ceiling.value, g.rate(s.type).value);
  return out;
}

}  // namespace gpuplan
