/// What a layer remembers of a sequence: keys and values, a latent, or a state of constant size [M-kv].
#include "core/model/tensors.hpp"

namespace gpuplan {
namespace {

double product(std::int64_t a, std::int64_t b, std::int64_t c = 1) { return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c); }

/// Elements that one token adds to a layer with key/value heads.
double attention_elements(const Mixer& m) {
  const double key = product(m.kv_heads, m.head_dim);
  // One shared head that is key and value at once (DeepSeek-V4's latent) is stored once; k_equals_v of Gemma-4 still fills both caches.
  const bool single_latent = m.o_groups > 0;
  return single_latent ? key : key + product(m.kv_heads, m.v_head_dim);
}

CacheShape attention_cache(const Mixer& m) {
  CacheShape c;
  if (m.shares_kv) return c;
  c.kv_heads = m.o_groups > 0 ? 0 : m.kv_heads;
  const double elements = attention_elements(m);
  if (m.kind == MixerKind::cross) {
    c.state_elements = elements * static_cast<double>(m.window);
  } else if (m.compress_ratio > 0) {  // a window of whole tokens beside one compressed entry (and its index) per `compress_ratio` tokens
    c.state_elements = elements * static_cast<double>(m.window);
    c.elements_per_token = (elements + static_cast<double>(m.index_dim)) / static_cast<double>(m.compress_ratio);
  } else {
    c.elements_per_token = elements + static_cast<double>(m.index_dim);
    c.window = m.kind == MixerKind::full ? 0 : m.window;
  }
  return c;
}

CacheShape mla_cache(const Mixer& m) {
  CacheShape c;
  c.elements_per_token = static_cast<double>(m.mla.kv_rank + m.mla.rope_dim + m.index_dim);
  return c;
}

/// Elements of the matrix- or vector-valued state of a recurrent layer.
double recurrent_state(MixerKind kind, const Recurrent& r) {
  switch (kind) {
    case MixerKind::gated_delta:
    case MixerKind::kda:
    case MixerKind::lightning: return product(r.v_heads, r.k_dim, r.v_dim);
    case MixerKind::mamba1:
    case MixerKind::mamba2: return product(r.inner, r.state);
    case MixerKind::rwkv:
      if (r.head_dim == 1) return 5.0 * static_cast<double>(r.heads);  // RWKV-4: numerator, denominator, exponent and two token shifts
      return product(r.heads, r.head_dim, r.head_dim) + 2.0 * product(r.heads, r.head_dim);
    default: return 0.0;
  }
}

/// Channels that pass a causal convolution; each keeps its last (kernel − 1) inputs.
double convolved_channels(MixerKind kind, const Recurrent& r) {
  switch (kind) {
    case MixerKind::gated_delta:
    case MixerKind::kda: return 2.0 * product(r.k_heads, r.k_dim) + product(r.v_heads, r.v_dim);
    case MixerKind::mamba2: return static_cast<double>(r.inner) + 2.0 * product(r.groups, r.state);
    case MixerKind::mamba1:
    case MixerKind::short_conv: return static_cast<double>(r.inner);
    default: return 0.0;
  }
}

CacheShape state_cache(const Mixer& m) {
  const Recurrent& r = m.recurrent;
  CacheShape c;
  c.conv_elements = convolved_channels(m.kind, r) * static_cast<double>(r.conv > 0 ? r.conv - 1 : 0);
  c.state_elements = recurrent_state(m.kind, r) + c.conv_elements;
  c.state_fp32 = m.kind != MixerKind::short_conv;
  return c;
}

}  // namespace

CacheShape cache_shape(const Layer& layer) {
  const Mixer& m = layer.mixer;
  switch (m.kind) {
    case MixerKind::none: return {};
    case MixerKind::full:
    case MixerKind::sliding:
    case MixerKind::chunked:
    case MixerKind::cross: return attention_cache(m);
    case MixerKind::mla: return mla_cache(m);
    default: return state_cache(m);
  }
}

}  // namespace gpuplan
