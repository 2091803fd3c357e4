/// What shapes alone tell of a model: widths, layers, experts; the size of a head only where a norm shows it.
#include <algorithm>
#include <map>

#include "core/dtype.hpp"
#include "core/model/architecture_json.hpp"
#include "core/model/files/file_model.hpp"
#include "core/model/files/tensor_role.hpp"
#include "core/model/huggingface/config_json.hpp"
#include "core/model/layer_runs.hpp"
#include "core/model/tensors.hpp"

namespace gpuplan {
namespace {

/// Shapes of one layer, by role.
struct Block {
  std::map<Role, std::vector<std::int64_t>> shapes;
  std::map<Role, std::int64_t> counts;
  std::int64_t q_norm = 0, norms = 0, latent_norm = 0;
  bool fused = false, bias = false, packed = false, tensors = false;

  std::int64_t rows(Role r) const { return at(r, 0); }
  std::int64_t columns(Role r) const { return at(r, 1); }

 private:
  std::int64_t at(Role r, std::size_t i) const {
    const auto it = shapes.find(r);
    return it == shapes.end() || it->second.size() < i + 1 ? 0 : it->second[it->second.size() - 2 + i];
  }
};

bool is_packed(const FileTensor& t) { return t.type == "I32" || t.type == "U8" || t.type == "F4"; }

struct Shapes {
  std::vector<Block> blocks;
  std::vector<std::int64_t> embedding;
  bool head = false;
  std::int64_t norms = 0;  ///< outside the layers
  double vision = 0.0;
  std::int64_t hidden() const { return embedding.size() == 2 ? embedding[1] : 0; }
};

void take(const FileTensor& t, Shapes& s) {
  const NamedTensor n = name_tensor(t.name);
  if (n.vision) s.vision += t.elements;
  if (n.layer >= 0 && n.layer < 2000 && !n.vision) {
    if (s.blocks.size() <= static_cast<std::size_t>(n.layer)) s.blocks.resize(static_cast<std::size_t>(n.layer) + 1);
    Block& block = s.blocks[static_cast<std::size_t>(n.layer)];
    block.tensors = true;
    block.packed = block.packed || (is_packed(t) && !n.side);
  }
  if (n.vision || n.side || is_packed(t)) return;
  if (n.role == Role::token_embedding && t.shape.size() == 2) s.embedding = t.shape;
  if (n.role == Role::lm_head && n.layer < 0) s.head = true;
  if (n.role == Role::norm && n.layer < 0 && t.elements == static_cast<double>(s.hidden())) ++s.norms;
  if (n.layer < 0 || n.layer >= 2000) return;
  Block& b = s.blocks[static_cast<std::size_t>(n.layer)];
  if (t.shape.size() >= 2) b.shapes[n.role] = t.shape;
  ++b.counts[n.role];
  b.fused = b.fused || n.fused_qkv;
  b.bias = b.bias || (n.role == Role::bias && t.name.find("q_proj") != std::string::npos);
  if (n.role == Role::norm && t.name.find("q_norm") != std::string::npos) b.q_norm = static_cast<std::int64_t>(std::min(t.elements, 1e8));
  if (n.role == Role::norm && t.name.find("kv_a_layernorm") != std::string::npos) b.latent_norm = static_cast<std::int64_t>(std::min(t.elements, 1e8));
  if (n.role == Role::norm && t.elements == static_cast<double>(s.hidden())) ++b.norms;
}

std::int64_t head_dim_of(const Block& b, std::int64_t query, std::int64_t key, Findings& findings) {
  if (b.q_norm > 0 && b.q_norm <= 512 && query % b.q_norm == 0) return b.q_norm;
  std::int64_t size = 128;
  while (size > 1 && (query % size != 0 || key % size != 0)) size /= 2;
  findings.assume("model-assumed", "Shapes do not show the size of an attention head; " + std::to_string(size) + " was taken. Give the config.json with the file to be sure.");
  return size;
}

/// Latent attention shows its sizes when keys without rotation are as long as values, as in every published model: o gives heads × v,
/// the queries heads × (v + rope), the norm of the latent its rank.
Mixer latent(const Block& b) {
  Mixer m;
  m.kind = MixerKind::none;
  const std::int64_t rank = b.latent_norm, rope = b.rows(Role::mla_kv_a) - rank, values = b.columns(Role::attn_o);
  const std::int64_t query = b.rows(Role::mla_q_b) > 0 ? b.rows(Role::mla_q_b) : b.rows(Role::attn_q);
  if (rank < 1 || rope < 1 || query <= values || (query - values) % rope != 0) return m;
  const std::int64_t heads = (query - values) / rope;
  if (heads < 1 || values % heads != 0 || b.rows(Role::mla_kv_b) != 2 * values) return m;
  m.kind = MixerKind::mla;
  m.heads = m.kv_heads = heads;
  m.mla.kv_rank = rank, m.mla.rope_dim = rope, m.mla.v_dim = m.mla.nope_dim = values / heads, m.mla.q_rank = b.rows(Role::mla_q_a);
  return m;
}

/// Query, key and value in one matrix: the output projection shows the queries' width, the rest is shared evenly by keys and values.
void split_fused(const Block& b, std::int64_t& query, std::int64_t& key) {
  const std::int64_t all = query, queries = b.columns(Role::attn_o);
  if (!b.fused || queries < 1 || all <= queries || (all - queries) % 2 != 0) return;
  query = queries, key = (all - queries) / 2;
}

Layer layer_of(const Block& b, Findings& findings) {
  Layer l;
  std::int64_t query = b.rows(Role::attn_q), key = b.rows(Role::attn_k);
  split_fused(b, query, key);
  l.mixer.kind = query > 0 && key > 0 ? MixerKind::full : MixerKind::none;
  l.mixer.fused_qkv = b.fused;
  if (b.rows(Role::mla_kv_a) > 0) l.mixer = latent(b);
  if (l.mixer.kind == MixerKind::full) {
    l.mixer.head_dim = l.mixer.v_head_dim = head_dim_of(b, query, key, findings);
    l.mixer.heads = query / l.mixer.head_dim;
    l.mixer.kv_heads = std::max<std::int64_t>(1, key / l.mixer.head_dim);
    if (b.q_norm > 0) l.mixer.qk_norm = b.q_norm == l.mixer.head_dim ? Mixer::QkNorm::per_head : Mixer::QkNorm::full;
    l.mixer.q_bias = l.mixer.k_bias = l.mixer.v_bias = b.bias;
  }
  l.mlp.kind = MlpKind::none;
  if (const std::int64_t up = b.rows(Role::mlp_up), down = b.columns(Role::mlp_down); up > 0) {
    const bool both = down > 0 && up == 2 * down;  // gate and up in one matrix
    l.mlp.kind = MlpKind::dense, l.mlp.intermediate = both ? down : up, l.mlp.gated = both || b.counts.count(Role::mlp_gate) > 0;
  }
  if (const auto up = b.counts.find(Role::expert_up); up != b.counts.end()) {
    l.mlp.kind = MlpKind::moe;
    const auto shape = b.shapes.find(Role::expert_up);
    const bool stacked = shape != b.shapes.end() && shape->second.size() == 3;
    l.mlp.experts = stacked ? shape->second[0] : up->second;
    l.mlp.expert_intermediate = b.rows(Role::expert_up);
    l.mlp.shared_intermediate = b.rows(Role::shared_up);
    l.mlp.experts_per_token = std::min<std::int64_t>(8, l.mlp.experts);
    findings.assume("model-assumed", "Shapes do not show how many experts a token visits; " + std::to_string(l.mlp.experts_per_token) + " were taken.");
  }
  l.norms = b.norms;
  return l;
}

/// What the architecture does not describe goes into extra_params, so that the count is that of the file.
void reconcile(const std::vector<FileHeader>& parts, Architecture& a) {
  double in_file = 0.0;
  for (const FileHeader& part : parts) {
    for (const FileTensor& t : part.tensors) in_file += is_packed(t) ? 0.0 : t.elements;
  }
  const double counted = count_parameters(a).total;
  if (in_file > counted && in_file - counted < 1e15) a.extra_params = static_cast<std::int64_t>(in_file - counted);
}

}  // namespace

Result<DescribedModel> model_of_safetensors(const std::vector<FileHeader>& parts, std::string_view pointer) {
  const std::string at(pointer);
  Shapes shapes;
  for (int pass = 0; pass < 2; ++pass) {  // the width is known after the first pass; norms are counted in the second
    shapes.blocks.clear();
    shapes.norms = 0;
    shapes.vision = 0.0;
    for (const FileHeader& part : parts) {
      for (const FileTensor& t : part.tensors) take(t, shapes);
    }
  }
  if (shapes.hidden() < 1 || shapes.blocks.empty()) {
    return Problem{at, ProblemCode::unsupported, "The safetensors header shows no embedding and no layers; give all parts of the model, or its config.json beside them.", {}};
  }
  DescribedModel out;
  Findings findings;
  Architecture& a = out.architecture;
  a.hidden = shapes.hidden(), a.vocab = shapes.embedding[0];
  a.tied = !shapes.head;
  a.extra_norms = shapes.norms;
  if (shapes.vision < 1e15) a.vision.params = static_cast<std::int64_t>(shapes.vision);
  std::vector<Layer> layers;
  std::int64_t silent = 0;
  for (const Block& b : shapes.blocks) {
    if (b.packed) return Problem{at, ProblemCode::unsupported, "The weights in this safetensors file are packed, so their shapes do not show the model; give its config.json beside it.", {}};
    layers.push_back(layer_of(b, findings));
    silent += layers.back().mixer.kind == MixerKind::none ? 1 : 0;
  }
  if (silent == static_cast<std::int64_t>(layers.size())) return Problem{at, ProblemCode::unsupported, "The safetensors header shows no attention that can be read from shapes; give the model's config.json beside it.", {}};
  if (silent > 0) findings.assume("model-assumed", std::to_string(silent) + " layers show no attention that can be read from shapes; what they keep of a sequence is not counted. Give the config.json with the file.");
  fold_layers(layers, a.kinds, a.order);
  if (a.hidden > largest_size || a.vocab > largest_size) return Problem{at, ProblemCode::out_of_range, "The safetensors header gives the embedding a shape that no model has.", {}};
  if (!check_architecture(a, pointer)) reconcile(parts, a);
  take_stored_types(parts, a);
  findings.assume("model-assumed", "The architecture was read from tensor shapes; context length and attention windows are not known.");
  if (auto unsound = check_architecture(a, pointer)) return Problem{at, ProblemCode::conflict, "The shapes in the safetensors header do not make a model that can be read: " + unsound->message, {}};
  out.weights = parse_weight_format(a.published_dtype);
  out.assumptions = std::move(findings.notes);
  return out;
}

}  // namespace gpuplan
