#include <algorithm>

#include "core/model/huggingface/dialect.hpp"

namespace gpuplan {
namespace {

constexpr std::int64_t most_read_layers = 2000;

constexpr Names hidden_names = {"hidden_size", "n_embd", "d_model", "model_dim", "n_embed", "dim", "hidden_dim"};
constexpr Names layer_names = {"num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers", "layer_num"};
constexpr Names head_names = {"num_attention_heads", "n_head", "n_heads", "num_heads", "head_num"};
constexpr Names kv_names = {"num_key_value_heads", "n_head_kv", "num_kv_heads", "n_kv_heads", "num_query_groups", "n_query_groups", "kv_head_num", "num_attention_groups"};
constexpr Names head_size_names = {"head_dim", "attention_head_dim", "kv_channels", "d_kv", "head_size"};
constexpr Names ffn_names = {"intermediate_size", "n_inner", "ffn_hidden_size", "d_ff", "ffn_dim", "inner_size", "inner_hidden_size", "ffn_embed_dim", "ff_intermediate_size"};
constexpr Names vocab_names = {"vocab_size", "padded_vocab_size", "n_vocab"};
constexpr Names context_names = {"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "seq_length", "max_context_length", "model_max_length",
                                 "max_sequence_length", "max_seq_length"};

/// Sizes that a model_type means when its text_config leaves them out, as the wrappers of LLaVA-1.5 and Gemma-3 do.
struct Defaults {
  const char* type;
  std::int64_t hidden, layers, heads, kv_heads, head_dim, ffn, vocab, context;
};
constexpr Defaults defaults[] = {{"llama", 4096, 32, 32, 32, 128, 11008, 32000, 2048},
                                 {"mistral", 4096, 32, 32, 8, 128, 14336, 32000, 32768},
                                 {"qwen2", 4096, 32, 32, 32, 128, 22016, 151936, 32768},
                                 {"gemma", 3072, 28, 16, 16, 256, 24576, 256000, 8192},
                                 {"gemma2", 2304, 26, 8, 4, 256, 9216, 256000, 8192},
                                 {"gemma3_text", 2304, 26, 8, 4, 256, 9216, 262208, 131072}};

bool is_wrapped(const Dialect& d) { return d.text.at("") != d.root.at(""); }

const Defaults* defaults_of(const Dialect& d) {
  for (const Defaults& known : defaults) {
    if (is_wrapped(d) && d.type == known.type) return &known;
  }
  return nullptr;
}

std::int64_t take_default(const Dialect& d, std::int64_t value, const char* key) {
  d.text.findings().assume("model-assumed", d.text.at(key) + " is missing; " + std::to_string(value) + ", the default of model_type " + d.type + ", was taken.");
  return value;
}

std::int64_t or_default(const Dialect& d, std::optional<std::int64_t> value, std::int64_t Defaults::*field, const char* key, const std::string& meaning) {
  if (value) return *value;
  if (const Defaults* known = defaults_of(d)) return take_default(d, known->*field, key);
  d.text.missing(key, meaning);
  return 0;
}

/// The count of blocks when only the list of their kinds says it (Nemotron-3).
std::optional<std::int64_t> layers_of(const Dialect& d) {
  if (const auto n = d.text.size(layer_names)) return n;
  for (const char* list : {"layers_block_type", "layer_types", "block_configs"}) {
    if (d.text.entries(list) > 0) return static_cast<std::int64_t>(d.text.entries(list));
  }
  return std::nullopt;
}

/// Rows of the embedding table: OLMo's first files pad them beyond the vocabulary.
std::optional<std::int64_t> vocab_of(const Dialect& d) {
  if (d.family->name == std::string_view("OLMo")) {
    if (const auto rows = d.text.size({"embedding_size"})) return rows;
  }
  return d.text.size(vocab_names);
}

std::int64_t kv_heads_of(const Dialect& d, std::int64_t heads) {
  if (d.text.flag({"multi_query_attention"}).value_or(false)) {
    if (const auto groups = d.text.size({"multi_query_group_num"})) return *groups;
  }
  const bool grouped_falcon = d.text.flag({"new_decoder_architecture"}).value_or(false);
  if (d.text.flag({"multi_query"}).value_or(false) && !grouped_falcon) return 1;
  if (d.type == "hf_olmo" && d.text.flag({"multi_query_attention"}).value_or(false)) return 1;
  if (!d.text.is_list("num_key_value_heads") && !d.text.is_list("num_kv_heads")) {
    if (d.family->name == std::string_view("Falcon") && !grouped_falcon) return heads;  // num_kv_heads is written but unused there
    if (const auto n = d.text.size(kv_names)) return *n;
  }
  if (const auto attention = d.text.object({"attn_config"})) {
    if (const auto n = attention->size({"kv_n_heads"})) return *n;
    if (attention->text({"attn_type"}).value_or("") == "multiquery_attention") return 1;
  }
  const Defaults* known = defaults_of(d);
  if (known && !d.text.has("num_attention_heads")) return take_default(d, known->kv_heads, "num_key_value_heads");
  if (d.generic) d.text.findings().assume("model-assumed", "No key gives the key/value heads; as many as query heads (" + std::to_string(heads) + ") were taken.");
  return heads;
}

/// Width of a feed-forward part that Meta's params.json gives by multipliers: ⅔ · 4 · dim, scaled, rounded up.
std::optional<std::int64_t> meta_ffn(const Dialect& d, std::int64_t hidden) {
  const auto multiple = d.text.size({"multiple_of"});
  if (!multiple || !d.text.has("dim")) return std::nullopt;
  const std::int64_t plain = 8 * hidden / 3;
  const auto scaled = static_cast<std::int64_t>(static_cast<double>(plain) * d.text.number({"ffn_dim_multiplier"}).value_or(1.0));
  return (scaled + *multiple - 1) / *multiple * *multiple;
}

/// Families whose width counts gate and up projection together.
bool counts_gate_and_up(const Dialect& d) { return d.type == "qwen" || d.type == "QWenLMHeadModel" || d.family->name == std::string_view("Molmo"); }

std::int64_t ffn_of(const Dialect& d, std::int64_t hidden) {
  if (d.text.has("dim") && d.text.has("hidden_dim")) return d.text.size({"hidden_dim"}).value_or(0);  // Mistral's params.json
  if (!d.text.is_list("intermediate_size")) {
    if (const auto width = d.text.count(ffn_names); width && *width > 0) return counts_gate_and_up(d) ? *width / 2 : *width;
  }
  if (const auto width = d.text.size({"mlp_hidden_size"})) return *width / 2;  // hf_olmo counts gate and up together
  if (const auto ratio = d.text.number({"expansion_ratio", "mlp_ratio"}); ratio && *ratio > 0.0 && *ratio < 1000.0) {
    const double both = *ratio * static_cast<double>(hidden);
    return static_cast<std::int64_t>(d.type == "hf_olmo" ? both / 2.0 : both);
  }
  if (const auto width = meta_ffn(d, hidden)) return *width;
  if (const auto inner = d.text.object({"ffn_config"})) {
    if (const auto width = inner->size({"ffn_hidden_size"})) return *width;
  }
  if (d.family->ffn_is_4h) return 4 * hidden;
  return 0;
}

std::int64_t head_dim_of(const Dialect& d, const Sizes& s) {
  if (const auto size = d.text.size(head_size_names)) return *size;
  if (s.heads == 0) return 0;
  const Defaults* known = defaults_of(d);
  if (known && known->head_dim != known->hidden / known->heads) return take_default(d, known->head_dim, "head_dim");
  const bool latent = d.text.has("kv_lora_rank");
  if (!latent && s.hidden % s.heads != 0) {
    d.text.findings().fail(d.text.at("hidden_size"), ProblemCode::conflict,
                           "(" + std::to_string(s.hidden) + ") is not a multiple of the attention heads (" + std::to_string(s.heads) + "), and no head_dim is given.");
  }
  return s.hidden / s.heads;
}

bool is_state_space(const Dialect& d) { return d.family->name == std::string_view("Mamba") || d.family->name == std::string_view("RWKV"); }

}  // namespace

Sizes read_sizes(const Dialect& d) {
  Sizes s;
  s.hidden = or_default(d, d.text.size(hidden_names), &Defaults::hidden, "hidden_size", "width of the model");
  s.layers = or_default(d, layers_of(d), &Defaults::layers, "num_hidden_layers", "number of layers");
  s.vocab = or_default(d, vocab_of(d), &Defaults::vocab, "vocab_size", "size of the vocabulary");
  if (!is_state_space(d)) {
    const bool per_layer = d.text.is_list("num_query_heads");
    s.heads = per_layer ? 1 : or_default(d, d.text.size(head_names), &Defaults::heads, "num_attention_heads", "attention heads");
    s.kv_heads = per_layer ? 1 : kv_heads_of(d, s.heads);
    s.head_dim = head_dim_of(d, s);
    s.v_head_dim = d.text.has("kv_lora_rank") ? s.head_dim : std::max<std::int64_t>(d.text.count({"v_head_dim"}).value_or(0), 0);
    if (s.v_head_dim == 0) s.v_head_dim = s.head_dim;
  }
  s.ffn = ffn_of(d, s.hidden);
  if (const Defaults* known = defaults_of(d)) {
    if (s.ffn == 0) s.ffn = take_default(d, known->ffn, "intermediate_size");
    if (!d.text.has("max_position_embeddings")) s.context = take_default(d, known->context, "max_position_embeddings");
  }
  if (s.context == 0) s.context = d.text.count(context_names).value_or(0);
  const bool grouped = s.kv_heads > 0 && s.heads % s.kv_heads != 0 && !d.text.has("kv_lora_rank");
  if (grouped) {
    d.text.findings().fail(d.text.at("num_key_value_heads"), ProblemCode::conflict,
                           "(" + std::to_string(s.kv_heads) + ") must divide the attention heads (" + std::to_string(s.heads) + ").");
  }
  if (s.layers > most_read_layers) d.text.findings().fail(d.text.at("num_hidden_layers"), ProblemCode::out_of_range, "must be at most 2000.");
  return s;
}

}  // namespace gpuplan
