/// Multi-token-prediction layers: in the checkpoint, left out when serving without speculation.
#include "core/model/huggingface/dialect.hpp"
#include "core/model/tensors.hpp"

namespace gpuplan {
namespace {

std::int64_t modules_of(const Dialect& d) {
  if (d.type == "qwen3_next") {
    d.text.findings().assume("model-assumed", "A prediction module was counted, as checkpoints of Qwen3-Next hold one without any key; Qwen3-Coder-Next has none.");
    return 1;
  }
  if (const auto n = d.text.count({"num_nextn_predict_layers", "mtp_num_hidden_layers"})) return *n;
  if (d.family->name == std::string_view("LongCat")) return 1;
  return d.type == "mimo_v2_flash" ? 3 : 0;
}

/// Elements of one layer with what surrounds it in a module: the projection of (state, embedding) to hidden, and its norms.
double module_elements(const Architecture& a, const Layer& layer, std::int64_t norms) {
  Architecture one;
  one.hidden = a.hidden, one.norm = a.norm, one.norm_bias = a.norm_bias, one.tied = true, one.extra_norms = norms;
  one.kinds = {layer};
  one.order = {{0, 1}};
  return count_parameters(one).total + 2.0 * static_cast<double>(a.hidden) * static_cast<double>(a.hidden);
}

/// Tables of the vocabulary in a module: DeepSeek-V3, V3.2 and GLM-4.5 copy embedding and head, Step-3.5 the head, LongCat the embedding.
double copied_ends(const Dialect& d) {
  if (d.type == "deepseek_v3" || d.type == "deepseek_v32" || d.type == "glm4_moe") return 2.0;
  return d.type == "step3p5" || d.family->name == std::string_view("LongCat") ? 1.0 : 0.0;
}

/// Families whose modules have a dense feed-forward part behind experts everywhere else, and those whose modules attend through a window.
bool dense_module(const Dialect& d) { return d.type == "mimo_v2_flash" || d.type == "exaone_moe" || d.type == "step3p5" || d.family->name == std::string_view("LongCat"); }
bool window_module(const Dialect& d) { return d.type == "mimo_v2_flash" || d.type == "step3p5" || d.text.has("compress_ratios"); }

bool attends(const Layer& l) { return l.mixer.kind == MixerKind::full || l.mixer.kind == MixerKind::mla; }

/// The layer inside a module: the last one; attention from elsewhere when it has none.
Layer module_layer(const Dialect& d, const Architecture& a) {
  Layer layer = a.kinds[static_cast<std::size_t>(a.order.back().kind)];
  const bool window_modules = window_module(d);
  for (const Layer& kind : a.kinds) {
    if (window_modules ? kind.mixer.kind == MixerKind::sliding : attends(kind) && !attends(layer)) layer.mixer = kind.mixer;
    if (dense_module(d) && kind.mlp.kind == MlpKind::dense) layer.mlp = kind.mlp, layer.extra_params = kind.extra_params;
  }
  if (d.type == "nemotron_h") layer.norms = 2;  // two blocks, each with its norm
  return layer;
}

}  // namespace

void read_mtp(const Dialect& d, Architecture& a) {
  const std::int64_t modules = modules_of(d);
  if (modules < 1 || modules > 100 || a.order.empty()) return;
  const double ends = copied_ends(d) * static_cast<double>(a.vocab) * static_cast<double>(a.hidden);
  const double elements = static_cast<double>(modules) * (module_elements(a, module_layer(d, a), 3) + ends);
  if (elements > 1e15) return;
  a.mtp_layers = modules;
  a.mtp_params = static_cast<std::int64_t>(elements);
}

}  // namespace gpuplan
