#pragma once
/// The operators of one forward pass, layer kind by layer kind: what is multiplied, read and exchanged [M-flops].
/// Built from the tensor list, so weights, flops and traffic cannot disagree. Training's backward uses the same list.
#include <cstdint>
#include <vector>

#include "core/compute/roofline.hpp"
#include "core/layout/layout.hpp"
#include "core/model/architecture.hpp"
#include "core/model/tensors.hpp"

namespace gpuplan {

/// One (fused) projection of a layer: outputs n from inputs k, as tensor parallelism divides them.
struct Gemm {
  Role role = Role::other;        ///< of its first tensor; q, k and v are one product, gate and up are one
  double n_column = 0.0;          ///< outputs divided by tp
  double n_kv = 0.0;              ///< outputs divided by min(tp, kv_heads)
  double n_replicated = 0.0;      ///< outputs that every rank computes
  double k = 0.0;
  bool row = false;               ///< inputs divided by tp instead: the output needs an all-reduce
  bool expert = false;            ///< one such product per routed expert
  double kv_heads = 1.0;
  double bytes_per_weight = 2.0;  ///< stored, scales included
  bool quantized = false;         ///< stored in the job's weight format (else 16-bit)

  double n_at(double tp) const;   ///< outputs of one rank
  double k_at(double tp) const { return row ? k / tp : k; }
  double weights_at(double tp) const { return n_at(tp) * k_at(tp); }
};

/// One kind of layer.
struct LayerOperators {
  double layers = 0.0;            ///< how many in the model
  Mixer mixer;
  Mlp mlp;
  CacheShape cache;
  std::vector<Gemm> gemms;
  double stream_elements = 0.0;   ///< element-wise traffic per token that sequence parallelism would divide: norms and residuals, 16-bit elements read and written
  double stream_elements_split = 0.0;  ///< … and that tensor parallelism divides: activation function, rotary
  double stream_hidden = 0.0;     ///< width of the residual stream that these elements count
  double launches = 0.0;          ///< kernels of a layer without fusion
  int reductions = 0;             ///< products whose output tensor parallelism must sum (2 in a plain block)
};

struct Operators {
  std::vector<LayerOperators> kinds;
  Gemm head;                      ///< lm_head (the embedding again when tied)
  double hidden = 0.0, vocab = 0.0, layers = 0.0;
};

/// The list for a model whose base weights are stored in `weights`.
Operators operators(const Architecture&, WeightFormat weights);

/// Query · key pairs of a causal pass over `tokens` new tokens after `past` cached ones: t·past + t(t+1)/2, less under a window.
double attended_pairs(const Mixer&, double tokens, double past);
/// 2 flops per multiply-accumulate of scores and values for one query · key pair, all heads; MLA: `absorbed` works in the latent space.
double flops_per_pair(const Mixer&, bool absorbed);
/// Flops of a recurrent mixer's state update per token, all heads (0 for attention).
double recurrence_flops_per_token(const Mixer&);
/// Routed experts that at least one of `tokens` visits: E (1 − (1 − k/E)^tokens).
double distinct_experts(double experts, double per_token, double tokens);

/// Model flops of one token's forward pass at context position `past` (all matrices that it visits, attention, head): the F of MFU.
Flops forward_flops(const Operators&, double past, bool with_head);

}  // namespace gpuplan
