/// Projections, convolutions and decays of the mixers that keep a state instead of a cache [M-params].
#include "core/model/mixer_tensors.hpp"

namespace gpuplan {
namespace {

/// Gated DeltaNet (arXiv:2412.06464) as in Qwen3-Next: q, k, v and output gate from one projection, decay and beta from another.
void add_gated_delta(TensorList& list, const Recurrent& r, std::int64_t hidden) {
  const std::int64_t key = r.k_heads * r.k_dim, value = r.v_heads * r.v_dim;
  list.matrix(Role::ssm_in, Split::column, 2 * key + 2 * value, hidden);
  list.matrix(Role::ssm_in, Split::column, 2 * r.v_heads, hidden);
  list.vector(Role::ssm_small, Split::column, (2 * key + value) * r.conv);
  list.vector(Role::ssm_small, Split::column, 2 * r.v_heads);
  list.vector(Role::norm, Split::replicated, r.v_dim);
  list.matrix(Role::ssm_out, Split::row, hidden, value);
}

/// Kimi Delta Attention (arXiv:2510.26692): a decay per channel through a low-rank pair, an output gate of low or full rank.
void add_kda(TensorList& list, const Recurrent& r, std::int64_t hidden) {
  const std::int64_t key = r.k_heads * r.k_dim, value = r.v_heads * r.v_dim;
  list.matrix(Role::ssm_in, Split::column, 2 * key + value, hidden);
  list.matrix(Role::ssm_in, Split::replicated, r.k_dim, hidden);
  list.matrix(Role::ssm_in, Split::column, key, r.k_dim);
  list.matrix(Role::ssm_in, Split::column, r.k_heads, hidden);
  if (r.full_gate) {
    list.matrix(Role::ssm_in, Split::column, value, hidden);
  } else {
    list.matrix(Role::ssm_in, Split::replicated, r.v_dim, hidden);
    list.matrix(Role::ssm_in, Split::column, value, r.v_dim);
  }
  list.vector(Role::ssm_small, Split::column, (2 * key + value) * r.conv);
  list.vector(Role::ssm_small, Split::column, r.k_heads + key);
  list.vector(Role::norm, Split::replicated, r.v_dim);
  list.matrix(Role::ssm_out, Split::row, hidden, value);
}

/// Lightning attention of MiniMax-Text-01 (arXiv:2501.08313): q, k, v, a full output gate and a norm over all heads.
void add_lightning(TensorList& list, const Recurrent& r, std::int64_t hidden) {
  const std::int64_t key = r.k_heads * r.k_dim, value = r.v_heads * r.v_dim;
  list.matrix(Role::ssm_in, Split::column, 2 * key + value, hidden);
  list.matrix(Role::ssm_in, Split::column, value, hidden);
  list.vector(Role::norm, Split::column, value);
  list.matrix(Role::ssm_out, Split::row, hidden, value);
}

/// Mamba (arXiv:2312.00752); Jamba adds norms on dt, B and C.
void add_mamba1(TensorList& list, const Recurrent& r, std::int64_t hidden) {
  list.matrix(Role::ssm_in, Split::column, 2 * r.inner, hidden);
  list.vector(Role::ssm_small, Split::column, r.inner * (r.conv + 1));
  list.matrix(Role::ssm_in, Split::row, r.dt_rank + 2 * r.state, r.inner);
  list.matrix(Role::ssm_in, Split::column, r.inner, r.dt_rank);
  list.vector(Role::ssm_small, Split::column, r.inner * (r.state + 2));
  if (r.inner_norms) list.vector(Role::norm, Split::replicated, r.dt_rank + 2 * r.state);
  list.matrix(Role::ssm_out, Split::row, hidden, r.inner);
}

/// Mamba-2 (arXiv:2405.21060): one projection for gate, input, B, C and dt; A, D and the dt bias are one value per head.
void add_mamba2(TensorList& list, const Recurrent& r, std::int64_t hidden) {
  const std::int64_t convolved = r.inner + 2 * r.groups * r.state;
  list.matrix(Role::ssm_in, Split::column, r.inner + convolved + r.heads, hidden);
  list.vector(Role::ssm_small, Split::column, convolved * (r.conv + 1));
  list.vector(Role::ssm_small, Split::column, 3 * r.heads);
  if (!r.no_norm) list.vector(Role::norm, Split::column, r.inner);
  list.matrix(Role::ssm_out, Split::row, hidden, r.inner);
}

/// RWKV time mixing (arXiv:2404.05892): receptance, key, value and gate; its decays and token shifts are extra_params of the mixer.
void add_rwkv(TensorList& list, const Recurrent& r, std::int64_t hidden) {
  const std::int64_t width = r.heads * r.head_dim;
  list.matrix(Role::ssm_in, Split::column, (r.full_gate ? 4 : 3) * width, hidden);
  list.matrix(Role::ssm_out, Split::row, hidden, width);
}

/// Gated short convolution of LFM2.
void add_short_conv(TensorList& list, const Recurrent& r, std::int64_t hidden) {
  list.matrix(Role::ssm_in, Split::column, 3 * hidden, hidden);
  list.vector(Role::ssm_small, Split::column, hidden * r.conv);
  list.matrix(Role::ssm_out, Split::row, hidden, hidden);
}

}  // namespace

void add_recurrent(TensorList& list, const Mixer& m, std::int64_t hidden) {
  switch (m.kind) {
    case MixerKind::gated_delta: return add_gated_delta(list, m.recurrent, hidden);
    case MixerKind::kda: return add_kda(list, m.recurrent, hidden);
    case MixerKind::lightning: return add_lightning(list, m.recurrent, hidden);
    case MixerKind::mamba1: return add_mamba1(list, m.recurrent, hidden);
    case MixerKind::mamba2: return add_mamba2(list, m.recurrent, hidden);
    case MixerKind::rwkv: return add_rwkv(list, m.recurrent, hidden);
    case MixerKind::short_conv: return add_short_conv(list, m.recurrent, hidden);
    default: return;
  }
}

}  // namespace gpuplan
