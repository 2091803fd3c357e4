#include "core/model/tensors.hpp"

#include "core/model/mixer_tensors.hpp"

namespace gpuplan {
namespace {

std::int64_t norm_width(const Architecture& a) { return a.norm == NormKind::none ? 0 : a.hidden * (a.norm == NormKind::layer && a.norm_bias ? 2 : 1); }

void add_layer(const Architecture& a, int kind, std::vector<Tensor>& out) {
  const Layer& layer = a.kinds[static_cast<std::size_t>(kind)];
  TensorList list(out, kind);
  add_mixer(list, layer.mixer, a.hidden);
  add_mlp(list, layer.mlp, a.hidden);
  list.vector(Role::norm, Split::replicated, norm_width(a), layer.norms);
  list.vector(Role::other, Split::replicated, layer.extra_params);
}

/// The embedding table is looked up, so it is a matrix product only as the head of a tied model; then lm_head has no elements of its own.
void add_ends(const Architecture& a, TensorList& list, std::vector<Tensor>& out) {
  const std::int64_t width = a.embedding_dim > 0 ? a.embedding_dim : a.hidden;
  list.matrix(Role::token_embedding, Split::vocab, a.vocab, width);
  if (!out.empty() && out.back().role == Role::token_embedding) out.back().matmul = a.tied;
  if (a.embedding_dim > 0) {
    list.matrix(Role::other, Split::replicated, a.hidden, a.embedding_dim);
    list.matrix(Role::other, Split::replicated, a.embedding_dim, a.hidden);
  }
  list.vector(Role::position_embedding, Split::replicated, a.hidden, a.learned_positions + a.token_types);
  list.vector(Role::norm, Split::replicated, norm_width(a), a.extra_norms);
  if (!a.tied) list.matrix(Role::lm_head, Split::vocab, a.vocab, width);
  if (a.lm_head_bias) list.vector(Role::bias, Split::vocab, a.vocab);
}

}  // namespace

std::vector<Tensor> tensors(const Architecture& a) {
  std::vector<Tensor> out;
  for (std::size_t kind = 0; kind < a.kinds.size(); ++kind) add_layer(a, static_cast<int>(kind), out);
  TensorList outside(out, -1);
  add_ends(a, outside, out);
  outside.vector(Role::mtp, Split::column, a.mtp_params);
  outside.vector(Role::other, Split::replicated, a.extra_params);
  outside.vector(Role::vision, Split::replicated, a.vision.params);
  outside.vector(Role::audio, Split::replicated, a.audio.params);
  outside.vector(Role::other, Split::replicated, a.classic.params);
  return out;
}

std::vector<std::int64_t> layers_by_kind(const Architecture& a) {
  std::vector<std::int64_t> layers(a.kinds.size(), 0);
  for (const LayerRun& run : a.order) layers[static_cast<std::size_t>(run.kind)] += run.count;
  for (const LayerRun& run : a.decoder_order) layers[static_cast<std::size_t>(run.kind)] += run.count;
  return layers;
}

}  // namespace gpuplan
