#pragma once
/// A model as the estimates see it: distinct layer kinds, how often each occurs, and the parts outside the layers.
/// All sizes are elements (not bytes); counts are of the whole model before any parallel split.
#include <cstdint>
#include <string>
#include <vector>

namespace gpuplan {

/// What moves information between tokens in a layer.
enum class MixerKind : std::uint8_t { none, full, sliding, chunked, mla, gated_delta, kda, lightning, mamba1, mamba2, rwkv, short_conv, cross };

/// Low-rank sizes of multi-head latent attention (DeepSeek-V2, arXiv:2405.04434); all 0 when not MLA.
struct Mla {
  std::int64_t q_rank = 0;  ///< 0 = plain query projection
  std::int64_t kv_rank = 0, rope_dim = 0, nope_dim = 0, v_dim = 0;
  bool output_gate = false;
  friend bool operator==(const Mla&, const Mla&) = default;
};

/// Sizes of a recurrent mixer (linear attention or state space); only those of its kind are set.
struct Recurrent {
  std::int64_t k_heads = 0, v_heads = 0, k_dim = 0, v_dim = 0;  ///< gated_delta, kda, lightning
  std::int64_t inner = 0, state = 0, groups = 0, dt_rank = 0;   ///< mamba1, mamba2 (inner = heads × head size)
  std::int64_t heads = 0, head_dim = 0;                         ///< mamba2, rwkv
  std::int64_t conv = 0;                                        ///< convolution kernel length
  bool inner_norms = false, full_gate = false;
  bool no_norm = false;                                         ///< mamba2: no norm in front of the output projection
  friend bool operator==(const Recurrent&, const Recurrent&) = default;
};

struct Mixer {
  MixerKind kind = MixerKind::full;
  std::int64_t heads = 0, kv_heads = 0, head_dim = 0, v_head_dim = 0;
  std::int64_t window = 0;            ///< tokens kept by sliding and chunked attention; cross attention: tokens of the other side
  bool q_bias = false, k_bias = false, v_bias = false, o_bias = false;
  enum class QkNorm : std::uint8_t { none, per_head, full } qk_norm = QkNorm::none;
  bool qk_norm_bias = false;
  bool output_gate = false;           ///< the query projection is doubled by a gate
  bool k_equals_v = false;            ///< no value projection
  bool shares_kv = false;             ///< reuses an earlier layer's cache: no k/v projection, no cache of its own
  bool spare_kv = false;              ///< shares_kv, yet the checkpoint holds key and value projections (Gemma-3n)
  bool sinks = false;                 ///< one learned sink per head
  bool fused_qkv = false;             ///< checkpoints store query, key and value as one tensor
  std::int64_t index_heads = 0, index_dim = 0, index_topk = 0;  ///< sparse-attention indexer (DSA)
  std::int64_t extra_params = 0;      ///< small tensors of this mixer that no other field describes
  std::int64_t compress_ratio = 0;    ///< cached entries are one per this many tokens (compressed attention), 0 = every token
  std::int64_t o_groups = 0, o_rank = 0;  ///< low-rank output projection in groups (DeepSeek-V4), 0 = one plain matrix
  Mla mla;
  Recurrent recurrent;
  friend bool operator==(const Mixer&, const Mixer&) = default;
};

enum class MlpKind : std::uint8_t { none, dense, moe, dense_and_moe };

struct Mlp {
  MlpKind kind = MlpKind::dense;
  bool gated = true, bias = false;
  std::int64_t intermediate = 0;                                   ///< dense width
  std::int64_t experts = 0, experts_per_token = 0, expert_intermediate = 0;
  std::int64_t shared_intermediate = 0;                            ///< all shared experts together
  bool shared_gate = false, router_bias = false, expert_bias = false;
  std::int64_t latent = 0;                                         ///< experts work in this width behind a down and an up projection; 0 = hidden
  friend bool operator==(const Mlp&, const Mlp&) = default;
};

enum class NormKind : std::uint8_t { rms, layer, none };  ///< layer norms also carry a bias when norm_bias is set

/// One distinct kind of layer.
struct Layer {
  Mixer mixer;
  Mlp mlp;
  std::int64_t norms = 2;       ///< norm vectors of width hidden
  std::int64_t extra_params = 0;
  friend bool operator==(const Layer&, const Layer&) = default;
};

/// `count` consecutive layers of kind `kind` (index into Architecture::kinds).
struct LayerRun {
  int kind = 0;
  std::int64_t count = 0;
};

/// A tower that turns images or audio into tokens of the language model; all 0 when there is none.
struct Tower {
  std::int64_t params = 0;  ///< tower and projector together
  std::int64_t layers = 0, hidden = 0, heads = 0, intermediate = 0, patch = 0, merge = 1, image_size = 0;
  std::int64_t tokens_per_item = 0;  ///< language-model tokens of one typical image (or audio window)
};

/// What a model is, so that tasks can be refused with a reason.
enum class ModelClass : std::uint8_t { decoder, encoder, encoder_decoder, vision, audio, diffusion };

/// Facts of classic models (convolutional and others) that are not transformer layers: per input item at the nominal size.
struct Classic {
  std::int64_t params = 0;
  double forward_flops_per_item = 0.0;       ///< 2 × multiply-accumulates
  double activation_elements_per_item = 0.0; ///< outputs of all layers, what a forward pass keeps for backward
  std::int64_t image_size = 0;               ///< nominal, pixels per side
};

/// What a file stores for one role of consecutive layers (first = −1: outside the layers), so that its bytes are known and not estimated.
struct StoredRun {
  int role = 0;  ///< Role of tensors.hpp
  std::int64_t first = -1, count = 1;
  double bytes_per_element = 0.0;
};

struct Architecture {
  std::string id, name, family;  ///< id "meta-llama/Llama-3.1-8B"
  ModelClass model_class = ModelClass::decoder;
  int year = 0;
  std::string license;

  std::int64_t hidden = 0, vocab = 0;
  std::int64_t max_context = 0;          ///< 0 = no limit known
  bool tied = false;                     ///< lm_head shares the embedding
  bool lm_head_bias = false;
  std::int64_t learned_positions = 0;    ///< rows of a learned position table
  std::int64_t token_types = 0;          ///< rows of a segment table (BERT)
  std::int64_t embedding_dim = 0;        ///< factorised embedding width, 0 = hidden
  std::int64_t extra_norms = 1;          ///< final norm, embedding norm: vectors of width hidden outside the layers
  NormKind norm = NormKind::rms;
  bool norm_bias = false;

  std::vector<Layer> kinds;
  std::vector<LayerRun> order;           ///< first layer first
  std::vector<LayerRun> decoder_order;   ///< encoder-decoder models: `order` is the encoder, this the decoder
  std::int64_t mtp_layers = 0;           ///< multi-token-prediction layers in the checkpoint; serving without speculation leaves them out
  std::int64_t mtp_params = 0;
  std::int64_t extra_params = 0;         ///< parameters outside layers that no other field describes
  Tower vision, audio;
  Classic classic;
  double dropout = 0.0;                  ///< > 0 when training keeps dropout masks
  std::string published_dtype;           ///< storage type of the published checkpoint: "bf16", "fp8", "mxfp4" …
  std::vector<StoredRun> stored;         ///< types found in a file's header; they hold while the weights keep published_dtype

  std::int64_t layer_count() const;      ///< all layers, encoder and decoder
};

}  // namespace gpuplan
