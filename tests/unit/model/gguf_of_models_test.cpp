/// GGUF files of many architectures, written from the catalog's models as llama.cpp's converter names things, read back: parameters, cache and bytes.
#include <set>

#include "core/model/files/file_model.hpp"
#include "core/model/ggml_types.hpp"
#include "gguf_fixture.hpp"
#include "models_fixture.hpp"

using namespace gpuplan;

namespace {

using Sizes = std::vector<std::int64_t>;

class Converter {
 public:
  Converter(const Architecture& a, const char* arch) : a_(a), arch_(arch) {}

  /// One block per layer; `paired` puts two layers into each (Falcon-H1).
  GgufWriter& file(bool paired) {
    w_.text("general.architecture", arch_);
    w_.number("general.file_type", 7);
    std::vector<const Layer*> layers;
    for (const LayerRun& run : a_.order) layers.insert(layers.end(), static_cast<std::size_t>(run.count), &a_.kinds[static_cast<std::size_t>(run.kind)]);
    metadata(layers, paired ? 2 : 1);
    matrix("token_embd.weight", {a_.vocab, a_.hidden});
    if (!a_.tied) matrix("output.weight", {a_.vocab, a_.hidden});
    if (a_.lm_head_bias) vector("output.bias", a_.vocab);
    for (std::int64_t i = 0; i < a_.extra_norms; ++i) norm(i == 0 ? "output_norm" : "token_embd_norm");
    if (a_.learned_positions > 0) matrix("position_embd.weight", {a_.learned_positions, a_.hidden});
    for (std::size_t i = 0; i < layers.size(); ++i) block(*layers[i], "blk." + std::to_string(paired ? i / 2 : i) + ".", paired && i % 2 == 1);
    return w_;
  }

 private:
  void number(const std::string& key, std::int64_t value) { w_.number(std::string(arch_) + "." + key, static_cast<std::uint32_t>(value)); }

  void metadata(const std::vector<const Layer*>& layers, std::size_t per_block) {
    number("block_count", static_cast<std::int64_t>(layers.size() / per_block)), number("embedding_length", a_.hidden), number("context_length", a_.max_context);
    std::vector<std::uint32_t> heads, kv, ffn;
    const Layer* attends = layers[0];
    for (std::size_t i = per_block - 1; i < layers.size(); i += per_block) {
      const Layer* l = layers[i];
      heads.push_back(static_cast<std::uint32_t>(l->mixer.heads)), kv.push_back(static_cast<std::uint32_t>(l->mixer.kv_heads)), ffn.push_back(static_cast<std::uint32_t>(l->mlp.intermediate));
      if (l->mixer.heads > 0) attends = l;
      if (l->mixer.window > 0) number_once("attention.sliding_window", l->mixer.window);
      if (l->mlp.experts > 0) number_once("expert_count", l->mlp.experts), number_once("expert_used_count", l->mlp.experts_per_token);
    }
    w_.numbers(std::string(arch_) + ".attention.head_count", heads), w_.numbers(std::string(arch_) + ".attention.head_count_kv", kv), w_.numbers(std::string(arch_) + ".feed_forward_length", ffn);
    if (a_.norm == NormKind::layer) w_.real(std::string(arch_) + ".attention.layer_norm_epsilon", 1e-5F);
    if (attends->mixer.head_dim > 0) number("attention.key_length", attends->mixer.head_dim), number("attention.value_length", attends->mixer.v_head_dim);
    for (const Layer& l : a_.kinds) recurrent_metadata(l.mixer);
  }

  void recurrent_metadata(const Mixer& m) {
    const Recurrent& r = m.recurrent;
    if (m.kind == MixerKind::short_conv) number_once("shortconv.l_cache", r.conv);
    else if (r.conv > 0) number_once("ssm.conv_kernel", r.conv);
    if (m.kind == MixerKind::mamba1 || m.kind == MixerKind::mamba2) number_once("ssm.inner_size", r.inner), number_once("ssm.state_size", r.state);
    if (m.kind == MixerKind::mamba1) number_once("ssm.time_step_rank", r.dt_rank);
    if (m.kind == MixerKind::mamba2) number_once("ssm.time_step_rank", r.heads), number_once("ssm.group_count", r.groups);
    if (m.kind == MixerKind::gated_delta) number_once("ssm.time_step_rank", r.v_heads), number_once("ssm.group_count", r.k_heads), number_once("ssm.state_size", r.k_dim), number_once("ssm.inner_size", r.v_heads * r.v_dim);
  }

