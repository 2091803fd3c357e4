/// The architecture behind a GGUF header: counts from its metadata, everything else from which tensors are there and their shapes.
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

using Tensors = std::map<std::string, const FileTensor*, std::less<>>;

/// Metadata of one architecture: "attention.head_count" stands for "llama.attention.head_count".
class Meta {
 public:
  Meta(const FileHeader& header, Findings& findings) : header_(header), findings_(findings) { arch_ = text("general.architecture"); }
  const std::string& arch() const { return arch_; }

  std::string text(std::string_view key) const {
    const MetaEntry* e = header_.find(key);
    return e && e->is_text ? e->text : "";
  }
  /// The number for a layer; a scalar holds for all. 0 when there is none.
  std::int64_t number(const std::string& key, std::int64_t layer = 0) const {
    const MetaEntry* e = header_.find(arch_ + "." + key);
    if (!e || e->numbers.empty()) return 0;
    const std::size_t at = e->numbers.size() == 1 ? 0 : static_cast<std::size_t>(layer);
    const double value = at < e->numbers.size() ? e->numbers[at] : 0.0;
    if (value < 0.0) return 0;
    if (value > static_cast<double>(largest_size)) {
      findings_.fail("", ProblemCode::out_of_range, arch_ + "." + key + " of the GGUF header is " + std::to_string(static_cast<std::int64_t>(std::min(value, 9e15))) + ", more than any model has.");
      return 0;
    }
    return static_cast<std::int64_t>(value);
  }
  bool has(const std::string& key) const { return header_.find(arch_ + "." + key) != nullptr; }
  const MetaEntry* entry(const std::string& key) const { return header_.find(arch_ + "." + key); }
  std::int64_t tokens() const {
    const MetaEntry* e = header_.find("tokenizer.ggml.tokens");
    return e && e->length <= static_cast<std::uint64_t>(largest_size) ? static_cast<std::int64_t>(e->length) : 0;
  }

 private:
  const FileHeader& header_;
  Findings& findings_;
  std::string arch_;
};

std::int64_t rows(const FileTensor& t) { return t.shape.size() < 2 ? 1 : t.shape[t.shape.size() - 2]; }
std::int64_t columns(const FileTensor& t) { return t.shape.empty() ? 1 : t.shape.back(); }

/// One block's tensors by the part of the name behind the block number.
struct BlockView {
  const Tensors& parts;
  const FileTensor* find(std::string_view part) const {
    const auto it = parts.find(part);
    return it == parts.end() ? nullptr : it->second;
  }
  bool has(std::string_view part) const { return find(part) != nullptr; }
};

bool is_windowed(const Meta& meta, std::int64_t layer) {
  if (meta.number("attention.sliding_window") == 0) return false;
  const std::string key = "attention.sliding_window_pattern";
  if (const MetaEntry* e = meta.entry(key); e && e->numbers.size() > 1) return meta.number(key, layer) != 0;
  if (const std::int64_t period = meta.number(key); period > 1) return (layer + 1) % period != 0;
  const std::string& a = meta.arch();
  if (a == "gemma2" || a == "gpt-oss" || a == "gpt_oss") return layer % 2 == 0;
  if (a == "gemma3" || a == "gemma4" || a == "gemma-embedding") return (layer + 1) % 6 != 0;
  if (a == "gemma3n") return (layer + 1) % 5 != 0;
  if (a == "cohere2" || a == "exaone4" || a == "olmo2" || a == "olmo3" || a == "afmoe") return (layer + 1) % 4 != 0;
  return a == "phi3" || a == "llama" || a == "mistral3" || a == "starcoder2";
}

