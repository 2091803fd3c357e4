/// Bytes of each role in each layer as quantization_config gives them: its packing, or 16 bits where a list leaves the module out.
#include <algorithm>
#include <map>

#include "core/model/architecture_json.hpp"
#include "core/model/huggingface/quant_scheme.hpp"

namespace gpuplan {
namespace {

/// Names of a role's module in checkpoints, below its layer.
std::vector<const char*> module_names(Role r) {
  switch (r) {
    case Role::attn_q: return {"self_attn.q_proj", "self_attn.qkv_proj", "attention.wqkv", "self_attention.query_key_value", "mixer.q_proj", "attn.wq"};
    case Role::attn_k: return {"self_attn.k_proj", "self_attn.qkv_proj", "attention.wqkv", "self_attention.query_key_value", "mixer.k_proj", "attn.wkv"};
    case Role::attn_v: return {"self_attn.v_proj", "self_attn.qkv_proj", "attention.wqkv", "self_attention.query_key_value", "mixer.v_proj"};
    case Role::attn_o: return {"self_attn.o_proj", "self_attn.out_proj", "attention.wo", "self_attention.dense", "mixer.o_proj", "attn.wo_a", "attn.wo_b"};
    case Role::mla_q_a: return {"self_attn.q_a_proj", "attn.wq_a"};
    case Role::mla_q_b: return {"self_attn.q_b_proj", "attn.wq_b"};
    case Role::mla_kv_a: return {"self_attn.kv_a_proj_with_mqa", "attn.wkv_a"};
    case Role::mla_kv_b: return {"self_attn.kv_b_proj", "attn.wkv_b"};
    case Role::mlp_gate: return {"mlp.gate_proj", "mlp.gate_up_proj", "feed_forward.gate_proj", "feed_forward.w1", "ffn.w1"};
    case Role::mlp_up: return {"mlp.up_proj", "mlp.gate_up_proj", "mlp.dense_h_to_4h", "mlp.c_fc", "mlp.fc1", "feed_forward.up_proj", "feed_forward.w3", "ffn.w3", "mixer.up_proj"};
    case Role::mlp_down: return {"mlp.down_proj", "mlp.dense_4h_to_h", "mlp.c_proj", "mlp.fc2", "feed_forward.down_proj", "feed_forward.w2", "ffn.w2", "mixer.down_proj"};
    case Role::expert_gate: return {"mlp.experts.0.gate_proj", "mlp.experts.gate_up_proj", "block_sparse_moe.experts.0.w1", "experts.0.gate_proj", "ffn.experts.0.w1", "feed_forward.experts.gate_up_proj"};
    case Role::expert_up: return {"mlp.experts.0.up_proj", "mlp.experts.gate_up_proj", "block_sparse_moe.experts.0.w3", "experts.0.up_proj", "ffn.experts.0.w3", "feed_forward.experts.gate_up_proj", "mixer.experts.0.up_proj"};
    case Role::expert_down: return {"mlp.experts.0.down_proj", "mlp.experts.down_proj", "block_sparse_moe.experts.0.w2", "experts.0.down_proj", "ffn.experts.0.w2", "feed_forward.experts.down_proj", "mixer.experts.0.down_proj"};
    case Role::shared_gate_proj: return {"mlp.shared_experts.gate_proj", "mlp.shared_expert.gate_proj", "block_sparse_moe.shared_experts.gate_proj", "ffn.shared_experts.w1", "feed_forward.shared_expert.gate_proj"};
    case Role::shared_up: return {"mlp.shared_experts.up_proj", "mlp.shared_expert.up_proj", "block_sparse_moe.shared_experts.up_proj", "ffn.shared_experts.w3", "feed_forward.shared_expert.up_proj", "mixer.shared_experts.up_proj"};
    case Role::shared_down: return {"mlp.shared_experts.down_proj", "mlp.shared_expert.down_proj", "block_sparse_moe.shared_experts.down_proj", "ffn.shared_experts.w2", "feed_forward.shared_expert.down_proj", "mixer.shared_experts.down_proj"};
    case Role::latent_proj: return {"mixer.fc1_latent_proj", "mlp.latent_proj"};
    case Role::ssm_in: return {"linear_attn.in_proj_qkvz", "linear_attn.in_proj_qkv", "mixer.in_proj", "mamba.in_proj", "conv.in_proj", "self_attn.q_proj"};
    case Role::ssm_out: return {"linear_attn.out_proj", "mixer.out_proj", "mamba.out_proj", "conv.out_proj", "self_attn.o_proj"};
    default: return {};
  }
}

/// `beside_dense`: experts of a layer that also has a dense part stand outside its "mlp".
bool names_role(const ModulePatterns& patterns, std::int64_t layer, Role role, bool beside_dense) {
  if (patterns.empty()) return false;
  if (layer < 0) return role == Role::lm_head && (patterns.names_outside("lm_head") || patterns.names_outside("head"));
  const std::vector<const char*> names = module_names(role);
  return std::any_of(names.begin(), names.end(), [&](const char* name) {
    const bool under_mlp = std::string_view(name).substr(0, 4) == "mlp.";
    return !(beside_dense && is_expert(role) && under_mlp) && patterns.names(layer, name);
  });
}

struct Sum {
  double elements = 0.0, bytes = 0.0, usual = 0.0;  ///< usual: bytes that the format alone would give
};

/// Walks every tensor at its place, sums bytes per role and layer, and elements per group.
class Walk {
 public:
  Walk(const Architecture& a, const QuantScheme& s) : a_(a), s_(s), list_(tensors(a)), elements_(s.groups.size(), 0.0) {}

