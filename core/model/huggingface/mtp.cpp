/// Multi-token-prediction layers: in the checkpoint, left out when serving without speculation.
#include "core/model/huggingface/dialect.hpp"
#include "core/model/tensors.hpp"

namespace gpuplan {
namespace {

std::int64_t modules_of(const Dialect& d) {
  if (d.type == "qwen3_next") return 1;  // shipped without a key
  if (const auto n = d.text.count({"num_nextn_predict_layers", "mtp_num_hidden_layers"})) return *n;
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

/// DeepSeek-V3, V3.2 and GLM-4.5 copy embedding and head into the module.
bool copies_ends(const Dialect& d) { return d.type == "deepseek_v3" || d.type == "deepseek_v32" || d.type == "glm4_moe"; }

bool attends(const Layer& l) { return l.mixer.kind == MixerKind::full || l.mixer.kind == MixerKind::mla; }

/// The layer inside a module: the last one; attention from elsewhere when it has none.
Layer module_layer(const Dialect& d, const Architecture& a) {
  Layer layer = a.kinds[static_cast<std::size_t>(a.order.back().kind)];
  const bool window_modules = d.type == "mimo_v2_flash" || d.text.has("compress_ratios");  // window attention; MiMo's have a dense part
  for (const Layer& kind : a.kinds) {
    if (window_modules ? kind.mixer.kind == MixerKind::sliding : attends(kind) && !attends(layer)) layer.mixer = kind.mixer;
    if (d.type == "mimo_v2_flash" && kind.mlp.kind == MlpKind::dense) layer.mlp = kind.mlp;
  }
  if (d.type == "nemotron_h") layer.norms = 2;  // two blocks, each with its norm
  return layer;
}

}  // namespace

void read_mtp(const Dialect& d, Architecture& a) {
  const std::int64_t modules = modules_of(d);
  if (modules < 1 || modules > 100 || a.order.empty()) return;
  const double ends = copies_ends(d) ? 2.0 * static_cast<double>(a.vocab) * static_cast<double>(a.hidden) : 0.0;
  const double elements = static_cast<double>(modules) * (module_elements(a, module_layer(d, a), 3) + ends);
  if (elements > 1e15) return;
  a.mtp_layers = modules;
  a.mtp_params = static_cast<std::int64_t>(elements);
}

}  // namespace gpuplan