  void number_once(const std::string& key, std::int64_t value) {
    if (said_.insert(key).second) number(key, value);
  }

  void tensor(const std::string& name, const Sizes& shape, GgmlType type) {
    double rows = 1.0;
    for (std::size_t i = 0; i + 1 < shape.size(); ++i) rows *= static_cast<double>(shape[i]);
    const GgmlType fits = shape.back() % 32 == 0 ? type : type == GgmlType::f32 ? type : GgmlType::f16;
    w_.tensor(name, static_cast<std::uint32_t>(fits), std::vector<std::uint64_t>(shape.begin(), shape.end()), static_cast<std::uint64_t>(ggml_bytes(fits, rows, shape.back())));
  }
  void matrix(const std::string& name, const Sizes& shape) { tensor(name, shape, GgmlType::q8_0); }
  void vector(const std::string& name, std::int64_t length) { tensor(name, {length}, GgmlType::f32); }
  void norm(const std::string& name) {
    if (a_.norm == NormKind::none) return;
    vector(name + ".weight", a_.hidden);
    if (a_.norm_bias) vector(name + ".bias", a_.hidden);
  }

  void block(const Layer& l, const std::string& b, bool second) {
    constexpr const char* names[] = {"attn_norm", "ffn_norm", "post_attention_norm", "post_ffw_norm", "pre_ffw_norm_2", "post_ffw_norm_1", "post_ffw_norm_2"};
    for (std::int64_t i = 0; i < l.norms; ++i) norm(b + names[i + (second ? 1 : 0)]);
    mixer(l.mixer, b), mlp(l.mlp, b);
    if (l.extra_params > 0) vector(b + "layer_extras.weight", l.extra_params);
  }

  void mixer(const Mixer& m, const std::string& b) {
    if (m.kind == MixerKind::full || m.kind == MixerKind::sliding || m.kind == MixerKind::chunked) attention(m, b);
    else if (m.kind != MixerKind::none) recurrent(m, b);
    if (m.extra_params > 0) vector(b + "mixer_extras.weight", m.extra_params);
  }

  void attention(const Mixer& m, const std::string& b) {
    const std::int64_t q = m.heads * m.head_dim * (m.output_gate ? 2 : 1), k = m.kv_heads * m.head_dim, v = m.k_equals_v ? 0 : m.kv_heads * m.v_head_dim, h = a_.hidden;
    if (m.fused_qkv) {
      matrix(b + "attn_qkv.weight", {q + k + v, h});
      if (m.q_bias) vector(b + "attn_qkv.bias", q + k + v);
    } else {
      matrix(b + "attn_q.weight", {q, h}), matrix(b + "attn_k.weight", {k, h});
      if (v > 0) matrix(b + "attn_v.weight", {v, h});
      if (m.q_bias) vector(b + "attn_q.bias", q), vector(b + "attn_k.bias", k), vector(b + "attn_v.bias", v);
    }
    matrix(b + "attn_output.weight", {h, m.heads * m.v_head_dim});
    if (m.o_bias) vector(b + "attn_output.bias", h);
    const bool full = m.qk_norm == Mixer::QkNorm::full;
    if (m.qk_norm != Mixer::QkNorm::none) vector(b + "attn_q_norm.weight", m.head_dim * (full ? m.heads : 1)), vector(b + "attn_k_norm.weight", m.head_dim * (full ? m.kv_heads : 1));
    if (m.sinks) vector(b + "attn_sinks.weight", m.heads);
  }