  void run() {
    walk([this](const Tensor& t, std::int64_t layer) { add(t, layer); });
  }

  /// The format that stores most weights.
  std::string main_format() const {
    const auto most = std::max_element(elements_.begin(), elements_.end());
    return most == elements_.end() || *most <= 0.0 ? "" : s_.groups[static_cast<std::size_t>(most - elements_.begin())].format;
  }

  /// Runs of equal bytes per element; roles that the format itself stores the same way in every layer are left out.
  std::vector<StoredRun> runs(WeightFormat format) {
    format_ = format;
    run_usual();
    std::vector<StoredRun> out;
    for (auto it = sums_.begin(); it != sums_.end();) {
      auto end = it;
      while (end != sums_.end() && end->first.first == it->first.first) ++end;
      if (std::any_of(it, end, [](const auto& place) { return differs(place.second); })) {
        for (; it != end; ++it) append(out, it->first, it->second);
      }
      it = end;
    }
    return out;
  }

 private:
  using Place = std::pair<Role, std::int64_t>;

  template <class Each>
  void walk(const Each& each) {
    std::vector<std::vector<const Tensor*>> of_kind(a_.kinds.size() + 1);  // index 0: outside the layers
    for (const Tensor& t : list_) of_kind[static_cast<std::size_t>(t.layer_kind + 1)].push_back(&t);
    const auto visit = [&](int kind, std::int64_t layer) {
      for (const Tensor* t : of_kind[static_cast<std::size_t>(kind + 1)]) each(*t, layer);
    };
    visit(-1, -1);
    std::int64_t layer = 0;
    for (const auto* runs : {&a_.order, &a_.decoder_order}) {
      for (const LayerRun& run : *runs) {
        for (std::int64_t i = 0; i < run.count; ++i, ++layer) visit(run.kind, layer);
      }
    }
  }

  void run_usual() {
    const std::int64_t layers = a_.layer_count();
    walk([&](const Tensor& t, std::int64_t layer) { sums_[{t.role, layer}].usual += stored_bytes(a_, t, format_, layer, layers); });
  }

