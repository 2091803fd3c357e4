/// Feed-forward parts: which layers have experts, and how wide everything is.
#include <algorithm>

#include "core/model/huggingface/dialect.hpp"

namespace gpuplan {
namespace {

constexpr Names expert_names = {"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts", "expert_num"};

bool is_family(const Dialect& d, std::string_view name) { return d.family->name == name; }

/// First entry of a list, or the number itself (ERNIE-VL writes [text, vision]).
std::optional<std::int64_t> scalar_or_first(const ConfigView& v, const char* name) {
  if (!v.is_list(name)) return v.count({name});
  const auto list = v.integers({name});
  if (!list || list->empty()) return std::nullopt;
  return list->front();
}

std::int64_t first_of(const ConfigView& v, Names names) {
  for (const char* name : names) {
    if (const auto n = scalar_or_first(v, name); n && *n > 0) return *n;
  }
  return 0;
}

std::int64_t experts_of(const Dialect& d) {
  if (const auto inner = d.text.object({"ffn_config"})) {
    if (const std::int64_t n = first_of(*inner, {"moe_num_experts"}); n > 0) return n;
  }
  return first_of(d.text, expert_names);
}

std::int64_t experts_per_token(const Dialect& d) {
  if (const auto inner = d.text.object({"ffn_config"})) {
    if (const std::int64_t n = first_of(*inner, {"moe_top_k"}); n > 0) return n;
  }
  if (const std::int64_t n = first_of(d.text, {"num_experts_per_tok", "experts_per_token", "num_experts_per_token", "num_selected_experts", "top_k_experts", "moe_k", "moe_topk", "moe_top_k", "topk"}); n > 0) return n;
  d.text.findings().assume("model-assumed", "No key gives the experts per token; 2 were taken.");
  return 2;
}

/// Of LongCat's choices a share falls on experts that compute nothing: on average, choices spread evenly over all of them.
std::int64_t computing_experts(const Dialect& d, std::int64_t chosen, std::int64_t experts) {
  const std::int64_t idle = d.text.count({"zero_expert_num"}).value_or(0);
  if (idle == 0 || experts < 1) return chosen;
  const std::int64_t computing = std::max<std::int64_t>(1, (chosen * experts + (experts + idle) / 2) / (experts + idle));
  d.text.findings().assume("model-assumed", std::to_string(idle) + " of the experts compute nothing; " + std::to_string(computing) + " of " + std::to_string(chosen) + " chosen experts were taken to work on a token.");
  return computing;
}

std::int64_t shared_width(const Dialect& d, const Mlp& m) {
  for (const char* name : {"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size", "share_expert_dim", "share_expert_intermediate_size", "shared_intermediate_size"}) {
    if (const auto width = d.text.count({name})) {
      const bool per_expert = std::string_view(name) == "moe_shared_expert_intermediate_size";
      return *width * (per_expert ? std::max<std::int64_t>(1, d.text.count({"n_shared_experts"}).value_or(1)) : 1);
    }
  }
  if (d.type.rfind("llama4", 0) == 0) return m.expert_intermediate;
  return first_of(d.text, {"n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert"}) * m.expert_intermediate;
}

bool gated(const Dialect& d) {
  if (const auto said = d.text.flag({"ffn_with_glu", "mlp_gated_linear_units", "use_swiglu", "use_glu"})) return *said;
  if (!d.generic) return d.family->gated;
  const std::string act = d.text.text({"hidden_act", "hidden_activation", "activation_function", "mlp_hidden_act"}).value_or("");
  const bool plain = act == "relu" || act == "gelu" || act == "gelu_new" || act == "relu2" || act == "gelu_fast";
  d.text.findings().assume("model-assumed", act.empty() ? "No key gives the activation; a gated feed-forward part was taken." : "The activation \"" + act + (plain ? "\" was read as a plain feed-forward part of two matrices." : "\" was read as a gated feed-forward part of three matrices."));
  return !plain;
}

/// OpenELM: width = multiplier × hidden, rounded to a multiple of the divisor, never down by more than a tenth.
std::int64_t openelm_width(const Dialect& d, std::int64_t hidden, std::int64_t layer) {
  if (!d.text.is_list("ffn_multipliers")) return 0;
  const std::int64_t divisor = d.text.size({"ffn_dim_divisor"}).value_or(256);
  const auto list = d.text.entries("ffn_multipliers");
  if (static_cast<std::size_t>(layer) >= list) return 0;
  const double wanted = d.text.number_in("ffn_multipliers", static_cast<std::size_t>(layer)).value_or(4.0) * static_cast<double>(hidden);
  std::int64_t width = static_cast<std::int64_t>(wanted + static_cast<double>(divisor) / 2.0) / divisor * divisor;
  if (width < divisor) width = divisor;
  return static_cast<double>(width) < 0.9 * wanted ? width + divisor : width;
}

/// Nemotron-NAS: int(2/3 · multiplier · hidden) rounded up to a multiple of 256.
std::int64_t nas_width(const ConfigView& ffn, std::int64_t hidden) {
  const double multiplier = ffn.number({"ffn_mult"}).value_or(0.0);
  if (!(multiplier > 0.0 && multiplier < 1000.0)) return 0;
  const auto wanted = static_cast<std::int64_t>(2.0 * multiplier * static_cast<double>(hidden) / 3.0);
  return (wanted + 255) / 256 * 256;
}

std::int64_t dense_width(const Dialect& d, const Sizes& s, std::int64_t layer) {
  if (const auto block = d.text.entry("block_configs", static_cast<std::size_t>(layer))) {
    const auto ffn = block->object({"ffn"});
    if (ffn && (ffn->flag({"no_op"}).value_or(false) || ffn->flag({"replace_with_linear"}).value_or(false))) return 0;
    if (ffn) {
      if (const auto width = ffn->size({"intermediate_size"})) return *width;
      if (const std::int64_t width = nas_width(*ffn, s.hidden); width > 0) return width;
    }
  }
  if (const std::int64_t width = openelm_width(d, s.hidden, layer); width > 0) return width;
  if (const auto list = d.text.integers({"intermediate_size"})) {
    return static_cast<std::size_t>(layer) < list->size() && (*list)[static_cast<std::size_t>(layer)] > 0 ? (*list)[static_cast<std::size_t>(layer)] : 0;
  }
  if (d.type == "granitemoehybrid") return d.text.count({"shared_intermediate_size"}).value_or(s.ffn);  // its dense part is the shared one
  for (const char* name : {"intermediate_size_mlp", "dense_intermediate_size"}) {
    if (const auto width = d.text.size({name})) return *width;
  }
  if (d.type.rfind("lfm2", 0) == 0 && d.text.flag({"block_auto_adjust_ff_dim"}).value_or(false)) {
    const std::int64_t multiple = d.text.size({"block_multiple_of"}).value_or(256);
    const std::int64_t base = d.text.size({"block_ff_dim", "intermediate_size"}).value_or(s.ffn);
    const auto adjusted = static_cast<std::int64_t>(d.text.number({"block_ffn_dim_multiplier"}).value_or(1.0) * static_cast<double>(2 * base / 3));
    return (adjusted + multiple - 1) / multiple * multiple;
  }
  return s.ffn;
}

Mlp experts_part(const Dialect& d, const Sizes& s, std::int64_t layer) {
  Mlp m;
  m.kind = MlpKind::moe;
  m.gated = gated(d);
  m.experts = experts_of(d);
  m.experts_per_token = computing_experts(d, experts_per_token(d), m.experts);
  const std::int64_t own = first_of(d.text, {"moe_intermediate_size", "expert_intermediate_size", "expert_ffn_hidden_size", "moe_ffn_hidden_size", "moe_hidden_dim"});
  m.expert_intermediate = own > 0 ? own : s.ffn;
  m.shared_intermediate = shared_width(d, m);
  m.shared_gate = m.shared_intermediate > 0 && d.family->shared_gate;
  m.router_bias = d.family->router_bias;
  if (const auto said = d.text.flag({"use_moe_router_bias", "use_routing_bias", "moe_use_aux_free", "use_expert_bias", "moe_router_enable_expert_bias"})) m.router_bias = *said;
  if (d.text.text({"topk_method"}).value_or("") == "noaux_tc") m.router_bias = true;
  m.expert_bias = d.family->expert_bias;
  m.latent = d.text.count({"moe_latent_size", "routed_expert_hidden_size"}).value_or(0);
  if (m.latent == s.hidden) m.latent = 0;
  const bool beside_dense = d.text.flag({"enable_moe_block"}).value_or(false) || d.type == "arctic";
  if (beside_dense) m.kind = MlpKind::dense_and_moe, m.intermediate = dense_width(d, s, layer);
  if (m.expert_intermediate == 0) d.text.missing("moe_intermediate_size", "width of an expert");
  return m;
}

using Flags = std::vector<bool>;

Flags flags_where(std::int64_t layers, bool (*rule)(std::int64_t, std::int64_t, std::int64_t), std::int64_t a, std::int64_t b) {
  Flags f;
  for (std::int64_t i = 0; i < layers; ++i) f.push_back(rule(i, a, b));
  return f;
}

std::optional<Flags> listed_experts(const Dialect& d, const Sizes& s) {
  const auto layers = static_cast<std::size_t>(s.layers);
  if (const auto words = d.text.texts({"mlp_layer_types"}); words && words->size() >= layers) {
    Flags f;
    for (std::size_t i = 0; i < layers; ++i) f.push_back((*words)[i] != "dense");
    return f;
  }
  if (const auto words = d.text.texts({"layers_block_type"}); words && words->size() >= layers && experts_of(d) > 0) {
    Flags f;
    for (std::size_t i = 0; i < layers; ++i) f.push_back((*words)[i] == "moe");
    return f;
  }
  if (const auto letters = d.text.text({"hybrid_override_pattern"}); letters && letters->size() == layers) {
    Flags f;
    for (const char c : *letters) f.push_back(c == 'E');
    return f;
  }
  if (const auto list = d.text.integers({"moe_layer_freq"}); list && list->size() >= layers) {
    Flags f;
    for (std::size_t i = 0; i < layers; ++i) f.push_back((*list)[i] != 0);
    return f;
  }
  if (const auto list = d.text.integers({"moe_layers"})) {
    Flags f(layers, false);
    for (const std::int64_t at : *list) {
      if (at >= 0 && at < s.layers) f[static_cast<std::size_t>(at)] = true;
    }
    return f;
  }
  return std::nullopt;
}

/// "3,4,5": layers with experts as a text (Step-3).
std::optional<Flags> enumerated_experts(const Dialect& d, const Sizes& s) {
  const auto text = d.text.text({"moe_layers_enum"});
  if (!text) return std::nullopt;
  Flags f(static_cast<std::size_t>(s.layers), false);
  std::int64_t number = 0;
  bool digits = false;
  for (const char c : *text + ",") {
    if (c >= '0' && c <= '9') {
      number = number * 10 + (c - '0');
      digits = true;
      if (number > s.layers) number = s.layers;
    } else {
      if (digits && number < s.layers) f[static_cast<std::size_t>(number)] = true;
      number = 0, digits = false;
    }
  }
  return f;
}

}  // namespace

std::vector<bool> read_expert_pattern(const Dialect& d, const Sizes& s) {
  if (experts_of(d) <= 1) return Flags(static_cast<std::size_t>(s.layers), false);
  if (const auto f = listed_experts(d, s)) return *f;
  if (const auto f = enumerated_experts(d, s)) return *f;
  if (const auto step = d.text.size({"interleave_moe_layer_step"})) return flags_where(s.layers, [](auto i, auto n, auto) { return (i + 1) % n == 0; }, *step, 0);
  if (const auto period = d.text.size({"expert_layer_period"})) {
    return flags_where(s.layers, [](auto i, auto n, auto offset) { return i % n == offset; }, *period, d.text.count({"expert_layer_offset"}).value_or(0));
  }
  if (d.text.has("moe_layer_start_index") || is_family(d, "ERNIE")) {
    Flags f = flags_where(s.layers, [](auto i, auto n, auto start) { return (i + 1) % n == 0 && i >= start; }, d.text.size({"moe_layer_interval"}).value_or(1), first_of(d.text, {"moe_layer_start_index"}));
    const std::int64_t end = d.text.is_list("moe_layer_end_index") ? s.layers - 1 : d.text.count({"moe_layer_end_index"}).value_or(s.layers - 1);
    for (std::int64_t i = end + 1; i < s.layers; ++i) f[static_cast<std::size_t>(i)] = false;
    return f;
  }
  const std::int64_t dense_first = d.text.count({"first_k_dense_replace", "num_dense_layers", "moe_first_k_dense_replace"}).value_or(0);
  const std::int64_t every = d.text.is_list("moe_layer_freq") ? 1 : d.text.size({"moe_layer_freq"}).value_or(1);
  if (const auto step = d.text.count({"decoder_sparse_step"})) {
    Flags f = flags_where(s.layers, [](auto i, auto n, auto) { return n > 0 && (i + 1) % n == 0; }, *step, 0);
    for (const std::int64_t at : d.text.integers({"mlp_only_layers"}).value_or(std::vector<std::int64_t>{})) {
      if (at >= 0 && at < s.layers) f[static_cast<std::size_t>(at)] = false;
    }
    return f;
  }
  return flags_where(s.layers, [](auto i, auto n, auto first) { return i >= first && i % n == 0; }, every, dense_first);
}

Mlp read_mlp(const Dialect& d, const Sizes& s, std::int64_t layer, bool experts) {
  if (experts) return experts_part(d, s, layer);
  Mlp m;
  m.intermediate = dense_width(d, s, layer);
  if (m.intermediate == 0) {
    const bool by_layer = d.text.has("block_configs") || d.text.is_list("intermediate_size");
    if (!by_layer && !is_family(d, "Mamba")) d.text.missing("intermediate_size", "width of the feed-forward part");
    m.kind = MlpKind::none;
    return m;
  }
  m.gated = gated(d);
  m.bias = read_biases(d).mlp;
  return m;
}

}  // namespace gpuplan
