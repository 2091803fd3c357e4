#include "core/memory/cached_shape.hpp"

namespace gpuplan::memory {
namespace {

double d(std::int64_t n) { return static_cast<double>(n); }

/// Bytes of a token that an FP8 cache of sparse latent attention holds beside one per element: the rotary part stays in 16 bits, and each run of
/// 128 values of the latent and of the index has an fp32 scale (656 + 132 bytes in DeepSeek-V3.2: sglang pull 11309).
double sparse_latent_extra(const Mixer& m) {
  constexpr std::int64_t scaled = 128, scale_bytes = 4;
  return d(m.mla.rope_dim + (m.mla.kv_rank / scaled + m.index_dim / scaled) * scale_bytes);
}

}  // namespace

CacheShape cached_shape(const PreparedMemory& p, const Layer& layer, KvFormat format) {
  CacheShape shape = cache_shape(layer);
  const Mixer& m = layer.mixer;
  if (m.kind == MixerKind::mla && m.index_topk > 0 && format == KvFormat::fp8) shape.elements_per_token += sparse_latent_extra(m);
  if (m.kind != MixerKind::mla || p.trains || p.engine->latent_cache) return shape;
  shape.elements_per_token = d(m.heads * (m.mla.nope_dim + m.mla.rope_dim + m.mla.v_dim));
  shape.kv_heads = m.heads;
  return shape;
}

double state_bytes(const PreparedMemory& p, const CacheShape& shape) {
  if (!shape.state_fp32) return 2.0 * shape.state_elements;
  const double conv = !p.trains && p.engine->pool == Pool::upfront ? 4.0 : 2.0;
  return 4.0 * (shape.state_elements - shape.conv_elements) + conv * shape.conv_elements;
}

}  // namespace gpuplan::memory