Mixer latent(const Meta& meta, const BlockView& block, std::int64_t layer) {
  Mixer m;
  m.kind = MixerKind::mla;
  m.heads = m.kv_heads = meta.number("attention.head_count", layer);
  m.mla.kv_rank = meta.number("attention.kv_lora_rank");
  m.mla.q_rank = block.has("attn_q_a") ? meta.number("attention.q_lora_rank") : 0;
  m.mla.rope_dim = meta.number("rope.dimension_count");
  const std::int64_t key = meta.has("attention.key_length_mla") ? meta.number("attention.key_length_mla") : meta.number("attention.key_length");
  m.mla.nope_dim = key > m.mla.rope_dim ? key - m.mla.rope_dim : 0;
  m.mla.v_dim = meta.has("attention.value_length_mla") ? meta.number("attention.value_length_mla") : meta.number("attention.value_length");
  if (meta.has("attention.indexer.head_count")) {
    m.index_heads = meta.number("attention.indexer.head_count"), m.index_dim = meta.number("attention.indexer.key_length"), m.index_topk = meta.number("attention.indexer.top_k");
  }
  return m;
}

Mixer attention(const Meta& meta, const BlockView& block, std::int64_t layer, std::int64_t hidden) {
  Mixer m;
  m.heads = meta.number("attention.head_count", layer);
  m.kv_heads = meta.has("attention.head_count_kv") ? meta.number("attention.head_count_kv", layer) : m.heads;
  if (meta.arch() == "llama4" && (layer + 1) % 4 != 0) m.kind = MixerKind::chunked, m.window = meta.has("attention.chunk_size") ? meta.number("attention.chunk_size") : 8192;
  if (is_windowed(meta, layer)) m.kind = MixerKind::sliding, m.window = meta.number("attention.sliding_window");
  const bool own_size = m.kind == MixerKind::sliding && meta.has("attention.key_length_swa");
  m.head_dim = meta.number(own_size ? "attention.key_length_swa" : "attention.key_length");
  if (m.head_dim == 0 && m.heads > 0) m.head_dim = hidden / m.heads;
  m.v_head_dim = meta.number(own_size ? "attention.value_length_swa" : "attention.value_length");
  if (m.v_head_dim == 0) m.v_head_dim = m.head_dim;
  m.fused_qkv = block.has("attn_qkv");
  m.q_bias = block.has("attn_q.bias") || block.has("attn_qkv.bias");
  m.k_bias = block.has("attn_k.bias") || block.has("attn_qkv.bias");
  m.v_bias = block.has("attn_v.bias") || block.has("attn_qkv.bias");
  m.o_bias = block.has("attn_output.bias");
  m.sinks = block.has("attn_sinks");
  m.k_equals_v = !m.fused_qkv && block.has("attn_k") && !block.has("attn_v");
  m.shares_kv = !m.fused_qkv && !block.has("attn_k");
  if (const FileTensor* norm = block.find("attn_q_norm")) m.qk_norm = norm->elements > static_cast<double>(m.head_dim) ? Mixer::QkNorm::full : Mixer::QkNorm::per_head;
  if (const FileTensor* q = block.find("attn_q")) m.output_gate = rows(*q) == 2 * m.heads * m.head_dim;
  return m;
}

Mixer recurrent(const Meta& meta, const BlockView& block, std::int64_t hidden) {
  Mixer m;
  Recurrent& r = m.recurrent;
  r.conv = meta.number("ssm.conv_kernel");
  if (block.has("ssm_conv1d_q")) {
    m.kind = MixerKind::kda, r.k_heads = r.v_heads = meta.number("attention.head_count");
    r.k_dim = r.v_dim = meta.has("kda.head_dim") ? meta.number("kda.head_dim") : 128;
    r.full_gate = !block.has("ssm_g_a");
  } else if (block.has("shortconv.in_proj")) {
    m.kind = MixerKind::short_conv, r.inner = hidden, r.conv = meta.number("shortconv.l_cache");
  } else if (block.has("ssm_x")) {
    m.kind = MixerKind::mamba1, r.inner = meta.number("ssm.inner_size"), r.state = meta.number("ssm.state_size"), r.dt_rank = meta.number("ssm.time_step_rank");
    r.inner_norms = block.has("ssm_b_norm");
  } else if (meta.arch().rfind("qwen3", 0) == 0 || meta.arch().rfind("qwen35", 0) == 0) {
    m.kind = MixerKind::gated_delta;
    r.k_heads = meta.number("ssm.group_count"), r.v_heads = meta.number("ssm.time_step_rank"), r.k_dim = meta.number("ssm.state_size");
    r.v_dim = r.v_heads > 0 ? meta.number("ssm.inner_size") / r.v_heads : 0;
  } else {
    m.kind = MixerKind::mamba2, r.inner = meta.number("ssm.inner_size"), r.state = meta.number("ssm.state_size"), r.groups = meta.number("ssm.group_count");
    r.heads = meta.number("ssm.time_step_rank"), r.head_dim = r.heads > 0 ? r.inner / r.heads : 0;
    r.no_norm = !block.has("ssm_norm");
  }
  return m;
}

