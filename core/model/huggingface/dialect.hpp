#pragma once
/// One configuration being read: where the language model's keys stand, what its family implies, and the steps of reading it.
#include <string>
#include <vector>

#include "core/model/architecture.hpp"
#include "core/model/huggingface/config_json.hpp"
#include "core/model/huggingface/family.hpp"

namespace gpuplan {

struct Dialect {
  ConfigView root;   ///< the whole file (a wrapper for multimodal models)
  ConfigView text;   ///< the part that describes the language model
  std::string type;  ///< model_type, or architectures[0] where there is none
  const Family* family;
  bool generic = false;  ///< no family is known: read by recognisable keys
};

/// Widths and counts that every layer shares.
struct Sizes {
  std::int64_t hidden = 0, layers = 0, heads = 0, kv_heads = 0, head_dim = 0, v_head_dim = 0, ffn = 0, vocab = 0, context = 0;
};

struct Biases {
  bool qkv = false, o = false, mlp = false;
};

/// Finds the language model inside a wrapper (text_config, llm_config, …) and its family.
Dialect find_dialect(const ConfigView& root);
/// The type of a configuration as a whole, before any wrapper is opened.
std::string model_type(const ConfigView& view);

Sizes read_sizes(const Dialect&);
Biases read_biases(const Dialect&);
Mixer::QkNorm read_qk_norm(const Dialect&);

/// What moves information between tokens in each layer, first layer first.
std::vector<MixerKind> read_mixer_pattern(const Dialect&, const Sizes&);
/// Whether each layer has experts.
std::vector<bool> read_expert_pattern(const Dialect&, const Sizes&);

Mixer read_attention(const Dialect&, const Sizes&, std::int64_t layer, MixerKind kind);
Mixer read_recurrent(const Dialect&, const Sizes&, MixerKind kind);
Mlp read_mlp(const Dialect&, const Sizes&, std::int64_t layer, bool experts);

/// All layers of a decoder, in order; blocks that hold one mixer or one feed-forward part are layers of their own.
std::vector<Layer> read_layers(const Dialect&, const Sizes&);

/// Small tensors that only one family has, of layer `index` and outside the layers.
std::int64_t layer_extras(const Dialect&, const Sizes&, const Layer&, std::int64_t index);
std::int64_t outside_extras(const Dialect&, const Sizes&);

void read_mtp(const Dialect&, Architecture&);
void read_towers(const Dialect&, Architecture&);

/// "fp8", "awq" and so on as quantization_config says, "" when the checkpoint is plain.
std::string read_quantization(const Dialect&);
/// What quantization_config says beyond the format: fills Architecture::stored where the checkpoint departs from the usual form.
void read_storage(const Dialect&, Architecture&);

/// Encoders, encoder-decoders and vision transformers (BERT, T5, Whisper, ViT, …); false when the type is none of them.
bool read_encoder_model(const ConfigView& root, const std::string& type, Architecture& out);

}  // namespace gpuplan
