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

/// Hyper-connections (arXiv:2409.19606) keep `hc_mult` copies of the residual stream: two maps a layer between them.
std::int64_t hyper_connections(const Dialect& d, const Sizes& s) {
  const std::int64_t m = d.text.count({"hc_mult"}).value_or(0);
  if (m < 1 || m > 64) return 0;
  return 2 * ((2 + m) * m * m * s.hidden + (2 + m) * m + 3);
}

/// Small tensors that only one family has.
std::int64_t extras_of(const Dialect& d, const Sizes& s, const Layer& l) {
  if (d.type == "apertus") return 2;                                            // two numbers of the xIELU activation
  if (d.type == "bitnet") return s.hidden + l.mlp.intermediate;                  // norms inside attention and feed-forward
  if (starts(d.type, "gemma4")) return 1 + (l.mlp.experts > 0 ? s.hidden + l.mlp.experts : 0);  // layer scalar; router scales
  if (is_family(d, "Kimi") && l.mlp.latent > 0) return l.mlp.latent;             // norm of the latent experts
  if (is_family(d, "RWKV")) return 12 * s.hidden;
  return hyper_connections(d, s);
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
  l.extra_params = extras_of(d, s, l);
  if (d.type == "step3p5" || d.type == "step3p7") l.mixer.extra_params = s.hidden * l.mixer.heads;  // a gate per head
  if (is_family(d, "RWKV")) l.extra_params += s.hidden * s.hidden;               // receptance of the channel mixing
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

/// The last layers reuse the cache of earlier ones (Gemma-3n, Gemma-4 E models), or all but every n-th do (Hunyuan-Large).
void share_caches(const Dialect& d, std::vector<Layer>& layers) {
  const std::int64_t group = d.text.flag({"use_cla"}).value_or(false) ? d.text.size({"cla_share_factor"}).value_or(2) : 1;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (static_cast<std::int64_t>(i) % group != 0) layers[i].mixer.shares_kv = true;
  }
  const auto shared = d.text.count({"num_kv_shared_layers"});
  if (!shared || *shared == 0) return;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (layers.size() - i <= static_cast<std::size_t>(*shared)) layers[i].mixer.shares_kv = true;
  }
}

}  // namespace

std::vector<Layer> read_layers(const Dialect& d, const Sizes& s) {
  std::vector<Layer> layers;
  if (d.type == "falcon_h1") {
    for (std::int64_t i = 0; i < s.layers; ++i) add_parallel_hybrid(d, s, i, layers);
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