  void add(const Tensor& t, std::int64_t layer) {
    Sum& sum = sums_[{t.role, layer}];
    sum.elements += t.elements();
    sum.bytes += bytes_of(t, layer);
  }

  double bytes_of(const Tensor& t, std::int64_t layer) {
    if (t.role == Role::lm_head && s_.head_bits > 0.0 && s_.head_bits <= 32.0) return t.elements() * s_.head_bits / 8.0;
    const bool linear = is_linear(t.role) && t.matmul && (!s_.experts_only || !has_experts() || is_expert(t.role));
    const bool named_only = t.role == Role::lm_head && !s_.head;
    if (!(linear || t.role == Role::lm_head) || named(s_.kept, t, layer)) return plain(t);
    for (std::size_t g = 0; g < s_.groups.size(); ++g) {
      const bool everything = s_.groups[g].everything && !named_only;
      if (!everything && !named(s_.groups[g].modules, t, layer)) continue;
      elements_[g] += t.elements();
      return packed_bytes(t, s_.groups[g].packing);
    }
    return plain(t);
  }

  bool named(const ModulePatterns& patterns, const Tensor& t, std::int64_t layer) const {
    const bool beside_dense = t.layer_kind >= 0 && a_.kinds[static_cast<std::size_t>(t.layer_kind)].mlp.kind == MlpKind::dense_and_moe;
    return names_role(patterns, layer, t.role, beside_dense);
  }

  bool has_experts() const {
    return std::any_of(a_.kinds.begin(), a_.kinds.end(), [](const Layer& l) { return l.mlp.experts > 0; });
  }

  /// Prediction modules of FP8 checkpoints are packed like the layers; all else that no list of linear modules holds stays 16-bit.
  double plain(const Tensor& t) const {
    const bool packed_module = t.role == Role::mtp && !s_.groups.empty() && s_.groups.back().format == "fp8";
    return (packed_module ? 1.0 : 2.0) * t.elements();
  }

  static bool differs(const Sum& sum) {
    const double gap = sum.usual > sum.bytes ? sum.usual - sum.bytes : sum.bytes - sum.usual;
    return gap > 1e-9 * (1.0 + sum.bytes);
  }

  static void append(std::vector<StoredRun>& out, const Place& place, const Sum& sum) {
    if (sum.elements <= 0.0 || out.size() >= static_cast<std::size_t>(most_layers)) return;
    const double each = sum.bytes / sum.elements;
    StoredRun* last = out.empty() ? nullptr : &out.back();
    const bool goes_on = last && last->role == static_cast<int>(place.first) && last->first >= 0 && last->first + last->count == place.second && last->bytes_per_element == each;
    if (goes_on) ++last->count;
    else out.push_back({static_cast<int>(place.first), place.second, 1, each});
  }

  const Architecture& a_;
  const QuantScheme& s_;
  std::vector<Tensor> list_;
  std::vector<double> elements_;
  std::map<Place, Sum> sums_;
  WeightFormat format_ = WeightFormat::bf16;
};

}  // namespace

void read_storage(const Dialect& d, Architecture& a) {
  const auto outer = d.root.object({"quantization_config", "compression_config"});
  const auto q = outer ? outer : d.text.object({"quantization_config", "compression_config"});
  if (!q || !parse_weight_format(a.published_dtype)) return;
  const QuantScheme scheme = read_quant_scheme(d, *q, a.published_dtype);
  Walk walk(a, scheme);
  walk.run();
  const std::string main = walk.main_format();
  if (scheme.groups.size() > 1 && !main.empty()) a.published_dtype = main;
  std::vector<StoredRun> runs = walk.runs(*parse_weight_format(a.published_dtype));
  for (const StoredRun& run : runs) {
    if (!(run.bytes_per_element <= 16.0)) return;  // no packing is that wide: the configuration contradicts itself
  }
  a.stored = std::move(runs);
}

}  // namespace gpuplan
