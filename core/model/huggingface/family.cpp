#include "core/model/huggingface/family.hpp"

namespace gpuplan {
namespace {

using N = NormKind;
using B = BiasRule;
using Q = Mixer::QkNorm;
using P = Positions;

// Facts of the model code of each family (transformers and the repositories of the models).
constexpr Family families[] = {
    {.model_types = "llama llama_nemotron_nas nemotron-nas nanbeige aquila yi Yi xverse LlamaForCausalLM DeciLMForCausalLM ministral3 voxtral ilama helium Skywork skywork solar"
                    " iquestloopcoder smolvlm_text youtu_llm telechat3", .name = "Llama"},
    {.model_types = "mistral ministral mixtral mistral3_text pixtral_text MistralForCausalLM", .name = "Mistral"},
    {.model_types = "internlm InternLMForCausalLM", .name = "InternLM"},
    {.model_types = "internlm2 internlm3", .name = "InternLM", .bias_key = B::all},
    {.model_types = "baichuan BaichuanForCausalLM", .name = "Baichuan"},
    {.model_types = "orion", .name = "Orion", .norm = N::layer, .norm_bias = true},
    {.model_types = "smollm3", .name = "SmolLM"},
    {.model_types = "seed_oss", .name = "Seed", .bias = B::qkv, .bias_key = B::qkv},
    {.model_types = "apertus", .name = "Apertus", .gated = false, .qk_norm = Q::per_head},
    {.model_types = "arcee", .name = "AFM", .gated = false},
    {.model_types = "bitnet", .name = "BitNet", .tied = true},
    {.model_types = "granite granitemoe granitemoeshared granitemoehybrid bamba", .name = "Granite"},
    {.model_types = "cohere", .name = "Cohere", .norm = N::layer, .norms = 1, .tied = true},
    {.model_types = "cohere2", .name = "Cohere", .norm = N::layer, .norms = 1, .tied = true},
    {.model_types = "olmo hf_olmo OLMoForCausalLM", .name = "OLMo", .norm = N::none, .tied = false},
    {.model_types = "olmo2 olmo3", .name = "OLMo", .qk_norm = Q::full},
    {.model_types = "olmoe", .name = "OLMo", .qk_norm = Q::full},
    {.model_types = "openelm", .name = "OpenELM", .qk_norm = Q::per_head, .tied = true},
    {.model_types = "gemma", .name = "Gemma", .tied = true},
    {.model_types = "gemma2", .name = "Gemma", .norms = 4, .tied = true},
    {.model_types = "gemma3_text gemma3 gemma3n gemma3n_text", .name = "Gemma", .norms = 4, .qk_norm = Q::per_head, .tied = true},
    {.model_types = "gemma4 gemma4_text", .name = "Gemma", .norms = 4, .qk_norm = Q::per_head, .tied = true},
    {.model_types = "qwen QWenLMHeadModel", .name = "Qwen", .bias = B::qkv, .bias_key = B::qkv, .fused_qkv = true},
    {.model_types = "qwen2 qwen2_vl qwen2_5_vl qwen2_vl_text qwen2_5_vl_text qwen2_5_omni_text Qwen2ForCausalLM mimo dots_ocr Dream", .name = "Qwen2", .bias = B::qkv, .bias_key = B::qkv},
    {.model_types = "molmo MolmoForCausalLM", .name = "Molmo", .bias = B::qkv, .bias_key = B::qkv, .fused_qkv = true},
    {.model_types = "nanochat", .name = "nanochat", .norm = N::none, .gated = false},
    {.model_types = "qwen2_moe", .name = "Qwen2", .bias = B::qkv, .bias_key = B::qkv, .shared_gate = true},
    {.model_types = "qwen3 qwen3_moe qwen3_vl_text qwen3_vl_moe_text qwen3_vl qwen3_vl_moe qwen3_omni_moe_text Qwen3ForCausalLM Qwen3MoeForCausalLM", .name = "Qwen3",
     .qk_norm = Q::per_head},
    {.model_types = "qwen3_next qwen3_5_moe qwen3_5_moe_text qwen3_5 qwen3_5_text", .name = "Qwen3.5", .qk_norm = Q::per_head, .shared_gate = true},
    {.model_types = "phi", .name = "Phi", .norm = N::layer, .norm_bias = true, .norms = 1, .gated = false, .bias = B::all, .mlp_bias = true, .lm_head_bias = true,
     .ffn_is_4h = true},
    {.model_types = "phi-msft", .name = "Phi", .norm = N::layer, .norm_bias = true, .norms = 1, .gated = false, .bias = B::all, .mlp_bias = true, .fused_qkv = true,
     .lm_head_bias = true, .ffn_is_4h = true},
    {.model_types = "phi3 phi3_v phi4mm phi4 Phi3ForCausalLM", .name = "Phi", .fused_qkv = true},
    {.model_types = "phi3small", .name = "Phi", .norm = N::layer, .norm_bias = true, .bias = B::all, .mlp_bias = true, .tied = true, .fused_qkv = true},
    {.model_types = "phimoe", .name = "Phi", .norm = N::layer, .norm_bias = true},
    {.model_types = "gpt2", .name = "GPT-2", .norm = N::layer, .norm_bias = true, .gated = false, .bias = B::all, .mlp_bias = true, .tied = true, .fused_qkv = true,
     .positions = P::learned, .ffn_is_4h = true},
    {.model_types = "jais", .name = "Jais", .norm = N::layer, .norm_bias = true, .bias = B::all, .mlp_bias = true, .tied = true, .fused_qkv = true, .positions = P::learned},
    {.model_types = "gpt_bigcode", .name = "StarCoder", .norm = N::layer, .norm_bias = true, .gated = false, .bias = B::all, .mlp_bias = true, .tied = true,
     .fused_qkv = true, .positions = P::learned, .ffn_is_4h = true},
    {.model_types = "gptj codegen", .name = "GPT-J", .norm = N::layer, .norm_bias = true, .norms = 1, .gated = false, .mlp_bias = true, .lm_head_bias = true,
     .ffn_is_4h = true},
    {.model_types = "gpt_neo", .name = "GPT-Neo", .norm = N::layer, .norm_bias = true, .gated = false, .mlp_bias = true, .tied = true, .positions = P::learned,
     .ffn_is_4h = true},
    {.model_types = "gpt_neox gpt_neox_japanese", .name = "GPT-NeoX", .norm = N::layer, .norm_bias = true, .gated = false, .bias = B::all, .mlp_bias = true,
     .fused_qkv = true, .ffn_is_4h = true},
    {.model_types = "starcoder2", .name = "StarCoder", .norm = N::layer, .norm_bias = true, .gated = false, .bias = B::all, .mlp_bias = true, .tied = true},
    {.model_types = "opt", .name = "OPT", .norm = N::layer, .norm_bias = true, .gated = false, .bias = B::all, .mlp_bias = true, .tied = true,
     .positions = P::learned_plus_2, .ffn_is_4h = true},
    {.model_types = "bloom", .name = "BLOOM", .norm = N::layer, .norm_bias = true, .extra_norms = 2, .gated = false, .bias = B::all, .mlp_bias = true, .tied = true,
     .fused_qkv = true, .ffn_is_4h = true},
    {.model_types = "falcon RefinedWeb RefinedWebModel", .name = "Falcon", .norm = N::layer, .norm_bias = true, .norms = 1, .gated = false, .tied = true,
     .fused_qkv = true, .ffn_is_4h = true},
    {.model_types = "mpt", .name = "MPT", .norm = N::layer, .gated = false, .bias = B::all, .mlp_bias = true, .tied = true, .fused_qkv = true, .ffn_is_4h = true},
    {.model_types = "dbrx", .name = "DBRX", .norm = N::layer, .fused_qkv = true},
    {.model_types = "grok-1 grok Grok1ModelForCausalLM", .name = "Grok", .norms = 4, .tied = true},
    {.model_types = "chatglm ChatGLMModel glm-4v", .name = "GLM", .fused_qkv = true},
    {.model_types = "chatglm-first", .name = "GLM", .norm = N::layer, .norm_bias = true, .gated = false, .bias = B::all, .mlp_bias = true, .tied = true, .fused_qkv = true},
    {.model_types = "glm", .name = "GLM", .bias_key = B::qkv},
    {.model_types = "glm4 glm4v_text", .name = "GLM", .norms = 4, .bias_key = B::qkv},
    {.model_types = "glm4_moe glm4v_moe_text", .name = "GLM", .bias_key = B::qkv, .router_bias = true},
    {.model_types = "glm_moe_dsa glm4_moe_lite", .name = "GLM", .router_bias = true},
    {.model_types = "codeshell", .name = "CodeShell", .norm = N::layer, .norm_bias = true, .gated = false, .bias = B::all, .mlp_bias = true, .fused_qkv = true},
    {.model_types = "stablelm stablelm_epoch", .name = "StableLM", .norm = N::layer, .norm_bias = true, .bias_key = B::qkv},
    {.model_types = "minicpm minicpm3 minicpmv minicpmo", .name = "MiniCPM", .tied = true},
    {.model_types = "persimmon", .name = "Persimmon", .norm = N::layer, .norm_bias = true, .gated = false, .bias = B::all, .mlp_bias = true, .qk_norm = Q::per_head,
     .fused_qkv = true},
    {.model_types = "nemotron", .name = "Nemotron", .norm = N::layer, .norm_bias = true, .gated = false},
    {.model_types = "nemotron_h", .name = "Nemotron", .norms = 1, .gated = false, .router_bias = true},
    {.model_types = "exaone", .name = "EXAONE", .tied = false},
    {.model_types = "exaone4", .name = "EXAONE", .qk_norm = Q::per_head},
    {.model_types = "exaone_moe", .name = "EXAONE", .qk_norm = Q::per_head, .router_bias = true},
    {.model_types = "solar_open", .name = "Solar", .router_bias = true},
    {.model_types = "afmoe", .name = "Trinity", .norms = 4, .qk_norm = Q::per_head, .router_bias = true},
    {.model_types = "longcat_flash LongcatFlashForCausalLM", .name = "LongCat", .router_bias = true},
    {.model_types = "arctic ArcticForCausalLM", .name = "Arctic"},
    {.model_types = "ernie4_5 paddleocr_vl", .name = "ERNIE", .tied = true},
    {.model_types = "ernie4_5_moe ernie4_5_moe_vl ernie4_5_vl", .name = "ERNIE", .tied = true, .router_bias = true},
    {.model_types = "hunyuan_v1_dense hunyuan_v1_moe hunyuan hunyuan_vl hunyuan_vl_text", .name = "Hunyuan", .qk_norm = Q::per_head},
    {.model_types = "dots1", .name = "dots", .qk_norm = Q::per_head, .router_bias = true},
    {.model_types = "deepseek", .name = "DeepSeek"},
    {.model_types = "deepseek_v2 deepseek_vl_v2 DeepseekV2ForCausalLM", .name = "DeepSeek"},
    {.model_types = "deepseek_v3 deepseek_v32 deepseek_v4 deepseek_ref DeepseekV3ForCausalLM DeepseekV32ForCausalLM DeepseekV4ForCausalLM", .name = "DeepSeek",
     .router_bias = true},
    {.model_types = "kimi_k2 kimi_k25 kimi_linear kimi_k3 KimiLinearForCausalLM", .name = "Kimi", .router_bias = true},
    {.model_types = "minimax minimax_m1 minimax_text_01 MiniMaxText01ForCausalLM MiniMaxM1ForCausalLM", .name = "MiniMax"},
    {.model_types = "minimax_m2 minimax_m3 minimax_m3_vl MiniMaxM2ForCausalLM MiniMaxM3ForCausalLM MiniMaxM3SparseForCausalLM", .name = "MiniMax", .router_bias = true},
    {.model_types = "mimo_v2_flash mimo_v2 MiMoV2FlashForCausalLM", .name = "MiMo", .router_bias = true},
    {.model_types = "step3_text step3p5 step3p7 step3_vl", .name = "Step", .qk_norm = Q::per_head, .router_bias = true},
    {.model_types = "bailing_moe bailing_moe_v2 bailing_moe_linear BailingMoeForCausalLM BailingMoeV2ForCausalLM", .name = "Ling"},
    {.model_types = "gpt_oss", .name = "gpt-oss", .bias = B::all, .router_bias = true, .expert_bias = true, .sinks = true},
    {.model_types = "llama4 llama4_text", .name = "Llama"},
    {.model_types = "mllama mllama_text_model", .name = "Llama"},
    {.model_types = "jamba", .name = "Jamba"},
    {.model_types = "falcon_h1", .name = "Falcon-H1"},
    {.model_types = "mamba falcon_mamba", .name = "Mamba", .norms = 1, .tied = true},
    {.model_types = "mamba2", .name = "Mamba", .norms = 1},
    {.model_types = "rwkv rwkv5 rwkv6 rwkv7", .name = "RWKV", .norm = N::layer, .norm_bias = true, .extra_norms = 2, .gated = false},
    {.model_types = "lfm2 lfm2_moe lfm2-vl", .name = "LFM2", .qk_norm = Q::per_head, .tied = true},
};

constexpr Family unknown_family = {.model_types = "", .name = ""};

/// Whether `word` is one of the words of `list`.
bool holds_word(std::string_view list, std::string_view word) {
  std::size_t at = 0;
  while (at < list.size()) {
    const std::size_t end = list.find(' ', at);
    const std::string_view one = list.substr(at, end == std::string_view::npos ? std::string_view::npos : end - at);
    if (one == word) return true;
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  return false;
}

}  // namespace

const Family* find_family(std::string_view model_type) {
  if (model_type.empty() || model_type.find(' ') != std::string_view::npos) return nullptr;
  for (const Family& f : families) {
    if (holds_word(f.model_types, model_type)) return &f;
  }
  return nullptr;
}

const Family& generic_family() { return unknown_family; }

}  // namespace gpuplan
