#include "core/model/huggingface/dialect.hpp"

namespace gpuplan {
namespace {

bool is_family(const Dialect& d, std::string_view name) { return d.family->name == name; }

/// The bias rule of the attention projections: the family's own, or what a key switches on or off.
BiasRule attention_rule(const Dialect& d) {
  if (is_family(d, "MPT")) return d.text.flag({"no_bias"}).value_or(true) ? BiasRule::none : BiasRule::all;
  if (is_family(d, "GLM") && d.text.has("add_qkv_bias")) return d.text.flag({"add_qkv_bias"}).value_or(false) ? BiasRule::qkv : BiasRule::none;
  const auto said = d.text.flag({"attention_bias", "use_qkv_bias", "qkv_bias", "use_bias", "enable_bias", "bias"});
  if (!said) return d.family->bias;
  return *said ? d.family->bias_key : BiasRule::none;
}

bool mlp_bias(const Dialect& d, BiasRule attention) {
  if (const auto said = d.text.flag({"mlp_bias", "add_bias_linear"})) return *said;
  if (d.family->mlp_bias) return attention != BiasRule::none || !d.text.has("use_bias");
  const bool one_key_for_all = is_family(d, "Falcon") || is_family(d, "ERNIE");
  return one_key_for_all && attention == BiasRule::all;
}

}  // namespace

Biases read_biases(const Dialect& d) {
  const BiasRule rule = attention_rule(d);
  Biases b;
  b.qkv = rule != BiasRule::none;
  b.o = rule == BiasRule::all;
  if (is_family(d, "GPT-Neo")) b.o = true;
  if (const auto o = d.text.flag({"attention_out_bias"})) b.o = *o;
  if (d.text.has("add_qkv_bias")) b.o = d.text.flag({"add_bias_linear"}).value_or(false);
  b.mlp = is_family(d, "MPT") ? rule != BiasRule::none : mlp_bias(d, rule);
  return b;
}

Mixer::QkNorm read_qk_norm(const Dialect& d) {
  using Q = Mixer::QkNorm;
  if (d.type.rfind("llama4", 0) == 0) return Q::none;  // a norm without weights
  const auto said = d.text.flag({"qk_layernorm", "use_qk_norm", "normalize_qk_projections"});
  if (said && !*said) return Q::none;
  if (!said && !d.text.has("qk_norm_type")) return d.family->qk_norm;
  if (const auto kind = d.text.text({"qk_norm_type"})) return *kind == "per_layer" ? Q::full : Q::per_head;
  if (is_family(d, "Cohere") || is_family(d, "StableLM")) return Q::full;  // one vector per head
  return d.family->qk_norm == Q::none ? Q::per_head : d.family->qk_norm;
}

}  // namespace gpuplan
