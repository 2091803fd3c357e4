/// Which layers attend to everything, which through a window, and which keep a state: the spellings of every dialect.
#include "core/model/huggingface/dialect.hpp"

namespace gpuplan {
namespace {

using K = MixerKind;
using Pattern = std::vector<MixerKind>;

bool is_family(const Dialect& d, std::string_view name) { return d.family->name == name; }

/// The linear mixer that a family means by "linear_attention".
K linear_kind(const Dialect& d) {
  if (is_family(d, "MiniMax") || is_family(d, "Ling")) return K::lightning;
  if (is_family(d, "Kimi")) return K::kda;
  return K::gated_delta;
}

K kind_named(const Dialect& d, const std::string& word) {
  if (word == "sliding_attention" || word == "sliding_window" || word == "window_attention" || word == "local") return K::sliding;
  if (word == "chunked_attention") return K::chunked;
  if (word == "linear_attention" || word == "linear") return linear_kind(d);
  if (word == "conv" || word == "short_conv") return K::short_conv;
  if (word == "mamba" || word == "mamba2" || word == "M" || word == "m") return is_family(d, "Jamba") ? K::mamba1 : K::mamba2;
  if (word == "mlp" || word == "moe" || word == "-" || word == "E") return K::none;
  return K::full;
}

bool all_full(const Pattern& p) {
  for (const K k : p) {
    if (k != K::full) return false;
  }
  return true;
}

/// Every `period`-th layer (counted from 1) is full, the others are `other`.
Pattern every(std::int64_t layers, std::int64_t period, K other) {
  Pattern p;
  for (std::int64_t i = 0; i < layers; ++i) p.push_back((i + 1) % period == 0 ? K::full : other);
  return p;
}

std::optional<Pattern> from_words(const Dialect& d, const Sizes& s) {
  const auto words = d.text.texts({"layer_types", "layers_block_type"});
  if (!words || words->empty()) return std::nullopt;
  if (static_cast<std::int64_t>(words->size()) < s.layers) {
    d.text.findings().fail(d.text.at("layer_types"), ProblemCode::conflict, "must name each of the " + std::to_string(s.layers) + " layers.");
    return std::nullopt;
  }
  Pattern p;
  for (std::int64_t i = 0; i < s.layers; ++i) p.push_back(kind_named(d, (*words)[static_cast<std::size_t>(i)]));
  return p;
}

/// One letter per block: M mamba2, * attention, - feed-forward, E experts (Nemotron-H); L and G repeat (EXAONE-4).
std::optional<Pattern> from_letters(const Dialect& d, const Sizes& s) {
  if (const auto letters = d.text.text({"hybrid_override_pattern"}); letters && !letters->empty()) {
    if (static_cast<std::int64_t>(letters->size()) != s.layers) {
      d.text.findings().fail(d.text.at("hybrid_override_pattern"), ProblemCode::conflict, "must have one letter for each of the " + std::to_string(s.layers) + " layers.");
      return std::nullopt;
    }
    Pattern p;
    for (const char c : *letters) p.push_back(kind_named(d, std::string(1, c)));
    return p;
  }
  const auto cycle = d.text.text({"sliding_window_pattern"});
  if (!cycle || cycle->empty()) return std::nullopt;
  Pattern p;
  for (std::int64_t i = 0; i < s.layers; ++i) p.push_back((*cycle)[static_cast<std::size_t>(i) % cycle->size()] == 'L' ? K::sliding : K::full);
  return p;
}

/// Lists of layer numbers or of flags.
std::optional<Pattern> from_numbers(const Dialect& d, const Sizes& s) {
  const auto layers = static_cast<std::size_t>(s.layers);
  if (const auto linear = d.text.object({"linear_attn_config"})) {
    Pattern p(layers, linear_kind(d));
    for (const std::int64_t at : linear->integers({"full_attn_layers"}).value_or(std::vector<std::int64_t>{})) {
      if (at >= 1 && at <= s.layers) p[static_cast<std::size_t>(at - 1)] = K::full;  // counted from 1
    }
    return p;
  }
  if (const auto types = d.text.integers({"attn_type_list"}); types && types->size() >= layers) {
    Pattern p;
    for (std::size_t i = 0; i < layers; ++i) p.push_back((*types)[i] == 1 ? K::full : K::lightning);
    return p;
  }
  if (const auto windowed = d.text.integers({"hybrid_layer_pattern"}); windowed && windowed->size() >= layers) {
    Pattern p;
    for (std::size_t i = 0; i < layers; ++i) p.push_back((*windowed)[i] == 1 ? K::sliding : K::full);
    return p;
  }
  for (const char* key : {"attn_layer_indices", "full_attn_idxs", "attention_layer_indices"}) {
    const auto full = d.text.integers({key});
    if (!full) continue;
    Pattern p(layers, is_family(d, "LFM2") ? K::short_conv : K::mamba2);
    for (const std::int64_t at : *full) {
      if (at >= 0 && at < s.layers) p[static_cast<std::size_t>(at)] = K::full;
    }
    return p;
  }
  return std::nullopt;
}

std::optional<Pattern> from_periods(const Dialect& d, const Sizes& s) {
  if (const auto interval = d.text.size({"full_attention_interval"})) return every(s.layers, *interval, linear_kind(d));
  if (const auto group = d.text.size({"layer_group_size"}); group && d.type == "bailing_moe_linear") {
    Pattern p = every(s.layers, *group, linear_kind(d));
    for (std::int64_t i = s.layers / *group * *group; i < s.layers; ++i) p[static_cast<std::size_t>(i)] = K::full;
    return p;
  }
  if (const auto period = d.text.size({"attn_layer_period"})) {
    const std::int64_t offset = d.text.count({"attn_layer_offset"}).value_or(0);
    Pattern p;
    for (std::int64_t i = 0; i < s.layers; ++i) p.push_back(i % *period == offset ? K::full : K::mamba1);
    return p;
  }
  const bool numeric = !d.text.text({"sliding_window_pattern"});
  if (numeric && d.text.has("sliding_window")) {
    if (const auto period = d.text.size({"sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers"})) return every(s.layers, *period, K::sliding);
  }
  if (d.type.rfind("llama4", 0) == 0 && d.text.has("attention_chunk_size")) return every(s.layers, 4, K::chunked);
  return std::nullopt;
}

/// Families whose pattern stands in their code only.
std::optional<Pattern> from_family(const Dialect& d, const Sizes& s) {
  if (d.type == "gemma2" || is_family(d, "gpt-oss")) {
    Pattern p;
    for (std::int64_t i = 0; i < s.layers; ++i) p.push_back(i % 2 == 0 ? K::sliding : K::full);
    return p;
  }
  if (is_family(d, "GPT-Neo") && d.text.has("window_size")) {  // attention_types: global and local in turn
    Pattern p;
    for (std::int64_t i = 0; i < s.layers; ++i) p.push_back(i % 2 == 0 ? K::full : K::sliding);
    return p;
  }
  if (d.type.rfind("gemma3n", 0) == 0) return every(s.layers, 5, K::sliding);
  if (d.type.rfind("gemma3", 0) == 0 || d.type.rfind("gemma4", 0) == 0) return every(s.layers, 6, K::sliding);
  if (d.type == "cohere2" || d.type == "olmo3") return every(s.layers, 4, K::sliding);
  if (d.type == "mamba" || d.type == "falcon_mamba") return Pattern(static_cast<std::size_t>(s.layers), K::mamba1);
  if (d.type == "mamba2") return Pattern(static_cast<std::size_t>(s.layers), K::mamba2);
  if (is_family(d, "RWKV")) return Pattern(static_cast<std::size_t>(s.layers), K::rwkv);
  return std::nullopt;
}

/// One window for all layers (Mistral-v0.1), or for those from max_window_layers on (Qwen2 with use_sliding_window).
Pattern from_window(const Dialect& d, const Sizes& s) {
  Pattern p(static_cast<std::size_t>(s.layers), K::full);
  const auto window = d.text.count({"sliding_window"});
  const bool listed_only = is_family(d, "Qwen2") || is_family(d, "Qwen3") || is_family(d, "Qwen3.5");  // the key is written even when unused
  if (!window || *window == 0 || !d.text.flag({"use_sliding_window"}).value_or(!listed_only)) return p;
  if (s.context > 0 && *window >= s.context) return p;
  const std::int64_t from = listed_only ? d.text.count({"max_window_layers"}).value_or(0) : 0;
  for (std::int64_t i = from; i < s.layers; ++i) p[static_cast<std::size_t>(i)] = K::sliding;
  return p;
}

void put_cross_layers(const Dialect& d, Pattern& p) {
  for (const std::int64_t at : d.text.integers({"cross_attention_layers"}).value_or(std::vector<std::int64_t>{})) {
    if (at >= 0 && static_cast<std::size_t>(at) < p.size()) p[static_cast<std::size_t>(at)] = K::cross;
  }
}

}  // namespace

std::vector<MixerKind> read_mixer_pattern(const Dialect& d, const Sizes& s) {
  std::optional<Pattern> p = from_words(d, s);
  const bool words_add_nothing = p && all_full(*p);
  if (words_add_nothing && (d.text.has("linear_attn_config") || d.text.has("attn_type_list"))) p.reset();
  if (!p) p = from_letters(d, s);
  if (!p) p = from_numbers(d, s);
  if (!p) p = from_periods(d, s);
  if (!p) p = from_family(d, s);
  if (!p) p = from_window(d, s);
  put_cross_layers(d, *p);
  return *p;
}

}  // namespace gpuplan
