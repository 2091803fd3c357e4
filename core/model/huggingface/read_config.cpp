#include "core/model/huggingface/read_config.hpp"

#include <nlohmann/json.hpp>

#include "core/json/text.hpp"
#include "core/model/architecture_json.hpp"
#include "core/model/huggingface/dialect.hpp"
#include "core/model/layer_runs.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

/// The tie flag of the language model, else of the wrapper, else what the family does.
bool read_tied(const Dialect& d) {
  for (const ConfigView* view : {&d.text, &d.root}) {
    if (const auto said = view->flag({"tie_word_embeddings", "tie_embeddings", "weight_tying"})) return *said;
  }
  if (d.generic) d.text.findings().assume("model-assumed", "No key says whether the head shares the embedding; a head of its own was taken.");
  return d.family->tied;
}

std::int64_t learned_positions(const Dialect& d, const Sizes& s) {
  if (d.family->name == std::string_view("MPT")) {
    const auto attention = d.text.object({"attn_config"});
    const bool alibi = attention && attention->flag({"alibi"}).value_or(false);
    const bool rope = attention && attention->flag({"rope"}).value_or(false);
    return alibi || rope ? 0 : s.context;
  }
  if (d.family->positions == Positions::rotary) return 0;
  if (d.text.text({"position_embedding_type"}).value_or("learned") != "learned" && d.type == "jais") return 0;
  return s.context + (d.family->positions == Positions::learned_plus_2 ? 2 : 0);
}

NormKind norm_of(const Dialect& d, bool& bias) {
  bias = d.family->norm_bias;
  if (!d.generic) {
    if (d.family->name == std::string_view("MPT")) bias = !d.text.flag({"no_bias"}).value_or(true);
    return d.family->norm;
  }
  const bool layer = (d.text.has("layer_norm_eps") || d.text.has("layer_norm_epsilon") || d.text.has("layernorm_epsilon")) && !d.text.has("rms_norm_eps");
  bias = layer;
  return layer ? NormKind::layer : NormKind::rms;
}

void read_ends(const Dialect& d, const Sizes& s, Architecture& a) {
  a.hidden = s.hidden, a.vocab = s.vocab, a.max_context = s.context;
  a.tied = read_tied(d);
  a.lm_head_bias = d.text.flag({"lm_head_bias"}).value_or(d.family->lm_head_bias);
  a.norm = norm_of(d, a.norm_bias);
  a.extra_norms = d.family->extra_norms;
  a.learned_positions = learned_positions(d, s);
  a.extra_params = outside_extras(d, s);  // small_tensors.cpp
  const auto narrow = d.text.size({"word_embed_proj_dim"});
  if (narrow && *narrow != s.hidden) a.embedding_dim = *narrow;
  if (d.family->gated == false && d.text.number({"attention_dropout", "resid_pdrop", "hidden_dropout", "dropout"}).value_or(0.0) > 0.0) {
    a.dropout = d.text.number({"attention_dropout", "resid_pdrop", "hidden_dropout", "dropout"}).value_or(0.0);
  }
}

std::string name_of(const ConfigView& root) {
  const std::string name = root.text({"_name_or_path", "name_or_path", "model_name", "name"}).value_or("");
  const bool is_path = name.empty() || name[0] == '/' || name[0] == '.' || name.size() > 100;
  return is_path ? "" : name;
}

/// Decoders whose layers the core cannot describe yet: better no answer than a wrong one.
bool is_indescribable(const Dialect& d) {
  for (const char* type : {"recurrent_gemma", "zamba", "zamba2", "plamo2", "afm7", "t5gemma", "albert", "deberta", "funnel", "xlnet", "reformer", "longformer", "big_bird", "perceiver", "hyena", "retnet"}) {
    if (d.type != type && model_type(d.root) != type) continue;
    d.root.findings().fail(d.root.at("model_type"), ProblemCode::unsupported,
                           "is " + std::string(type) + ", whose layers are of kinds that are not described here; give its measured sizes as an architecture instead.");
    return true;
  }
  return false;
}

/// What a generic reading left aside: keys that may describe parts that are not counted.
void note_unread(const Dialect& d) {
  if (!d.generic) return;
  const std::vector<std::string> names = d.text.unread_sizes();
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < 12; ++i) list += (i > 0 ? ", " : "") + names[i];
  if (names.size() > 12) list += " and " + std::to_string(names.size() - 12) + " more";
  if (!list.empty()) d.text.findings().assume("model-assumed", "Not understood, so parts that they describe are not counted: " + list + ".");
}

void read_decoder(const ConfigView& root, Architecture& a) {
  const Dialect d = find_dialect(root);
  if (is_indescribable(d)) return;
  a.family = d.family->name;
  const Sizes s = read_sizes(d);
  if (root.findings().problem) return;
  read_ends(d, s, a);
  fold_layers(read_layers(d, s), a.kinds, a.order);
  if (root.findings().problem || check_architecture(a, "")) return;  // the caller reports what is unsound
  read_mtp(d, a);
  read_towers(d, a);
  a.published_dtype = read_quantization(d);
  read_storage(d, a);
  note_unread(d);
}

void note_context(const Architecture& a, Findings& findings) {
  if (a.max_context == 0 && a.model_class == ModelClass::decoder) findings.assume("model-assumed", "No key gives the longest context; any length is accepted.");
}

}  // namespace

Result<DescribedModel> read_hf_config(const json& config, std::string_view pointer) {
  const std::string at(pointer);
  if (!config.is_object()) return Problem{at, ProblemCode::wrong_type, "The configuration must be a JSON object, not " + type_name(config) + ".", {}};
  Findings findings;
  if (const auto it = config.find("_class_name"); it != config.end() && it->is_string() && !config.contains("hidden_size")) {
    return Problem{child(at, "_class_name"), ProblemCode::unsupported,
                   "This is a part of a diffusers pipeline (" + excerpt(it->get_ref<const std::string&>()) + "), which is not read from its configuration; choose the model from the catalog.", {}};
  }
  const ConfigView root(config, at, findings);
  DescribedModel out;
  Architecture& a = out.architecture;
  a.id = a.name = name_of(root);
  if (!read_encoder_model(root, model_type(root), a)) read_decoder(root, a);
  if (findings.problem) return *findings.problem;
  if (auto unsound = check_architecture(a, pointer)) {
    unsound->message = "The configuration contradicts itself: " + unsound->message;
    return *unsound;
  }
  note_context(a, findings);
  out.weights = parse_weight_format(a.published_dtype);
  out.assumptions = std::move(findings.notes);
  return out;
}

}  // namespace gpuplan