  void recurrent(const Mixer& m, const std::string& b) {
    const Recurrent& r = m.recurrent;
    const std::int64_t h = a_.hidden, key = r.k_heads * r.k_dim, value = r.v_heads * r.v_dim, convolved = r.inner + 2 * r.groups * r.state;
    switch (m.kind) {
      case MixerKind::gated_delta:
        matrix(b + "attn_qkv.weight", {2 * key + value, h}), matrix(b + "attn_gate.weight", {value, h}), matrix(b + "ssm_ba.weight", {2 * r.v_heads, h});
        tensor(b + "ssm_conv1d.weight", {2 * key + value, r.conv}, GgmlType::f32), vector(b + "ssm_dt.bias", r.v_heads), vector(b + "ssm_a", r.v_heads), vector(b + "ssm_norm.weight", r.v_dim);
        return matrix(b + "ssm_out.weight", {h, value});
      case MixerKind::mamba1:
        matrix(b + "ssm_in.weight", {2 * r.inner, h}), tensor(b + "ssm_conv1d.weight", {r.inner, r.conv}, GgmlType::f32), vector(b + "ssm_conv1d.bias", r.inner);
        matrix(b + "ssm_x.weight", {r.dt_rank + 2 * r.state, r.inner}), matrix(b + "ssm_dt.weight", {r.inner, r.dt_rank}), vector(b + "ssm_dt.bias", r.inner);
        tensor(b + "ssm_a", {r.inner, r.state}, GgmlType::f32), vector(b + "ssm_d", r.inner);
        if (r.inner_norms) vector(b + "ssm_dt_norm.weight", r.dt_rank), vector(b + "ssm_b_norm.weight", r.state), vector(b + "ssm_c_norm.weight", r.state);
        return matrix(b + "ssm_out.weight", {h, r.inner});
      case MixerKind::mamba2:
        matrix(b + "ssm_in.weight", {r.inner + convolved + r.heads, h}), tensor(b + "ssm_conv1d.weight", {convolved, r.conv}, GgmlType::f32), vector(b + "ssm_conv1d.bias", convolved);
        vector(b + "ssm_dt.bias", r.heads), vector(b + "ssm_a", r.heads), vector(b + "ssm_d", r.heads);
        if (!r.no_norm) vector(b + "ssm_norm.weight", r.inner);
        return matrix(b + "ssm_out.weight", {h, r.inner});
      default:
        matrix(b + "shortconv.in_proj.weight", {3 * h, h}), tensor(b + "shortconv.conv.weight", {h, r.conv}, GgmlType::f32);
        return matrix(b + "shortconv.out_proj.weight", {h, h});
    }
  }

  void network(const std::string& b, const std::string& tail, bool gated, const Sizes& lead, std::int64_t width) {
    const auto with = [&](std::int64_t rows, std::int64_t columns) {
      Sizes shape = lead;
      shape.push_back(rows), shape.push_back(columns);
      return shape;
    };
    if (gated) matrix(b + "ffn_gate" + tail + ".weight", with(width, a_.hidden));
    matrix(b + "ffn_up" + tail + ".weight", with(width, a_.hidden)), matrix(b + "ffn_down" + tail + ".weight", with(a_.hidden, width));
  }

  void mlp(const Mlp& m, const std::string& b) {
    if (m.intermediate > 0 && (m.kind == MlpKind::dense || m.kind == MlpKind::dense_and_moe)) {
      network(b, "", m.gated, {}, m.intermediate);
      if (m.bias) vector(b + "ffn_up.bias", m.intermediate), vector(b + "ffn_down.bias", a_.hidden);
    }
    if (m.experts == 0) return;
    tensor(b + "ffn_gate_inp.weight", {m.experts, a_.hidden}, GgmlType::f32);
    if (m.router_bias) vector(b + "exp_probs_b.bias", m.experts);
    network(b, "_exps", m.gated, {m.experts}, m.expert_intermediate);
    if (m.shared_intermediate > 0) network(b, "_shexp", m.gated, {}, m.shared_intermediate);
    if (m.shared_gate) tensor(b + "ffn_gate_inp_shexp.weight", {1, a_.hidden}, GgmlType::f32);
  }

