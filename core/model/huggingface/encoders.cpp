/// Encoders, encoder-decoders and vision transformers.
#include <algorithm>

#include "core/model/huggingface/towers.hpp"
#include "core/model/layer_runs.hpp"

namespace gpuplan {
namespace {

constexpr std::int64_t largest_learned = 10'000'000;

bool one_of(const std::string& type, std::initializer_list<const char*> types) {
  for (const char* t : types) {
    if (type == t) return true;
  }
  return false;
}

std::int64_t need(const ConfigView& v, Names names, const char* meaning) {
  if (const auto n = v.size(names)) return *n;
  v.missing(*names.begin(), meaning);
  return 1;
}

/// A product of sizes that may each be large; more than any model has becomes a number that the check of the architecture refuses.
std::int64_t product(std::int64_t a, std::int64_t b, std::int64_t c) {
  const double all = static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
  return all < 1e16 ? static_cast<std::int64_t>(all) : 10'000'000'000'000'000;
}

struct Block {
  std::int64_t hidden = 1, heads = 1, head_dim = 0, ffn = 1;
  bool bias = true, key_bias = true, gated = false;
};

Layer plain_layer(const Block& b) {
  Layer l;
  l.mixer.heads = l.mixer.kv_heads = b.heads;
  l.mixer.head_dim = l.mixer.v_head_dim = b.head_dim > 0 ? b.head_dim : b.hidden / b.heads;
  l.mixer.q_bias = l.mixer.v_bias = l.mixer.o_bias = b.bias;
  l.mixer.k_bias = b.bias && b.key_bias;
  l.mlp.intermediate = b.ffn;
  l.mlp.gated = b.gated;
  l.mlp.bias = b.bias;
  return l;
}

/// A decoder layer is two blocks: self attention, then cross attention to `source` tokens with the feed-forward part.
void add_decoder(const Block& b, std::int64_t layers, std::int64_t source, Architecture& a) {
  Layer self = plain_layer(b), cross = plain_layer(b);
  self.mlp = Mlp{};
  self.mlp.kind = MlpKind::none;
  self.norms = 1;
  cross.mixer.kind = MixerKind::cross;
  cross.mixer.window = source;
  const int first = static_cast<int>(a.kinds.size());
  a.kinds.push_back(self);
  a.kinds.push_back(cross);
  for (std::int64_t i = 0; i < layers && i < 2000; ++i) {
    a.decoder_order.push_back({first, 1});
    a.decoder_order.push_back({first + 1, 1});
  }
}

void layer_norm(Architecture& a) { a.norm = NormKind::layer, a.norm_bias = true; }

void read_bert(const ConfigView& v, const std::string& type, Architecture& a) {
  a.model_class = ModelClass::encoder;
  a.family = type == "bert" || type == "distilbert" ? "BERT" : "RoBERTa";
  layer_norm(a);
  Block b;
  b.hidden = a.hidden = need(v, {"hidden_size", "dim"}, "width of the model");
  b.heads = need(v, {"num_attention_heads", "n_heads"}, "attention heads");
  b.ffn = need(v, {"intermediate_size", "hidden_dim"}, "feed-forward width");
  a.vocab = need(v, {"vocab_size"}, "size of the vocabulary");
  a.max_context = a.learned_positions = v.size({"max_position_embeddings"}).value_or(512);
  a.token_types = type == "distilbert" ? 0 : v.count({"type_vocab_size"}).value_or(type == "bert" ? 2 : 1);
  a.tied = a.lm_head_bias = true;
  a.dropout = v.number({"hidden_dropout_prob", "dropout"}).value_or(0.1);
  a.kinds = {plain_layer(b)};
  a.order = {{0, need(v, {"num_hidden_layers", "n_layers"}, "number of layers")}};
  const std::int64_t h = a.hidden, pooler = h * h + h, transform = h * h + h + 2 * h;
  const auto names = v.texts({"architectures"});
  const bool alone = names && !names->empty() && names->front().find("Model") != std::string::npos;  // BertModel: no head for masked tokens
  if (alone) {
    a.lm_head_bias = false;
    a.extra_params = type == "distilbert" ? 0 : pooler;
    return;
  }
  a.extra_params = type == "bert" ? pooler + transform + 2 * h + 2 : transform;  // pooler, masked-token head, next-sentence head
  v.findings().assume("model-assumed", "The pretraining heads were counted with the encoder, as published checkpoints hold them.");
}

/// DeBERTa-v2 and v3: no positions of their own, a table of relative ones with its norm, a convolution in the larger sizes.
void read_deberta(const ConfigView& v, Architecture& a) {
  read_bert(v, "bert", a);
  a.family = "DeBERTa";
  const std::int64_t h = a.hidden, buckets = v.count({"position_buckets"}).value_or(0), span = buckets > 0 ? buckets : v.size({"max_position_embeddings"}).value_or(512);
  if (!v.flag({"position_biased_input"}).value_or(true)) a.learned_positions = 0;
  a.token_types = v.count({"type_vocab_size"}).value_or(0);
  a.lm_head_bias = false;
  const std::int64_t kernel = v.count({"conv_kernel_size"}).value_or(0);
  a.extra_params = 2 * span * h + 2 * h + (kernel > 0 ? product(kernel, h, h) + 3 * h : 0);
  v.findings().notes.clear();
  v.findings().assume("model-assumed", "The encoder was counted without the heads of its pretraining.");
}

/// Nomic's BERT: rotary positions, gated networks without biases, norms behind each part.
void read_nomic(const ConfigView& v, Architecture& a) {
  a.family = "NomicBERT";
  a.model_class = ModelClass::encoder;
  layer_norm(a);
  Block b;
  b.hidden = a.hidden = need(v, {"n_embd"}, "width of the model");
  b.heads = need(v, {"n_head"}, "attention heads");
  b.ffn = need(v, {"n_inner"}, "feed-forward width");
  b.bias = v.flag({"qkv_proj_bias"}).value_or(true);
  b.gated = v.text({"activation_function"}).value_or("swiglu") == "swiglu";
  a.vocab = need(v, {"vocab_size"}, "size of the vocabulary");
  a.max_context = v.size({"n_positions"}).value_or(2048);
  a.token_types = v.count({"type_vocab_size"}).value_or(2);
  a.tied = true;
  a.kinds = {plain_layer(b)};
  a.order = {{0, need(v, {"n_layer"}, "number of layers")}};
}

/// ModernBERT: gated, without biases, two windowed layers for each full one.
void read_modernbert(const ConfigView& v, Architecture& a) {
  a.family = "ModernBERT";
  a.model_class = ModelClass::encoder;
  a.norm = NormKind::layer;
  Block b;
  b.hidden = a.hidden = need(v, {"hidden_size"}, "width of the model");
  b.heads = need(v, {"num_attention_heads"}, "attention heads");
  b.ffn = need(v, {"intermediate_size"}, "feed-forward width");
  b.bias = false, b.gated = true;
  a.vocab = need(v, {"vocab_size"}, "size of the vocabulary");
  a.max_context = v.size({"max_position_embeddings"}).value_or(8192);
  a.tied = a.lm_head_bias = true;
  a.extra_norms = 2;
  Layer full = plain_layer(b), windowed = full;
  windowed.mixer.kind = MixerKind::sliding;
  windowed.mixer.window = v.size({"local_attention"}).value_or(128);
  const std::int64_t every = v.size({"global_attn_every_n_layers"}).value_or(3), layers = need(v, {"num_hidden_layers"}, "number of layers");
  std::vector<Layer> list;
  for (std::int64_t i = 0; i < layers && i < 2000; ++i) list.push_back(i % every == 0 ? full : windowed);
  if (!list.empty()) list[0].norms = 1;  // the first layer starts from the embedding's norm
  fold_layers(list, a.kinds, a.order);
  a.extra_params = a.hidden * a.hidden + a.hidden;  // head of masked tokens and its norm
}

void read_t5(const ConfigView& v, Architecture& a) {
  a.family = "T5";
  Block b;
  b.hidden = a.hidden = need(v, {"d_model"}, "width of the model");
  b.heads = need(v, {"num_heads"}, "attention heads");
  b.head_dim = need(v, {"d_kv"}, "size of a head");
  b.ffn = need(v, {"d_ff"}, "feed-forward width");
  b.bias = false;
  b.gated = v.text({"feed_forward_proj"}).value_or("relu").rfind("gated", 0) == 0;
  a.vocab = need(v, {"vocab_size"}, "size of the vocabulary");
  a.tied = v.flag({"tie_word_embeddings"}).value_or(true);
  a.max_context = v.size({"n_positions"}).value_or(512);
  a.dropout = v.number({"dropout_rate"}).value_or(0.1);
  const std::int64_t layers = need(v, {"num_layers"}, "number of encoder layers");
  const auto names = v.texts({"architectures"});
  const bool encoder_only = v.flag({"is_encoder_decoder"}).value_or(true) == false || (names && !names->empty() && names->front() == "T5EncoderModel");
  const std::int64_t buckets = v.size({"relative_attention_num_buckets"}).value_or(32) * b.heads;
  a.model_class = encoder_only ? ModelClass::encoder : ModelClass::encoder_decoder;
  a.kinds = {plain_layer(b)};
  a.order = {{0, layers}};
  a.extra_norms = encoder_only ? 1 : 2;
  a.extra_params = buckets * (encoder_only ? 1 : 2);
  if (!encoder_only) add_decoder(b, v.size({"num_decoder_layers"}).value_or(layers), a.max_context, a);
}

/// What sets the relatives of BART apart: where positions are learned, and norms outside the layers on both sides together.
struct BartKind {
  const char* type;
  bool learned_positions;
  std::int64_t padding_positions, norms;
};
constexpr BartKind bart_kinds[] = {{"bart", true, 4, 2},     {"mbart", true, 4, 4},           {"whisper", true, 0, 2},          {"marian", false, 0, 0},
                                   {"pegasus", false, 0, 2}, {"m2m_100", false, 0, 2},        {"blenderbot", true, 0, 2},       {"blenderbot-small", true, 0, 2}};

const BartKind* bart_kind(const std::string& type) {
  for (const BartKind& k : bart_kinds) {
    if (type == k.type) return &k;
  }
  return nullptr;
}

/// BART and its relatives, Whisper among them: layer norms, biases, an encoder and a decoder.
void read_bart(const ConfigView& v, const BartKind& kind, Architecture& a) {
  const bool whisper = std::string_view(kind.type) == "whisper";
  a.family = whisper ? "Whisper" : "BART";
  a.model_class = whisper ? ModelClass::audio : ModelClass::encoder_decoder;
  layer_norm(a);
  Block b;
  b.hidden = a.hidden = need(v, {"d_model"}, "width of the model");
  b.heads = need(v, {"encoder_attention_heads", "num_attention_heads"}, "attention heads");
  b.ffn = need(v, {"encoder_ffn_dim"}, "feed-forward width");
  b.key_bias = !whisper;
  a.vocab = need(v, {"vocab_size"}, "size of the vocabulary");
  a.tied = true;
  const std::int64_t h = a.hidden, target = v.size({"max_target_positions", "max_position_embeddings"}).value_or(448);
  const std::int64_t source = v.size({"max_source_positions", "max_position_embeddings"}).value_or(1500), mel = v.size({"num_mel_bins"}).value_or(80);
  a.max_context = target;
  a.learned_positions = kind.learned_positions ? source + target + kind.padding_positions : 0;
  a.extra_norms = kind.norms;
  a.extra_params = whisper ? 3 * h * mel + h + 3 * h * h + h : 0;
  a.dropout = v.number({"dropout"}).value_or(0.0);
  a.kinds = {plain_layer(b)};
  a.order = {{0, need(v, {"encoder_layers"}, "number of encoder layers")}};
  add_decoder(b, need(v, {"decoder_layers"}, "number of decoder layers"), source, a);
}

/// CLIP and SigLIP: a text encoder, an image tower and a projection behind each.
void read_dual(const ConfigView& v, const std::string& type, Architecture& a) {
  const bool siglip = type == "siglip";
  const auto text = v.object({"text_config"}), vision = v.object({"vision_config"});
  if (!text || !vision) return v.missing("text_config", "text encoder beside vision_config");
  a.family = siglip ? "SigLIP" : "CLIP";
  a.model_class = ModelClass::encoder;
  layer_norm(a);
  Block b;
  b.hidden = a.hidden = text->size({"hidden_size"}).value_or(siglip ? 768 : 512);
  b.heads = text->size({"num_attention_heads"}).value_or(siglip ? 12 : 8);
  b.ffn = text->size({"intermediate_size"}).value_or(4 * b.hidden);
  a.vocab = text->size({"vocab_size"}).value_or(siglip ? 32000 : 49408);
  a.max_context = a.learned_positions = text->size({"max_position_embeddings"}).value_or(siglip ? 64 : 77);
  a.tied = true;
  a.kinds = {plain_layer(b)};
  a.order = {{0, text->size({"num_hidden_layers"}).value_or(12)}};
  Tower& t = a.vision;
  t.hidden = vision->size({"hidden_size"}).value_or(768), t.layers = vision->size({"num_hidden_layers"}).value_or(12), t.heads = vision->size({"num_attention_heads"}).value_or(12);
  t.intermediate = vision->size({"intermediate_size"}).value_or(4 * t.hidden), t.patch = vision->size({"patch_size"}).value_or(siglip ? 16 : 32), t.image_size = vision->size({"image_size"}).value_or(224);
  t.params = image_encoder_elements(t, siglip);
  const std::int64_t shared = v.size({"projection_dim"}).value_or(512);
  a.extra_params = siglip ? a.hidden * a.hidden + a.hidden + 2 : shared * (a.hidden + t.hidden) + 1;  // and the temperature, SigLIP's bias
}

void read_vit(const ConfigView& v, const std::string& type, Architecture& a) {
  a.family = "ViT";
  a.model_class = ModelClass::vision;
  layer_norm(a);
  Block b;
  b.hidden = a.hidden = need(v, {"hidden_size"}, "width of the model");
  b.heads = need(v, {"num_attention_heads"}, "attention heads");
  b.ffn = v.size({"intermediate_size"}).value_or(4 * b.hidden);
  const std::int64_t patch = v.size({"patch_size"}).value_or(16), image = v.size({"image_size"}).value_or(224), channels = v.size({"num_channels"}).value_or(3);
  const std::int64_t tokens = (image / patch) * (image / patch) + 1, classes = std::max<std::int64_t>(v.count({"num_labels"}).value_or(0), v.count({"num_classes"}).value_or(0));
  a.tied = true;
  a.max_context = a.learned_positions = tokens;
  a.classic.image_size = image;
  a.kinds = {plain_layer(b)};
  a.order = {{0, need(v, {"num_hidden_layers"}, "number of layers")}};
  a.extra_params = product(channels * patch, patch, a.hidden) + a.hidden + a.hidden + classes * (a.hidden + 1);
  if (type == "dinov2") a.extra_params += a.hidden + 2 * a.hidden * a.order[0].count;  // mask token, scale of each branch
}

}  // namespace

bool read_encoder_model(const ConfigView& root, const std::string& type, Architecture& a) {
  const bool bert = one_of(type, {"bert", "roberta", "xlm-roberta", "camembert", "distilbert", "electra", "mpnet", "BertModel", "BertForMaskedLM"});
  const BartKind* bart = bart_kind(type);
  if (bert) read_bert(root, type, a);
  else if (one_of(type, {"t5", "mt5", "umt5", "T5EncoderModel"})) read_t5(root, a);
  else if (type == "modernbert") read_modernbert(root, a);
  else if (type == "deberta-v2") read_deberta(root, a);
  else if (type == "nomic_bert") read_nomic(root, a);
  else if (one_of(type, {"clip", "siglip"})) read_dual(root, type, a);
  else if (bart) read_bart(root, *bart, a);
  else if (one_of(type, {"vit", "deit", "dinov2", "beit"})) read_vit(root, type, a);
  else return false;
  if (!root.findings().problem) a.published_dtype = read_quantization({root, root, type, &generic_family()});
  if (a.learned_positions > largest_learned) root.findings().fail(root.at("max_position_embeddings"), ProblemCode::out_of_range, "is too large.");
  return true;
}

}  // namespace gpuplan
