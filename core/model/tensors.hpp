#pragma once
/// The tensors of a model by kind: the one list that weights, gradients, optimizer states, flops and traffic are summed over.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/dtype.hpp"
#include "core/model/architecture.hpp"

namespace gpuplan {

/// What a tensor is for: decides its format in a quantised checkpoint and who may adapt it.
enum class Role : std::uint8_t {
  token_embedding, position_embedding, lm_head, norm, bias,
  attn_q, attn_k, attn_v, attn_o, mla_q_a, mla_q_b, mla_kv_a, mla_kv_b, index,
  mlp_gate, mlp_up, mlp_down,
  router, expert_gate, expert_up, expert_down, shared_gate_proj, shared_up, shared_down, shared_expert_gate, latent_proj,
  ssm_in, ssm_out, ssm_small,  ///< projections of recurrent mixers; convolutions, decays and other vectors
  vision, audio, mtp, other
};

/// The name of a role in JSON: "attn_q", "expert_down".
const char* role_name(Role);
std::optional<Role> parse_role(std::string_view);

/// How tensor and expert parallelism divide a tensor.
enum class Split : std::uint8_t {
  replicated,  ///< every rank holds all of it
  column,      ///< output rows divided by tp
  row,         ///< input columns divided by tp
  kv_heads,    ///< divided by min(tp, kv_heads), replicated beyond
  vocab,       ///< rows padded and divided by tp
  expert       ///< whole experts divided by ep, each divided by the rest of tp
};

/// `copies` equal matrices of rows × columns (a vector has columns = 1). rows = outputs, columns = inputs of a projection.
struct Tensor {
  Role role = Role::other;
  Split split = Split::replicated;
  std::int64_t rows = 0, columns = 1;
  std::int64_t copies = 1;        ///< per layer of its kind: experts × matrices
  int layer_kind = -1;            ///< index into Architecture::kinds, -1 outside the layers
  std::int64_t kv_heads = 0;      ///< for Split::kv_heads
  bool matmul = false;            ///< takes part in a matrix product with every token (routed experts: with their share)

  double elements() const { return static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(copies); }
};

/// Every tensor, one entry per kind of layer (multiply by the layer count for the whole model), then the parts outside.
std::vector<Tensor> tensors(const Architecture&);

/// Layers of each kind, index = kind.
std::vector<std::int64_t> layers_by_kind(const Architecture&);

/// Exact parameter counts [M-params].
struct ParameterCount {
  double total = 0.0;      ///< all, embeddings, towers and mtp included
  double active = 0.0;     ///< total without the experts that one token does not visit, towers and mtp left out
  double embedding = 0.0;  ///< token embedding (and lm_head when untied)
  double text = 0.0;       ///< language model alone
};
ParameterCount count_parameters(const Architecture&);

/// What one layer of a kind caches per sequence [M-kv].
struct CacheShape {
  double elements_per_token = 0.0;  ///< keys and values (MLA: the latent and rope part), all heads
  std::int64_t window = 0;          ///< tokens after which the cache stops growing, 0 = never
  std::int64_t kv_heads = 0;        ///< heads that tp can divide; 0 = replicated on every rank (MLA)
  double state_elements = 0.0;      ///< constant per sequence (recurrent and convolution state, cross-attention keys and values)
  double conv_elements = 0.0;       ///< the part of state_elements that is convolution inputs, kept in the model's own type
  bool state_fp32 = false;          ///< recurrent states are usually kept in fp32
};
CacheShape cache_shape(const Layer&);

/// Bytes of one tensor (all copies) stored in `format`; embeddings, norms, routers and heads stay 16-bit where the format's checkpoints
/// keep them so, GGUF mixes choose by role and layer position [M-weights]. `layer` and `layer_count` place the tensor for such mixes.
double stored_bytes(const Architecture&, const Tensor&, WeightFormat format, std::int64_t layer, std::int64_t layer_count);

/// Bytes of all tensors in `format`, every layer at its place: what a checkpoint of the whole model holds [M-weights].
/// GGUF files hold the language model alone: towers and prediction layers travel in files of their own and are left out.
double checkpoint_bytes(const Architecture&, WeightFormat format);

}  // namespace gpuplan
