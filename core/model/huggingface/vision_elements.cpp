/// Vision towers counted family by family, from the model code of each (transformers and the repositories of the models).
#include "core/model/huggingface/towers.hpp"

namespace gpuplan {
namespace {

double squared(double x) { return x * x; }
bool starts(const std::string& text, std::string_view with) { return text.compare(0, with.size(), with) == 0; }
double count_of(const ConfigView& v, Names names, double otherwise) { return static_cast<double>(v.count(names).value_or(static_cast<std::int64_t>(otherwise))); }

constexpr TowerStyle bare = {.gated = true, .linear_bias = false, .qkv_bias = false, .norm_bias = false};

/// Plain blocks, a patch embedding with a bias, learned positions and a last norm: SigLIP without its projector.
double siglip_trunk(const Vision& v) { return v.layers() * tower_block(v.h(), v.f(), {}) + v.patch_inputs(1) * v.h() + v.h() + v.patches() * v.h() + 2.0 * v.h(); }

/// CLIP: a class token, no bias in the patch embedding, norms before and after.
double clip_trunk(const Vision& v) { return v.layers() * tower_block(v.h(), v.f(), {}) + v.patch_inputs(1) * v.h() + v.h() + (v.patches() + 1.0) * v.h() + 4.0 * v.h(); }

/// Qwen2-VL: a merger of 2 × 2 patches behind plain blocks; 2.5 has gated blocks with RMS norms.
double qwen2_vl(const Vision& v, bool gated) {
  const TowerStyle style{.gated = gated, .norm_bias = !gated};
  return v.layers() * tower_block(v.h(), v.f(), style) + v.patch_inputs(2) * v.h() + v.h() * (gated ? 1.0 : 2.0) + two_layers(v.merged(), v.merged(), v.text);
}

/// Qwen3-VL and Qwen3.5: learned positions, a merger with its norm, and one more merger per deep-stack level.
double qwen3_vl(const Vision& v) {
  const double positions = count_of(v.view, {"num_position_embeddings"}, 2304);
  const double levels = static_cast<double>(v.view.entries("deepstack_visual_indexes"));
  const double merger = two_layers(v.merged(), v.merged(), v.text);
  return v.layers() * tower_block(v.h(), v.f(), {}) + v.patch_inputs(2) * v.h() + v.h() + positions * v.h() + merger + 2.0 * v.h() + levels * (merger + 2.0 * v.merged());
}

/// GLM-4.1V and later: gated blocks as wide inside as the output, a convolution that halves the grid, a gated merger.
double glm4v(const Vision& v) {
  const double out = count_of(v.view, {"out_hidden_size"}, v.text);
  const double merger = squared(out) + 2.0 * out + 3.0 * out * v.f();
  return v.layers() * tower_block(v.h(), out, bare) + v.patch_inputs(2) * v.h() + v.h() + v.patches() * v.h() + 2.0 * v.h() + v.merged() * out + out + merger;
}

/// ERNIE-4.5-VL: plain blocks, a resampler over 2 × 2 patches and 2 frames, and experts of their own for image tokens in the language model.
double ernie_vl(const Vision& v) {
  const double spatial = v.merged(), frames = count_of(v.root, {"temporal_conv_size"}, 2);
  const double resampler = two_layers(spatial, spatial, spatial) + two_layers(spatial * frames, spatial, spatial) + 4.0 * spatial + spatial * v.text + 2.0 * v.text;
  const auto widths = v.root.integers({"moe_intermediate_size"});
  const auto numbers = v.root.integers({"moe_num_experts"});
  double experts = 0.0;
  if (widths && numbers && widths->size() > 1 && numbers->size() > 1) {
    const auto starts_at = v.root.integers({"moe_layer_start_index"}), ends_at = v.root.integers({"moe_layer_end_index"});
    const double last = count_of(v.root, {"num_hidden_layers"}, 1) - 1.0;
    const double from = starts_at && starts_at->size() > 1 ? static_cast<double>((*starts_at)[1]) : 0.0;
    const double to = ends_at && ends_at->size() > 1 && static_cast<double>((*ends_at)[1]) < last ? static_cast<double>((*ends_at)[1]) : last;
    const double each = 3.0 * static_cast<double>((*widths)[1]) * v.text + v.text + 1.0;
    experts = to >= from ? (to - from + 1.0) * static_cast<double>((*numbers)[1]) * each : 0.0;
  }
  return v.layers() * tower_block(v.h(), v.f(), {}) + v.patch_inputs(1) * v.h() + 2.0 * v.h() + resampler + experts;
}

/// Gemma-3: SigLIP, one projection without bias and a norm in front of it.
double gemma3(const Vision& v) { return siglip_trunk(v) + v.h() * v.text + v.h(); }

/// Gemma-4: gated blocks with four norms and norms on query and key, a table of positions per axis, one projection.
double gemma4(const Vision& v) {
  const double head = v.tower.heads > 0 ? v.h() / static_cast<double>(v.tower.heads) : 0.0;
  const double clipping = v.view.flag({"use_clipped_linears"}).value_or(false) ? 7.0 * 4.0 : 0.0;  // four bounds per projection
  const double block = tower_block(v.h(), v.f(), bare) + 2.0 * v.h() + 2.0 * head + clipping;
  const double standard = v.view.flag({"standardize"}).value_or(false) ? 2.0 * v.h() : 0.0;
  return v.layers() * block + v.patch_inputs(1) * v.h() + 2.0 * count_of(v.view, {"position_embedding_size"}, 10240) * v.h() + standard + v.h() * v.text;
}

/// Llama-4: pixel shuffle into two layers without bias, then one projection.
double llama4(const Vision& v) {
  const double adapter = count_of(v.view, {"projector_output_dim"}, 4096), projected = count_of(v.view, {"projector_input_dim"}, 4096);
  return clip_trunk(v) + 4.0 * v.h() * projected + projected * adapter + adapter * v.text;
}

/// MoonViT of Kimi: positions on a grid, a norm and two layers over 2 × 2 patches.
double moonvit(const Vision& v) {
  const double grid = count_of(v.view, {"init_pos_emb_height"}, 64) * count_of(v.view, {"init_pos_emb_width"}, 64);
  return v.layers() * tower_block(v.h(), v.f(), {}) + v.patch_inputs(1) * v.h() + v.h() + grid * v.h() + 4.0 * v.h() + two_layers(v.merged(), v.merged(), v.text);
}

/// Kimi-K3's MoonViT: narrow attention, no biases, RMS norms, a projector of two matrices and a norm behind it.
double moonvit3(const Vision& v) {
  const double grid = count_of(v.view, {"init_pos_emb_height"}, 64) * count_of(v.view, {"init_pos_emb_width"}, 64), inner = count_of(v.view, {"qkv_hidden_size"}, v.h());
  const double block = 4.0 * v.h() * inner + 2.0 * v.h() * v.f() + 2.0 * v.h();
  return v.layers() * block + v.patch_inputs(1) * v.h() + grid * v.h() + v.h() + squared(v.merged()) + v.merged() * v.text + v.text;
}

/// MiniMax-M3: CLIP's blocks on patches of two frames without positions, a projector, and a second one that merges 2 × 2 tokens.
double minimax_m3(const Vision& v) {
  const double inner = count_of(v.root, {"projector_hidden_size"}, v.text);
  return v.layers() * tower_block(v.h(), v.f(), {}) + v.patch_inputs(2) * v.h() + 2.0 * v.h() + two_layers(v.h(), inner, v.text) + two_layers(4.0 * v.text, inner, v.text);
}

/// Pixtral as in Mistral-3: gated blocks without biases, RMS norms, a patch merger.
double pixtral(const Vision& v) {
  return v.layers() * tower_block(v.h(), v.f(), bare) + v.patch_inputs(1) * v.h() + 2.0 * v.h() + 4.0 * squared(v.h()) + v.h() * v.text + squared(v.text);
}

/// InternViT: scaled branches, a class token, positions, a norm and two layers over 2 × 2 patches; the 6B one has RMS norms, on query and key too.
double internvit(const Vision& v) {
  const bool bias = v.view.flag({"qkv_bias"}).value_or(true);
  const double branches = 2.0 * v.h();
  return v.layers() * (tower_block(v.h(), v.f(), {.qkv_bias = bias}) + branches) + v.patch_inputs(1) * v.h() + 2.0 * v.h() + (v.patches() + 1.0) * v.h() + 8.0 * v.h() +
         two_layers(4.0 * v.h(), v.text, v.text);
}

/// Llama-3.2-Vision: plain and global layers, tile embeddings, a projection from six layers' outputs.
double mllama(const Vision& v) {
  const double global = count_of(v.view, {"num_global_layers"}, 8), outputs = count_of(v.view, {"vision_output_dim"}, 7680), tiles = count_of(v.view, {"max_num_tiles"}, 4);
  const double positions = v.patches() + 1.0;
  const double block = tower_block(v.h(), v.f(), {}) - 4.0 * v.h();  // projections of attention have no bias
  const double tables = positions * v.h() + 9.0 * tiles * positions * v.h() + 2.0 * 9.0 * tiles * v.h() + 3.0;
  return (v.layers() + global) * block + 2.0 * global + v.patch_inputs(1) * v.h() + v.h() + tables + 4.0 * v.h() + outputs * v.text + v.text;
}

/// The stem by the tower's own type, and a projector of two layers (LLaVA and its relatives); NeXT and OneVision mark line ends with a vector.
double llava(const Vision& v) {
  const std::string own = v.view.text({"model_type"}).value_or("");
  const double projector = two_layers(v.h(), v.text, v.text) + (v.type == "llava" ? 0.0 : v.text);
  if (own == "pixtral") return v.layers() * tower_block(v.h(), v.f(), bare) + v.patch_inputs(1) * v.h() + v.h() + projector;
  return (starts(own, "siglip") ? siglip_trunk(v) : clip_trunk(v)) + projector;
}

/// Idefics-3 and SmolVLM: SigLIP, one projection without bias over scale × scale patches.
double idefics3(const Vision& v) { return siglip_trunk(v) + v.h() * squared(count_of(v.root, {"scale_factor"}, 2)) * v.text; }

/// Aya-Vision: SigLIP, a norm and a gated network over 2 × 2 patches.
double aya(const Vision& v) {
  const double in = v.h() * squared(count_of(v.root, {"downsample_factor"}, 2)), inner = count_of(v.root, {"alignment_intermediate_size"}, v.text);
  return siglip_trunk(v) + 2.0 * in + in * inner + inner + inner / 2.0 * v.text + v.text;
}

/// DeepSeek-VL2: SigLIP with its attention pool, a projector over 2 × 2 patches, vectors that mark line ends and views.
double deepseek_vl2(const Vision& v) {
  const double pool = tower_block(v.h(), v.f(), {}) - 2.0 * v.h() + v.h();  // one norm, and the latent that asks
  return siglip_trunk(v) + pool + two_layers(4.0 * v.h(), v.text, v.text) + 2.0 * v.text;
}

/// MiniCPM-V: SigLIP with positions of its largest grid, and a resampler of one cross attention from learned queries.
double minicpm_v(const Vision& v) {
  const double queries = count_of(v.root, {"query_num"}, 64) * v.text, attention = 4.0 * squared(v.text) + 4.0 * v.text;
  return siglip_trunk(v) + queries + v.h() * v.text + attention + 6.0 * v.text + squared(v.text);
}

/// LFM2-VL: SigLIP-2 with a fixed number of positions, a norm and two layers over 2 × 2 patches.
double lfm2_vl(const Vision& v) {
  const double in = v.h() * squared(count_of(v.root, {"downsample_factor"}, 2)), positions = count_of(v.view, {"num_patches"}, 256);
  const double norm = v.root.flag({"projector_use_layernorm"}).value_or(true) ? 2.0 * in : 0.0;
  return v.layers() * tower_block(v.h(), v.f(), {}) + v.patch_inputs(1) * v.h() + v.h() + positions * v.h() + 2.0 * v.h() + norm + two_layers(in, count_of(v.root, {"projector_hidden_size"}, v.text), v.text);
}

/// dots.ocr: gated blocks without biases, norms behind the patch embedding and the trunk, a merger of 2 × 2 patches.
double dots(const Vision& v) {
  return v.layers() * tower_block(v.h(), v.f(), bare) + v.patch_inputs(1) * v.h() + v.h() + v.h() + v.h() + 2.0 * v.h() + two_layers(v.merged(), v.merged(), v.text);
}

/// Hunyuan-VL: plain blocks with positions of the largest grid, a projector of two convolutions and a matrix, vectors that mark images.
double hunyuan_vl(const Vision& v) {
  const double side = count_of(v.view, {"max_image_size"}, 2048) / static_cast<double>(v.tower.patch > 0 ? v.tower.patch : 1);
  const double trunk = v.layers() * tower_block(v.h(), v.f(), {}) + v.patch_inputs(1) * v.h() + v.h() + (squared(side) + 1.0) * v.h();
  const double wide = 4.0 * v.h();
  const double projector = v.merged() * 2.0 * v.h() + 2.0 * v.h() + 2.0 * v.h() * wide + wide + wide * v.text + v.text;
  return trunk + projector + v.h() + v.text + wide + 3.0 * v.text;
}

double generic(const Vision& v) {
  v.view.findings().assume("model-assumed", "The vision tower was counted as a plain vision transformer with a projector of two layers.");
  return v.layers() * tower_block(v.h(), v.f(), {}) + v.patch_inputs(1) * v.h() + v.patches() * v.h() + 2.0 * v.h() + two_layers(v.merged(), v.text, v.text);
}

struct Count {
  const char* type;  ///< what the wrapper's type begins with
  double (*elements)(const Vision&);
};

constexpr Count counts[] = {{"qwen2_5_vl", [](const Vision& v) { return qwen2_vl(v, true); }},
                            {"qwen2_5_omni", [](const Vision& v) { return qwen2_vl(v, true); }},
                            {"qwen2_vl", [](const Vision& v) { return qwen2_vl(v, false); }},
                            {"qwen3_vl", qwen3_vl},
                            {"qwen3_5", qwen3_vl},
                            {"qwen3_omni", qwen3_vl},
                            {"glm4v", glm4v},
                            {"ernie4_5", ernie_vl},
                            {"gemma3", gemma3},
                            {"gemma4", gemma4},
                            {"paligemma", [](const Vision& v) { return gemma3(v) - v.h() + v.text; }},  // one projection with a bias, no norm
                            {"llava", llava},
                            {"llama4", llama4},
                            {"kimi_k3", moonvit3},
                            {"kimi", moonvit},
                            {"minimax_m3", minimax_m3},
                            {"mistral3", pixtral},
                            {"pixtral", pixtral},
                            {"internvl", internvit},
                            {"mllama", mllama},
                            {"idefics3", idefics3},
                            {"smolvlm", idefics3},
                            {"aya_vision", aya},
                            {"deepseek_vl_v2", deepseek_vl2},
                            {"minicpmv", minicpm_v},
                            {"minicpmo", minicpm_v},
                            {"lfm2", lfm2_vl},
                            {"dots", dots},
                            {"hunyuan_vl", hunyuan_vl}};

}  // namespace

double tower_block(double h, double f, const TowerStyle& s) {
  const double attention = 4.0 * squared(h) + (s.qkv_bias ? 3.0 * h : 0.0) + (s.linear_bias ? h : 0.0);
  const double networks = s.gated ? 3.0 : 2.0;
  const double mlp = networks * h * f + (s.linear_bias ? (networks - 1.0) * f + h : 0.0);
  return attention + mlp + 2.0 * h * (s.norm_bias ? 2.0 : 1.0);
}

std::int64_t image_encoder_elements(const Tower& t, bool siglip) {
  const double h = static_cast<double>(t.hidden), f = static_cast<double>(t.intermediate), block = tower_block(h, f, {});
  const std::int64_t side = t.patch > 0 ? t.image_size / t.patch : 0;
  const double positions = static_cast<double>(side * side), pixels = 3.0 * static_cast<double>(t.patch * t.patch) * h;
  const double trunk = static_cast<double>(t.layers) * block + pixels + h + positions * h + 2.0 * h;  // h: bias of the patches, or CLIP's class token
  const double all = siglip ? trunk + block - 2.0 * h + h : trunk + h + 2.0 * h;
  return all < 1e15 ? static_cast<std::int64_t>(all) : 0;
}

double two_layers(double in, double inner, double out) { return in * inner + inner + inner * out + out; }

double vision_elements(const Vision& v) {
  for (const Count& c : counts) {
    if (starts(v.type, c.type) && !starts(v.type, "gemma3n")) return c.elements(v);
  }
  return generic(v);
}

}  // namespace gpuplan
