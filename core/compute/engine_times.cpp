#include "core/compute/engine_times.hpp"

#include <string_view>

namespace gpuplan {
namespace {

struct Field {
  const char* name;
  double EngineTimes::*member;
  double scale;
};
constexpr Field fields[engine_field_count] = {
    {"layer_us", &EngineTimes::layer, 1e-6},       {"tp_layer_us", &EngineTimes::tp_layer, 1e-6}, {"peer_layer_us", &EngineTimes::peer_layer, 1e-6},
    {"moe_layer_us", &EngineTimes::moe_layer, 1e-6},
    {"prompt_layer_us", &EngineTimes::prompt_layer, 1e-6}, {"request_us", &EngineTimes::request, 1e-6},
    {"step_us", &EngineTimes::step, 1e-6},         {"sequence_us", &EngineTimes::sequence, 1e-6}, {"hop_us", &EngineTimes::hop, 1e-6},
    {"prefill_flops", &EngineTimes::prefill_flops, 1.0}, {"bandwidth", &EngineTimes::bandwidth, 1.0}, {"attention_decode", &EngineTimes::attention_decode, 1.0},
    {"attention_prefill", &EngineTimes::attention_prefill, 1.0}, {"dequantise_rows", &EngineTimes::dequantise_rows, 1.0}, {"low_bit_ops", &EngineTimes::low_bit_ops, 1.0},
    {"queued", &EngineTimes::queued, 1.0},
    {"chunk", &EngineTimes::chunk, 1.0},           {"drafted", &EngineTimes::drafted, 1.0}};

/// The whole number at `i`, at most seven digits; moves `i` behind it.
int number_at(const std::string& text, std::size_t& i) {
  int n = 0;
  for (int digits = 0; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
    if (++digits <= 7) n = n * 10 + (text[i] - '0');
  }
  return n;
}

struct Version {
  bool known = false;
  int major = 0, minor = 0;  ///< "0.17" → 0, 17; "b3456" → 3456, 0; "May 2024" and "2024-06" → 2024, 0 (or 6)
};

Version version_of(const std::string& text) {
  Version v;
  std::size_t i = 0;
  while (i < text.size() && (text[i] < '0' || text[i] > '9')) ++i;
  v.known = i < text.size();
  v.major = number_at(text, i);
  if (i < text.size()) v.minor = number_at(text, ++i);
  return v;
}

/// Removes `prefix` and a dot from the front of `text`; false when it does not begin so.
bool strip(std::string_view& text, std::string_view prefix) {
  if (prefix.empty() || text.size() <= prefix.size() || text.substr(0, prefix.size()) != prefix || text[prefix.size()] != '.') return false;
  text.remove_prefix(prefix.size() + 1);
  return true;
}

/// The generation that the text names, stripped from it; −1 for all generations.
int strip_generation(std::string_view& text) {
  for (int g = 0; g < generation_count; ++g) {
    if (strip(text, name(static_cast<Generation>(g)))) return g;
  }
  return -1;
}

/// The value wins where no more specific one was seen.
void offer(EngineTable& table, std::array<std::array<int, engine_field_count>, generation_count>& seen, int generation, std::string_view field, int rank,
           double value) {
  for (int f = 0; f < engine_field_count; ++f) {
    if (field != fields[f].name) continue;
    for (int g = 0; g < generation_count; ++g) {
      int& best = seen[static_cast<std::size_t>(g)][static_cast<std::size_t>(f)];
      if ((generation >= 0 && generation != g) || best > rank) continue;
      best = rank;
      table.by_generation[static_cast<std::size_t>(g)].*fields[f].member = value * fields[f].scale;
    }
  }
}

}  // namespace

const char* era_of(const std::string& software, const std::string& version) {
  const Version v = version_of(version);
  if (!v.known) return "";
  const bool dated = v.major >= 2020 && v.major < 2100 && version[0] != 'b';
  if (software == "vllm" && (dated ? v.major < 2024 : v.major == 0 && v.minor < 3)) return "2023";  // before graphs of the decode step
  if (software == "vllm") return (dated ? v.major < 2025 : v.major == 0 && v.minor < 8) ? "v0" : "";     // the V1 engine is the default from 0.8
  if (software == "tensorrt-llm") return (dated ? v.major < 2025 : v.major == 0 && v.minor < 19) ? "engine" : "";         // the PyTorch backend is measured from 0.19
  if (software == "llama.cpp") return (dated ? v.major < 2025 : v.major > 0 && v.major < 4400) ? "2024" : "";  // build 4400: end of 2024
  return "";
}

EngineTable load_engine(const Calibration& c, const std::string& software, const std::string& version) {
  EngineTable table;
  std::array<std::array<int, engine_field_count>, generation_count> seen{};
  const std::string_view era = era_of(software, version);
  for (const Coefficient& coefficient : c.all()) {
    std::string_view rest = coefficient.name;
    if (!strip(rest, "engine")) continue;
    const bool own = strip(rest, software);
    if (!own && !strip(rest, "other")) continue;
    const bool of_era = own && strip(rest, era);
    const int generation = strip_generation(rest);
    if (own && generation >= 0) table.measured[static_cast<std::size_t>(generation)] = true;
    offer(table, seen, generation, rest, 1 + (own ? 2 : 0) + (of_era ? 2 : 0) + (generation >= 0 ? 1 : 0), coefficient.value);
  }
  return table;
}

}  // namespace gpuplan
