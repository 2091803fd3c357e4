#include "core/model/mixer_tensors.hpp"

namespace gpuplan {

void TensorList::add(Tensor t) {
  if (t.rows <= 0 || t.columns <= 0 || t.copies <= 0) return;
  t.layer_kind = layer_kind_;
  out_.push_back(t);
}

void TensorList::matrix(Role role, Split split, std::int64_t rows, std::int64_t columns, std::int64_t copies) {
  Tensor t;
  t.role = role, t.split = split, t.rows = rows, t.columns = columns, t.copies = copies, t.matmul = true;
  add(t);
}

void TensorList::kv_matrix(Role role, std::int64_t rows, std::int64_t columns, std::int64_t kv_heads) {
  Tensor t;
  t.role = role, t.split = Split::kv_heads, t.rows = rows, t.columns = columns, t.kv_heads = kv_heads, t.matmul = true;
  add(t);
}

void TensorList::vector(Role role, Split split, std::int64_t length, std::int64_t copies) {
  Tensor t;
  t.role = role, t.split = split, t.rows = length, t.copies = copies;
  add(t);
}

namespace {

/// Compressed attention (DeepSeek-V4): keys and their gates of several tokens fold into one entry; the small ratio overlaps its neighbours.
void add_compressor(TensorList& list, std::int64_t dim, std::int64_t ratio, std::int64_t hidden) {
  const std::int64_t width = dim * (ratio <= 4 ? 2 : 1);
  list.matrix(Role::index, Split::replicated, width, hidden, 2);
  list.vector(Role::other, Split::replicated, ratio * width);  // positions inside a group
  list.vector(Role::norm, Split::replicated, dim);
}

/// The sparse-attention indexer of DeepSeek-V3.2: its own queries, one shared key with a layer norm, a weight per head.
/// In compressed attention its keys come from a compressor of their own.
void add_index(TensorList& list, const Mixer& m, std::int64_t hidden) {
  if (m.index_heads == 0) return;
  const std::int64_t query_input = m.mla.q_rank > 0 ? m.mla.q_rank : hidden;
  list.matrix(Role::index, Split::replicated, m.index_heads * m.index_dim, query_input);
  list.matrix(Role::index, Split::replicated, m.index_heads, hidden);
  if (m.compress_ratio > 0) return add_compressor(list, m.index_dim, m.compress_ratio, hidden);
  list.matrix(Role::index, Split::replicated, m.index_dim, hidden);
  list.vector(Role::norm, Split::replicated, 2 * m.index_dim);
}

void add_mla(TensorList& list, const Mixer& m, std::int64_t hidden) {
  const Mla& a = m.mla;
  const std::int64_t query = m.heads * (a.nope_dim + a.rope_dim);
  if (a.q_rank > 0) {
    list.matrix(Role::mla_q_a, Split::replicated, a.q_rank, hidden);
    list.vector(Role::norm, Split::replicated, a.q_rank);
    list.matrix(Role::mla_q_b, Split::column, query, a.q_rank);
  } else {
    list.matrix(Role::attn_q, Split::column, query, hidden);
  }
  list.matrix(Role::mla_kv_a, Split::replicated, a.kv_rank + a.rope_dim, hidden);
  list.vector(Role::norm, Split::replicated, a.kv_rank);
  list.matrix(Role::mla_kv_b, Split::column, m.heads * (a.nope_dim + a.v_dim), a.kv_rank);
  if (a.output_gate) list.matrix(Role::attn_q, Split::column, m.heads * a.v_dim, hidden);
  list.matrix(Role::attn_o, Split::row, hidden, m.heads * a.v_dim);
}

void add_qk_norm(TensorList& list, const Mixer& m) {
  if (m.qk_norm == Mixer::QkNorm::none) return;
  const std::int64_t with_bias = m.qk_norm_bias ? 2 : 1;
  const bool full = m.qk_norm == Mixer::QkNorm::full;
  list.vector(Role::norm, full ? Split::column : Split::replicated, with_bias * m.head_dim * (full ? m.heads : 1));
  if (!m.shares_kv || m.spare_kv) list.vector(Role::norm, full ? Split::column : Split::replicated, with_bias * m.head_dim * (full ? m.kv_heads : 1));
}

void add_query(TensorList& list, const Mixer& m, std::int64_t hidden) {
  const std::int64_t query = m.heads * m.head_dim * (m.output_gate ? 2 : 1);
  if (m.mla.q_rank > 0) {  // DeepSeek-V4: low-rank queries over one shared key/value head
    list.matrix(Role::mla_q_a, Split::replicated, m.mla.q_rank, hidden);
    list.vector(Role::norm, Split::replicated, m.mla.q_rank);
    list.matrix(Role::mla_q_b, Split::column, query, m.mla.q_rank);
  } else {
    list.matrix(Role::attn_q, Split::column, query, hidden);
  }
  if (m.q_bias) list.vector(Role::bias, Split::column, query);
}

void add_output(TensorList& list, const Mixer& m, std::int64_t hidden) {
  const std::int64_t width = m.heads * m.v_head_dim;
  if (m.o_groups > 0 && m.o_rank > 0) {
    list.matrix(Role::attn_o, Split::column, m.o_groups * m.o_rank, width / m.o_groups);
    list.matrix(Role::attn_o, Split::row, hidden, m.o_groups * m.o_rank);
  } else {
    list.matrix(Role::attn_o, Split::row, hidden, width);
  }
  if (m.o_bias) list.vector(Role::bias, Split::replicated, hidden);
}

void add_attention(TensorList& list, const Mixer& m, std::int64_t hidden) {
  add_query(list, m, hidden);
  if (!m.shares_kv || m.spare_kv) {
    const std::int64_t key = m.kv_heads * m.head_dim, value = m.k_equals_v ? 0 : m.kv_heads * m.v_head_dim;
    list.kv_matrix(Role::attn_k, key, hidden, m.kv_heads);
    list.kv_matrix(Role::attn_v, value, hidden, m.kv_heads);
    if (m.k_bias) list.vector(Role::bias, Split::replicated, key);
    if (m.v_bias) list.vector(Role::bias, Split::replicated, value);
  }
  add_output(list, m, hidden);
  add_qk_norm(list, m);
  if (m.sinks) list.vector(Role::other, Split::column, m.heads);
}

}  // namespace

void add_mixer(TensorList& list, const Mixer& m, std::int64_t hidden) {
  switch (m.kind) {
    case MixerKind::none: break;
    case MixerKind::mla: add_mla(list, m, hidden); break;
    case MixerKind::full:
    case MixerKind::sliding:
    case MixerKind::chunked:
    case MixerKind::cross: add_attention(list, m, hidden); break;
    default: add_recurrent(list, m, hidden); break;
  }
  if (m.compress_ratio > 0) add_compressor(list, m.head_dim, m.compress_ratio, hidden);
  add_index(list, m, hidden);
  list.vector(Role::other, Split::replicated, m.extra_params);
}

}  // namespace gpuplan