Mixer mixer_of(const Meta& meta, const BlockView& block, std::int64_t layer, std::int64_t hidden) {
  if (block.has("attn_kv_a_mqa")) return latent(meta, block, layer);
  if (block.has("ssm_conv1d") || block.has("ssm_conv1d_q") || block.has("shortconv.in_proj")) return recurrent(meta, block, hidden);
  if (block.has("attn_q") || (block.has("attn_qkv") && meta.number("attention.head_count", layer) > 0)) return attention(meta, block, layer, hidden);
  Mixer m;
  m.kind = MixerKind::none;
  if (block.has("time_mix_key")) {
    m.kind = MixerKind::rwkv;
    m.recurrent.head_dim = meta.has("wkv.head_size") ? meta.number("wkv.head_size") : 64;
    m.recurrent.heads = m.recurrent.head_dim > 0 ? hidden / m.recurrent.head_dim : 0;
    m.recurrent.full_gate = block.has("time_mix_gate");
  }
  return m;
}

Mlp mlp_of(const Meta& meta, const BlockView& block, std::int64_t layer) {
  Mlp m;
  m.kind = MlpKind::none;
  if (const FileTensor* up = block.find("ffn_up")) {
    m.kind = MlpKind::dense;
    m.intermediate = meta.number("feed_forward_length", layer);
    const bool fused = m.intermediate > 0 && rows(*up) == 2 * m.intermediate;
    if (!fused) m.intermediate = rows(*up);
    m.gated = fused || block.has("ffn_gate");
    m.bias = block.has("ffn_up.bias");
  }
  const FileTensor* down = block.find("ffn_down_exps");
  const bool single = block.has("ffn_down.0");
  if (!down && !single) return m;
  m.kind = m.kind == MlpKind::dense ? MlpKind::dense_and_moe : MlpKind::moe;
  m.experts = meta.number("expert_count");
  m.experts_per_token = meta.number("expert_used_count");
  m.expert_intermediate = down ? columns(*down) : columns(*block.find("ffn_down.0"));
  m.gated = block.has("ffn_gate_exps") || block.has("ffn_gate_up_exps") || single;
  m.router_bias = block.has("exp_probs_b.bias") || block.has("exp_probs_b") || block.has("ffn_gate_inp.bias");
  m.expert_bias = block.has("ffn_down_exps.bias");
  if (const FileTensor* shared = block.find("ffn_up_shexp")) m.shared_intermediate = rows(*shared);
  m.shared_gate = block.has("ffn_gate_inp_shexp");
  return m;
}

bool is_width_norm(std::string_view part, const FileTensor& t, std::int64_t hidden) {
  return part.find("norm") != std::string_view::npos && part.find(".bias") == std::string_view::npos && part.find("_q_") == std::string_view::npos &&
         part.find("_k_") == std::string_view::npos && part.find("kv_a") == std::string_view::npos && part.find("q_a") == std::string_view::npos && t.elements == static_cast<double>(hidden);
}

/// What our list of tensors does not describe of this block goes into extra_params, so that the count stays exact.
void reconcile(const Architecture& a, const Tensors& parts, Layer& layer) {
  if (check_layer(layer, "")) return;  // the whole architecture will be refused
  double in_file = 0.0;
  for (const auto& [part, tensor] : parts) {
    if (part.rfind("nextn", 0) != 0) in_file += tensor->elements;
  }
  Architecture one;
  one.hidden = a.hidden, one.norm = a.norm, one.norm_bias = a.norm_bias, one.tied = true, one.extra_norms = 0;
  one.kinds = {layer}, one.order = {{0, 1}};
  const double counted = count_parameters(one).total;
  if (in_file > counted && in_file - counted < 1e15) layer.extra_params = static_cast<std::int64_t>(in_file - counted);
}

