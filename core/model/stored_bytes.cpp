/// Bytes of a tensor as checkpoints of each format store it: values, scales and zero points [M-weights].
#include "core/counts.hpp"
#include "core/model/gguf_mix.hpp"
#include "core/model/packing.hpp"

namespace gpuplan {

Packing packing(WeightFormat f) {
  switch (f) {
    case WeightFormat::fp32: return {.bits = 32.0};
    case WeightFormat::fp8: return {.bits = 8.0, .group = 128, .group_rows = 128, .group_bytes = 4.0};
    case WeightFormat::int8: return {.bits = 8.0, .row_bytes = 4.0};
    case WeightFormat::int4: return {.bits = 4.0, .group = 128, .group_bytes = 2.0};
    case WeightFormat::awq: return {.bits = 4.0, .group = 128, .group_bytes = 2.5};
    case WeightFormat::gptq_4bit: return {.bits = 4.0, .group = 128, .group_bytes = 2.5, .column_bytes = 4.0};
    case WeightFormat::gptq_8bit: return {.bits = 8.0, .group = 128, .group_bytes = 3.0, .column_bytes = 4.0};
    case WeightFormat::nf4: return {.bits = 4.0, .group = 64, .group_bytes = 4.0};
    case WeightFormat::nf4_double: return {.bits = 4.0, .group = 64, .group_bytes = 1.0 + 4.0 / 256.0};
    case WeightFormat::mxfp4: return {.bits = 4.0, .group = 32, .group_bytes = 1.0};
    case WeightFormat::nvfp4: return {.bits = 4.0, .group = 16, .group_bytes = 1.0, .matrix_bytes = 8.0};
    default: return {};
  }
}

bool is_expert(Role r) { return r == Role::expert_gate || r == Role::expert_up || r == Role::expert_down; }

bool is_linear(Role r) {
  switch (r) {
    case Role::attn_q: case Role::attn_k: case Role::attn_v: case Role::attn_o:
    case Role::mla_q_a: case Role::mla_q_b: case Role::mla_kv_a: case Role::mla_kv_b:
    case Role::mlp_gate: case Role::mlp_up: case Role::mlp_down:
    case Role::shared_gate_proj: case Role::shared_up: case Role::shared_down: case Role::latent_proj:
    case Role::ssm_in: case Role::ssm_out: return true;
    default: return is_expert(r);
  }
}

double packed_bytes(const Tensor& t, const Packing& p) {
  const double rows = static_cast<double>(t.rows), columns = static_cast<double>(t.columns);
  const double groups = p.group == 0 ? 0.0 : static_cast<double>(ceil_div(t.columns, p.group)) * static_cast<double>(ceil_div(t.rows, p.group_rows));
  const double matrix = rows * columns * p.bits / 8.0 + groups * p.group_bytes + rows * p.row_bytes + columns * p.column_bytes + p.matrix_bytes;
  return matrix * static_cast<double>(t.copies);
}

namespace {

bool has_experts(const Architecture& a) {
  for (const Layer& l : a.kinds) {
    if (l.mlp.experts > 0) return true;
  }
  return false;
}

/// MXFP4 checkpoints of mixture-of-experts models quantise the experts alone.
bool is_packed(const Architecture& a, const Tensor& t, WeightFormat f) {
  if (f == WeightFormat::mxfp4 && has_experts(a)) return is_expert(t.role);
  return is_linear(t.role) && t.matmul;
}

/// What llama.cpp's converter keeps in fp32: everything that is not a matrix, and the routers.
bool stays_fp32_in_gguf(const Tensor& t) { return !t.matmul || t.role == Role::router || t.role == Role::shared_expert_gate; }

double gguf_bytes(const Architecture& a, const Tensor& t, WeightFormat f, std::int64_t layer, std::int64_t layer_count) {
  if (t.role == Role::vision || t.role == Role::audio) return 2.0 * t.elements();
  const MixPlace place = mix_place(a, t, layer, layer_count);
  if (t.role == Role::mtp) return ggml_bytes(mix_type(f, place, 256), t.elements() / 256.0, 256);
  if (t.role != Role::token_embedding && stays_fp32_in_gguf(t)) return 4.0 * t.elements();
  const double rows = static_cast<double>(t.rows) * static_cast<double>(t.copies);
  if (t.role != Role::mla_kv_b) return ggml_bytes(mix_type(f, place, t.columns), rows, t.columns);
  // Current files hold the two halves apart, the key half transposed: its rows are nope_dim long.
  const Mixer& m = a.kinds[static_cast<std::size_t>(t.layer_kind)].mixer;
  const double heads = static_cast<double>(m.heads);
  return ggml_bytes(mix_type(f, place, m.mla.nope_dim), heads * static_cast<double>(m.mla.kv_rank), m.mla.nope_dim) +
         ggml_bytes(mix_type(f, place, m.mla.kv_rank), heads * static_cast<double>(m.mla.v_dim), m.mla.kv_rank);
}

/// Bytes per element that the model's own file gives this tensor; negative when it does not say, or other weights are asked for.
double bytes_in_file(const Architecture& a, const Tensor& t, WeightFormat f, std::int64_t layer) {
  if (a.stored.empty() || a.published_dtype != name(f)) return -1.0;
  const std::int64_t at = t.layer_kind < 0 ? -1 : layer;
  for (const StoredRun& run : a.stored) {
    if (run.role == static_cast<int>(t.role) && at >= run.first && at < run.first + run.count) return run.bytes_per_element;
  }
  return -1.0;
}

}  // namespace

double stored_bytes(const Architecture& a, const Tensor& t, WeightFormat f, std::int64_t layer, std::int64_t layer_count) {
  if (const double exact = bytes_in_file(a, t, f, layer); exact >= 0.0) return t.elements() * exact;
  if (is_gguf(f)) return gguf_bytes(a, t, f, layer, layer_count);
  const Packing p = packing(f);
  if (!is_quantized(f)) return t.elements() * p.bits / 8.0;
  if (t.role == Role::mtp && f == WeightFormat::fp8) return t.elements();  // its projections are stored like those of the layers
  return is_packed(a, t, f) ? packed_bytes(t, p) : 2.0 * t.elements();
}

double checkpoint_bytes(const Architecture& a, WeightFormat f) {
  const std::vector<Tensor> list = tensors(a);
  std::vector<std::vector<const Tensor*>> of_kind(a.kinds.size());
  const std::int64_t layers = a.layer_count();
  double bytes = 0.0;
  for (const Tensor& t : list) {
    const bool own_file = t.role == Role::vision || t.role == Role::audio || t.role == Role::mtp;
    if (t.layer_kind >= 0) of_kind[static_cast<std::size_t>(t.layer_kind)].push_back(&t);
    else if (!(is_gguf(f) && own_file && bytes_in_file(a, t, f, -1) < 0.0)) bytes += stored_bytes(a, t, f, -1, layers);
  }
  std::int64_t layer = 0;
  for (const auto* runs : {&a.order, &a.decoder_order}) {
    for (const LayerRun& run : *runs) {
      for (std::int64_t i = 0; i < run.count; ++i, ++layer) {
        for (const Tensor* t : of_kind[static_cast<std::size_t>(run.kind)]) bytes += stored_bytes(a, *t, f, layer, layers);
      }
    }
  }
  return bytes;
}

}  // namespace gpuplan