  const Architecture& a_;
  const char* arch_;
  GgufWriter w_;
  std::set<std::string> said_;
};

struct Kept {
  double growing = 0.0, windowed = 0.0, state = 0.0;
};

Kept kept(const Architecture& a) {
  Kept k;
  for (const LayerRun& run : a.order) {
    const CacheShape c = cache_shape(a.kinds[static_cast<std::size_t>(run.kind)]);
    (c.window > 0 ? k.windowed : k.growing) += c.elements_per_token * static_cast<double>(run.count);
    k.state += c.state_elements * static_cast<double>(run.count);
  }
  return k;
}

struct Case {
  const char *model, *arch;
  bool paired = false;
};

constexpr Case cases[] = {{"meta-llama/Llama-3.1-8B", "llama"},
                          {"Qwen/Qwen2.5-7B", "qwen2"},
                          {"Qwen/Qwen3-8B", "qwen3"},
                          {"Qwen/Qwen3-30B-A3B", "qwen3moe"},
                          {"Qwen/Qwen3-Next-80B-A3B-Instruct", "qwen3next"},
                          {"mistralai/Mixtral-8x7B-v0.1", "llama"},
                          {"google/gemma-2-9b", "gemma2"},
                          {"google/gemma-3-27b-it", "gemma3"},
                          {"CohereLabs/c4ai-command-r7b-12-2024", "cohere2"},
                          {"allenai/OLMo-2-1124-7B", "olmo2"},
                          {"allenai/Olmo-3-7B-Think", "olmo2"},
                          {"LGAI-EXAONE/EXAONE-4.0-32B", "exaone4"},
                          {"microsoft/phi-2", "phi2"},
                          {"openai-community/gpt2", "gpt2"},
                          {"bigscience/bloom-7b1", "bloom"},
                          {"bigcode/starcoder", "starcoder"},
                          {"tiiuae/falcon-7b", "falcon"},
                          {"stabilityai/stablelm-3b-4e1t", "stablelm"},
                          {"swiss-ai/Apertus-8B-2509", "apertus"},
                          {"baidu/ERNIE-4.5-21B-A3B-PT", "ernie4_5-moe"},
                          {"rednote-hilab/dots.llm1.inst", "dots1"},
                          {"inclusionAI/Ling-mini-2.0", "bailingmoe2"},
                          {"zai-org/GLM-4.5-Air", "glm4moe"},
                          {"MiniMaxAI/MiniMax-M2.5", "minimax-m2"},
                          {"ai21labs/Jamba-v0.1", "jamba"},
                          {"mistralai/Mamba-Codestral-7B-v0.1", "mamba2"},
                          {"ibm-granite/granite-4.0-h-tiny", "granitehybrid"},
                          {"nvidia/NVIDIA-Nemotron-Nano-9B-v2", "nemotron_h"},
                          {"LiquidAI/LFM2-1.2B", "lfm2"},
                          {"LiquidAI/LFM2-8B-A1B", "lfm2moe"},
                          {"tiiuae/Falcon-H1-7B-Base", "falcon-h1", true}};

}  // namespace

TEST_CASE("GGUF files of each architecture read back to the model: parameters, cache, state and bytes") {
  for (const Case& c : cases) {
    INFO(c.model << " as " << c.arch);
    const Architecture& expected = model(c.model);
    Converter converter(expected, c.arch);
    GgufWriter& w = converter.file(c.paired);
    const auto header = read_gguf_header(w.header(), w.file_bytes());
    REQUIRE(header);
    REQUIRE(header->header);
    const auto read = model_of_gguf({*header->header}, "");
    if (!read) FAIL(read.problem().message);
    const Architecture& a = read->architecture;
    CHECK(count_parameters(a).text == count_parameters(expected).text);
    CHECK(count_parameters(a).active == count_parameters(expected).active);
    CHECK(kept(a).growing == kept(expected).growing);
    CHECK(kept(a).windowed == kept(expected).windowed);
    CHECK(kept(a).state == kept(expected).state);
    CHECK(checkpoint_bytes(a, WeightFormat::q8_0) == Approx(header->header->bytes()).epsilon(1e-12));
    CHECK(read->assumptions.empty());
  }
}