struct Sorted {
  std::vector<Tensors> blocks;
  Tensors outside;
};

Sorted sort_tensors(const std::vector<FileHeader>& parts, std::int64_t layers) {
  Sorted out;
  out.blocks.resize(static_cast<std::size_t>(layers));
  for (const FileHeader& part : parts) {
    for (const FileTensor& t : part.tensors) {
      const NamedTensor n = name_tensor(t.name);
      const bool inside = n.layer >= 0 && n.layer < layers && t.name.rfind("blk.", 0) == 0;
      (inside ? out.blocks[static_cast<std::size_t>(n.layer)] : out.outside)[std::string(inside ? n.part : std::string_view(t.name))] = &t;
    }
  }
  return out;
}

Layer layer_of(const Meta& meta, const Architecture& a, const Tensors& parts, std::int64_t i) {
  const BlockView block{parts};
  Layer l;
  l.mixer = mixer_of(meta, block, i, a.hidden);
  l.mlp = mlp_of(meta, block, i);
  l.norms = 0;
  for (const auto& [part, tensor] : parts) l.norms += is_width_norm(part, *tensor, a.hidden) ? 1 : 0;
  reconcile(a, parts, l);
  return l;
}

/// A block that runs attention and a state-space mixer side by side (Falcon-H1) is two layers here, the second with the feed-forward part.
void add_block(const Meta& meta, const Architecture& a, const Tensors& parts, std::int64_t i, std::vector<Layer>& out) {
  const BlockView block{parts};
  if (!block.has("ssm_conv1d") || !block.has("attn_q")) return out.push_back(layer_of(meta, a, parts, i));
  Tensors state, rest;
  for (const auto& [part, tensor] : parts) (part.rfind("ssm_", 0) == 0 || part.rfind("attn_norm", 0) == 0 ? state : rest)[part] = tensor;
  out.push_back(layer_of(meta, a, state, i));
  out.push_back(layer_of(meta, a, rest, i));
}

bool remembers(const Layer& l) { return l.mixer.kind != MixerKind::none; }

void read_outside(const Tensors& outside, const Meta& meta, Architecture& a) {
  double in_file = 0.0;
  for (const auto& [name, tensor] : outside) in_file += tensor->elements;
  const auto embedding = outside.find("token_embd.weight");
  if (embedding != outside.end()) a.vocab = rows(*embedding->second);
  if (a.vocab == 0) a.vocab = meta.tokens();
  a.tied = outside.count("output.weight") == 0;
  a.lm_head_bias = outside.count("output.bias") > 0;
  if (const auto position = outside.find("position_embd.weight"); position != outside.end()) a.learned_positions = rows(*position->second);
  a.extra_norms = 0;
  for (const auto& [name, tensor] : outside) a.extra_norms += is_width_norm(name, *tensor, a.hidden) ? 1 : 0;
  Architecture ends = a;
  ends.kinds.clear(), ends.order.clear();
  const double counted = count_parameters(ends).total;
  if (in_file > counted && in_file - counted < 1e15) a.extra_params = static_cast<std::int64_t>(in_file - counted);
}

/// A block whose tensors lie in a part that is not here is taken to be like the one before it.
void fill_missing(Sorted& sorted, Findings& findings) {
  std::int64_t missing = 0;
  for (std::size_t i = 0; i < sorted.blocks.size(); ++i) {
    if (!sorted.blocks[i].empty() || i == 0) continue;
    sorted.blocks[i] = sorted.blocks[i - 1];
    ++missing;
  }
  if (missing > 0) findings.assume("model-parts-missing", std::to_string(missing) + " layers lie in parts of the file that were not given; they were taken to be like the layer before them.");
}

