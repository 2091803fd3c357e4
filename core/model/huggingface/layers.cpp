/// Layers put together from their mixer and feed-forward part, with what single families add.
#include "core/model/huggingface/dialect.hpp"

namespace gpuplan {
namespace {

bool is_family(const Dialect& d, std::string_view name) { return d.family->name == name; }
bool starts(const std::string& text, std::string_view with) { return text.compare(0, with.size(), with) == 0; }
bool is_recurrent(MixerKind k) { return k >= MixerKind::gated_delta && k <= MixerKind::short_conv; }

Mixer mixer_of(const Dialect& d, const Sizes& s, std::int64_t layer, MixerKind kind) {
  if (kind == MixerKind::none) {
    Mixer m;
    m.kind = kind;
    return m;
  }
  return is_recurrent(kind) ? read_recurrent(d, s, kind) : read_attention(d, s, layer, kind);
}

/// Falcon: one norm for the parallel block, two in the new decoder or when attention and feed-forward follow each other.
int falcon_norms(const Dialect& d) {
  if (const auto said = d.text.size({"num_ln_in_parallel_attn"})) return static_cast<int>(*said);
  const bool parallel = d.text.flag({"parallel_attn"}).value_or(true);
  return d.text.flag({"new_decoder_architecture"}).value_or(false) || !parallel ? 2 : 1;
}

std::int64_t norms_of(const Dialect& d, const Layer& l, bool one_part_blocks) {
  if (one_part_blocks) return 1;
  if (is_family(d, "Falcon")) return falcon_norms(d);
  if (d.text.has("block_configs")) return (l.mixer.kind != MixerKind::none) + (l.mlp.kind != MlpKind::none);
  if (starts(d.type, "gemma4") && l.mlp.kind == MlpKind::dense_and_moe) return 7;
  const bool shared_norm = is_family(d, "StableLM") && d.text.flag({"use_parallel_residual"}).value_or(false);
  return shared_norm ? 1 : d.family->norms;
}

/// Blocks with either a mixer or a feed-forward part (Nemotron-H, Mamba).
bool one_part_blocks(const Dialect& d) { return d.type == "nemotron_h" || is_family(d, "Mamba"); }

Layer layer_of(const Dialect& d, const Sizes& s, std::int64_t i, MixerKind kind, bool experts) {
  Layer l;
  l.mixer = mixer_of(d, s, i, kind);
  const bool parts = one_part_blocks(d);
  if (parts && kind != MixerKind::none) {
    l.mlp = Mlp{};
    l.mlp.kind = MlpKind::none;
  } else {
    l.mlp = read_mlp(d, s, i, experts);
  }
  l.norms = norms_of(d, l, parts);
  l.extra_params = layer_extras(d, s, l, i);
  if (d.type == "step3p5" || d.type == "step3p7") l.mixer.extra_params = s.hidden * l.mixer.heads;  // a gate per head
  return l;
}

/// Falcon-H1 runs attention and Mamba-2 side by side: two blocks here, the second with the feed-forward part.
void add_parallel_hybrid(const Dialect& d, const Sizes& s, std::int64_t i, std::vector<Layer>& out) {
  Layer state, attention;
  state.mixer = read_recurrent(d, s, MixerKind::mamba2);
  state.mlp.kind = MlpKind::none;
  attention.mixer = read_attention(d, s, i, MixerKind::full);
  attention.mlp = read_mlp(d, s, i, false);
  state.norms = attention.norms = 1;
  out.push_back(state);
  out.push_back(attention);
}

/// LongCat-Flash (arXiv:2509.01322): two attention blocks with dense networks a layer; the experts run beside the second one.
void add_shortcut_pair(const Dialect& d, const Sizes& s, std::int64_t i, std::vector<Layer>& out) {
  Layer first;
  first.mixer = read_attention(d, s, i, MixerKind::full);
  first.mlp = read_mlp(d, s, i, false);
  Layer second = first;
  second.mlp = read_mlp(d, s, i, true);
  second.mlp.kind = MlpKind::dense_and_moe, second.mlp.intermediate = first.mlp.intermediate;
  second.extra_params = layer_extras(d, s, second, i);
  out.push_back(first);
  out.push_back(second);
}

/// The last layers reuse the cache of earlier ones (Gemma-3n, Gemma-4 E models), or all but every n-th do (Hunyuan-Large).
void share_caches(const Dialect& d, std::vector<Layer>& layers) {
  const std::int64_t group = d.text.flag({"use_cla"}).value_or(false) ? d.text.size({"cla_share_factor"}).value_or(2) : 1;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (static_cast<std::int64_t>(i) % group != 0) layers[i].mixer.shares_kv = true;
  }
  const auto shared = d.text.count({"num_kv_shared_layers"});
  if (!shared || *shared == 0) return;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (layers.size() - i > static_cast<std::size_t>(*shared)) continue;
    layers[i].mixer.shares_kv = true;
    layers[i].mixer.spare_kv = starts(d.type, "gemma3n");  // its checkpoints hold the unused projections
    if (d.text.flag({"use_double_wide_mlp"}).value_or(false)) layers[i].mlp.intermediate *= 2;
  }
}

}  // namespace

std::vector<Layer> read_layers(const Dialect& d, const Sizes& s) {
  std::vector<Layer> layers;
  if (d.type == "falcon_h1") {
    for (std::int64_t i = 0; i < s.layers; ++i) add_parallel_hybrid(d, s, i, layers);
    return layers;
  }
  if (is_family(d, "LongCat")) {
    for (std::int64_t i = 0; i < s.layers; ++i) add_shortcut_pair(d, s, i, layers);
    return layers;
  }
  const std::vector<MixerKind> mixers = read_mixer_pattern(d, s);
  const std::vector<bool> experts = read_expert_pattern(d, s);
  for (std::int64_t i = 0; i < s.layers && !d.text.findings().problem; ++i) {
    layers.push_back(layer_of(d, s, i, mixers[static_cast<std::size_t>(i)], experts[static_cast<std::size_t>(i)]));
  }
  share_caches(d, layers);
  return layers;
}

}  // namespace gpuplan