void take_mtp(const Meta& meta, std::vector<Layer>& layers, Architecture& a) {
  const std::int64_t modules = meta.number("nextn_predict_layers");
  if (modules < 1 || static_cast<std::size_t>(modules) >= layers.size()) return;
  a.mtp_layers = modules;
  for (std::int64_t i = 0; i < modules && !check_layer(layers.back(), ""); ++i) {
    Architecture one;
    one.hidden = a.hidden, one.norm = a.norm, one.tied = true, one.extra_norms = 0;
    one.kinds = {layers.back()}, one.order = {{0, 1}};
    a.mtp_params += static_cast<std::int64_t>(std::min(count_parameters(one).total, 1e14));
    layers.pop_back();
  }
}

/// The language model's parts, and the elements of a projector's file (mmproj) beside them.
std::pair<std::vector<FileHeader>, double> apart(const std::vector<FileHeader>& given) {
  std::pair<std::vector<FileHeader>, double> out;
  for (const FileHeader& h : given) {
    const MetaEntry* arch = h.find("general.architecture");
    if (arch && (arch->text == "clip" || arch->text == "mmproj")) out.second += h.elements();
    else out.first.push_back(h);
  }
  return out;
}

Problem bad(std::string_view pointer, ProblemCode code, const std::string& what) { return {std::string(pointer), code, "The GGUF header " + what, {}}; }

}  // namespace

Result<DescribedModel> model_of_gguf(const std::vector<FileHeader>& given, std::string_view pointer) {
  const auto [parts, projector] = apart(given);
  if (parts.empty()) return bad(pointer, ProblemCode::unsupported, "is that of a vision or audio projector (mmproj); give the file of the language model, with or without this one.");
  const auto first = std::find_if(parts.begin(), parts.end(), [](const FileHeader& h) { return h.find("general.architecture") != nullptr; });
  if (first == parts.end()) return bad(pointer, ProblemCode::missing_field, "has no general.architecture; give the first part of a split file.");
  Findings findings;
  const Meta meta(*first, findings);
  DescribedModel out;
  Architecture& a = out.architecture;
  a.id = a.name = meta.text("general.name").substr(0, 100);
  a.family = meta.arch() == "falcon" ? "Falcon" : meta.arch().substr(0, 60);
  a.hidden = meta.number("embedding_length");
  a.max_context = meta.number("context_length");
  const std::int64_t layers = meta.number("block_count");
  if (a.hidden < 1 || layers < 1 || layers > 2000) return bad(pointer, ProblemCode::missing_field, "must give " + meta.arch().substr(0, 60) + ".embedding_length and .block_count (1 to 2000).");
  if (meta.has("attention.layer_norm_epsilon") && !meta.has("attention.layer_norm_rms_epsilon")) a.norm = NormKind::layer;
  Sorted sorted = sort_tensors(parts, layers);
  a.norm_bias = a.norm == NormKind::layer && !sorted.blocks[0].empty() && sorted.blocks[0].count("attn_norm.bias") > 0;
  if (sorted.blocks[0].empty()) return bad(pointer, ProblemCode::missing_field, "describes no tensor blk.0; give all parts of a split file, the first one first.");
  fill_missing(sorted, findings);
  std::vector<Layer> list;
  for (std::int64_t i = 0; i < layers; ++i) add_block(meta, a, sorted.blocks[static_cast<std::size_t>(i)], i, list);
  if (std::none_of(list.begin(), list.end(), remembers)) {
    findings.assume("model-assumed", "The tensors of architecture \"" + meta.arch().substr(0, 60) + "\" show no attention and no state that is known here; what it keeps of a sequence is not counted.");
  }
  if (findings.problem) return Problem{std::string(pointer), findings.problem->code, findings.problem->message, {}};
  take_mtp(meta, list, a);
  fold_layers(list, a.kinds, a.order);
  read_outside(sorted.outside, meta, a);
  if (projector < 1e15) a.vision.params = static_cast<std::int64_t>(projector);
  take_stored_types(given, a);
  if (auto unsound = check_architecture(a, pointer)) return bad(pointer, ProblemCode::conflict, "contradicts itself: " + unsound->message);
  out.weights = parse_weight_format(a.published_dtype);
  out.assumptions = std::move(findings.notes);
  return out;
}

}  // namespace gpuplan
