/// Vision and audio towers of multimodal models: the blocks, the patch embedding and the projector, family by family.
#include "core/model/huggingface/dialect.hpp"

namespace gpuplan {
namespace {

/// What a tower's blocks look like; everything else is its stem and its projector.
struct Style {
  bool gated = false, linear_bias = true, qkv_bias = true, norm_bias = true;
};

double squared(double x) { return x * x; }

double block_elements(double h, double f, const Style& s) {
  const double attention = 4.0 * squared(h) + (s.qkv_bias ? 3.0 * h : 0.0) + (s.linear_bias ? h : 0.0);
  const double networks = s.gated ? 3.0 : 2.0;
  const double mlp = networks * h * f + (s.linear_bias ? (networks - 1.0) * f + h : 0.0);
  return attention + mlp + 2.0 * h * (s.norm_bias ? 2.0 : 1.0);
}

/// Elements of a network input → inner → output with biases.
double two_layers(double in, double inner, double out) { return in * inner + inner + inner * out + out; }

struct Vision {
  ConfigView view;
  std::string type;   ///< of the wrapper
  double text;        ///< width of the language model
  Tower tower;
  double h() const { return static_cast<double>(tower.hidden); }
  double f() const { return static_cast<double>(tower.intermediate); }
  double layers() const { return static_cast<double>(tower.layers); }
  double patch_inputs(double frames) const { return 3.0 * frames * squared(static_cast<double>(tower.patch)); }
  double merged() const { return h() * squared(static_cast<double>(tower.merge)); }
  double patches() const { return squared(static_cast<double>(tower.patch > 0 ? tower.image_size / tower.patch : 0)); }
};

bool starts(const std::string& text, std::string_view with) { return text.compare(0, with.size(), with) == 0; }

/// Qwen2-VL: a merger of 2 × 2 patches behind plain blocks; 2.5 has gated blocks with RMS norms.
double qwen2_vl(const Vision& v, bool gated) {
  const Style style{.gated = gated, .norm_bias = !gated};
  return v.layers() * block_elements(v.h(), v.f(), style) + v.patch_inputs(2) * v.h() + v.h() * (gated ? 1.0 : 2.0) + two_layers(v.merged(), v.merged(), v.text);
}

/// Qwen3-VL and Qwen3.5: learned positions, a merger with its norm, and one more merger per deep-stack level.
double qwen3_vl(const Vision& v) {
  const double positions = static_cast<double>(v.view.count({"num_position_embeddings"}).value_or(2304));
  const double levels = static_cast<double>(v.view.entries("deepstack_visual_indexes"));
  const double merger = two_layers(v.merged(), v.merged(), v.text);
  return v.layers() * block_elements(v.h(), v.f(), {}) + v.patch_inputs(2) * v.h() + v.h() + positions * v.h() + merger + 2.0 * v.h() +
         levels * (merger + 2.0 * v.merged());
}

/// SigLIP as in Gemma-3: one projection without bias and a norm in front of it.
double siglip(const Vision& v) {
  return v.layers() * block_elements(v.h(), v.f(), {}) + v.patch_inputs(1) * v.h() + v.h() + v.patches() * v.h() + 2.0 * v.h() + v.h() * v.text + v.h();
}

/// CLIP as in LLaVA: class token, norms before and after, a projector of two layers.
double clip(const Vision& v) {
  return v.layers() * block_elements(v.h(), v.f(), {}) + v.patch_inputs(1) * v.h() + v.h() + (v.patches() + 1.0) * v.h() + 4.0 * v.h() + two_layers(v.h(), v.text, v.text);
}

/// Llama-4: pixel shuffle into two layers without bias, then one projection.
double llama4(const Vision& v) {
  const double adapter = static_cast<double>(v.view.count({"projector_output_dim"}).value_or(4096));
  const double projected = static_cast<double>(v.view.count({"projector_input_dim"}).value_or(4096));
  return v.layers() * block_elements(v.h(), v.f(), {}) + v.patch_inputs(1) * v.h() + v.h() + (v.patches() + 1.0) * v.h() + 4.0 * v.h() + 4.0 * v.h() * projected +
         projected * adapter + adapter * v.text;
}

/// MoonViT of Kimi: positions on a grid, a norm and two layers over 2 × 2 patches.
double moonvit(const Vision& v) {
  const double grid = static_cast<double>(v.view.count({"init_pos_emb_height"}).value_or(64)) * static_cast<double>(v.view.count({"init_pos_emb_width"}).value_or(64));
  return v.layers() * block_elements(v.h(), v.f(), {}) + v.patch_inputs(1) * v.h() + v.h() + grid * v.h() + 4.0 * v.h() + two_layers(v.merged(), v.merged(), v.text);
}

/// Pixtral as in Mistral-3: gated blocks without biases, RMS norms, a patch merger.
double pixtral(const Vision& v) {
  const Style style{.gated = true, .linear_bias = false, .qkv_bias = false, .norm_bias = false};
  return v.layers() * block_elements(v.h(), v.f(), style) + v.patch_inputs(1) * v.h() + 2.0 * v.h() + 4.0 * squared(v.h()) + v.h() * v.text + squared(v.text);
}

/// InternViT: scaled branches, a class token, positions, a norm and two layers over 2 × 2 patches.
double internvit(const Vision& v) {
  const bool bias = v.view.flag({"qkv_bias"}).value_or(true);
  const double branches = 2.0 * v.h();
  return v.layers() * (block_elements(v.h(), v.f(), {.qkv_bias = bias}) + branches) + v.patch_inputs(1) * v.h() + 2.0 * v.h() + (v.patches() + 1.0) * v.h() +
         8.0 * v.h() + two_layers(4.0 * v.h(), v.text, v.text);
}

/// Llama-3.2-Vision: plain and global layers, tile embeddings, a projection from six layers' outputs.
double mllama(const Vision& v) {
  const double global = static_cast<double>(v.view.count({"num_global_layers"}).value_or(8));
  const double outputs = static_cast<double>(v.view.count({"vision_output_dim"}).value_or(7680));
  const double tiles = static_cast<double>(v.view.count({"max_num_tiles"}).value_or(4));
  const double positions = v.patches() + 1.0;
  double block = block_elements(v.h(), v.f(), {}) - 4.0 * v.h();  // projections of attention have no bias
  const double tables = positions * v.h() + 9.0 * tiles * positions * v.h() + 2.0 * 9.0 * tiles * v.h() + 3.0;
  return (v.layers() + global) * block + 2.0 * global + v.patch_inputs(1) * v.h() + v.h() + tables + 4.0 * v.h() + outputs * v.text + v.text;
}

/// The stem by the tower's own type, and a projector of two layers (LLaVA and its relatives).
double llava(const Vision& v) {
  const std::string own = v.view.text({"model_type"}).value_or("");
  const double projector = two_layers(v.h(), v.text, v.text);
  const double patches = v.patches() * v.h();
  if (own == "pixtral") {
    const Style style{.gated = true, .linear_bias = false, .qkv_bias = false, .norm_bias = false};
    return v.layers() * block_elements(v.h(), v.f(), style) + v.patch_inputs(1) * v.h() + v.h() + projector;
  }
  if (own.rfind("siglip", 0) == 0) return v.layers() * block_elements(v.h(), v.f(), {}) + v.patch_inputs(1) * v.h() + v.h() + patches + 2.0 * v.h() + projector;
  return clip(v);
}

double generic(const Vision& v) {
  v.view.findings().assume("model-assumed", "The vision tower was counted as a plain vision transformer with a projector of two layers.");
  return v.layers() * block_elements(v.h(), v.f(), {}) + v.patch_inputs(1) * v.h() + v.patches() * v.h() + 2.0 * v.h() + two_layers(v.merged(), v.text, v.text);
}

double elements_of(const Vision& v) {
  if (starts(v.type, "qwen2_5_vl") || starts(v.type, "qwen2_5_omni")) return qwen2_vl(v, true);
  if (starts(v.type, "qwen2_vl")) return qwen2_vl(v, false);
  if (starts(v.type, "qwen3_vl") || starts(v.type, "qwen3_5") || starts(v.type, "qwen3_omni")) return qwen3_vl(v);
  if (starts(v.type, "gemma3")) return siglip(v);
  if (starts(v.type, "paligemma")) return siglip(v) - v.h() + v.text;  // one projection with a bias, no norm
  if (starts(v.type, "llava")) return llava(v);
  if (starts(v.type, "llama4")) return llama4(v);
  if (starts(v.type, "kimi")) return moonvit(v);
  if (starts(v.type, "mistral3") || v.type == "pixtral") return pixtral(v);
  if (starts(v.type, "internvl")) return internvit(v);
  if (starts(v.type, "mllama")) return mllama(v);
  return generic(v);
}

std::int64_t first_or(const ConfigView& v, const char* name, std::int64_t otherwise) {
  if (!v.is_list(name)) return v.size({name}).value_or(otherwise);
  const auto list = v.integers({name});
  return list && !list->empty() && list->front() > 0 ? list->front() : otherwise;
}

std::int64_t merge_of(const ConfigView& v, const std::string& type) {
  if (const std::int64_t m = first_or(v, "spatial_merge_size", 0); m > 0) return m;
  if (const std::int64_t m = first_or(v, "merge_kernel_size", 0); m > 0) return m;
  if (const auto m = v.size({"pooling_kernel_size"})) return *m;
  return starts(type, "qwen") || starts(type, "internvl") || starts(type, "kimi") || starts(type, "llama4") ? 2 : 1;
}

/// Language-model tokens of one image: as the wrapper says, else one per merged patch.
std::int64_t tokens_of(const ConfigView& root, const Tower& t, const std::string& type) {
  if (const auto said = root.size({"mm_tokens_per_image", "vision_soft_tokens_per_image", "image_seq_length", "num_image_token"})) return *said;
  if (starts(type, "mllama") || t.patch < 1) return 0;
  const std::int64_t side = t.image_size / (t.patch * t.merge);
  return side * side;
}

Tower shape_of(const ConfigView& root, const ConfigView& v, const std::string& type) {
  Tower t;
  const bool old_qwen = type == "qwen2_vl";  // there hidden_size is the output width
  t.hidden = (old_qwen ? v.size({"embed_dim"}) : v.size({"hidden_size", "vt_hidden_size", "embed_dim", "width"})).value_or(0);
  t.layers = v.size({"num_hidden_layers", "depth", "vt_num_hidden_layers", "layers"}).value_or(0);
  t.heads = v.count({"num_attention_heads", "num_heads", "vt_num_attention_heads", "attention_heads"}).value_or(0);
  const double ratio = v.number({"mlp_ratio"}).value_or(4.0);
  t.intermediate = v.size({"intermediate_size", "vt_intermediate_size"}).value_or(ratio > 0.0 && ratio < 100.0 ? static_cast<std::int64_t>(ratio * static_cast<double>(t.hidden)) : 4 * t.hidden);
  t.patch = first_or(v, "patch_size", 14);
  t.merge = merge_of(v, type);
  const std::int64_t any_size = t.patch * t.merge * (1024 / (t.patch * t.merge > 0 ? t.patch * t.merge : 1));  // towers of any resolution: near 1024 pixels a side
  t.image_size = first_or(v, "image_size", first_or(v, "force_image_size", any_size));
  t.tokens_per_item = tokens_of(root, t, type);
  return t;
}

std::int64_t bounded(double elements) { return elements > 0.0 && elements < 1e15 ? static_cast<std::int64_t>(elements) : 0; }

/// An audio encoder of Whisper's kind: two convolutions in front of plain blocks.
void read_audio(const ConfigView& audio, Architecture& a) {
  Tower& t = a.audio;
  t.hidden = audio.size({"d_model", "hidden_size"}).value_or(0);
  t.layers = audio.size({"encoder_layers", "num_hidden_layers"}).value_or(0);
  t.heads = audio.count({"encoder_attention_heads", "num_attention_heads"}).value_or(0);
  t.intermediate = audio.size({"encoder_ffn_dim", "intermediate_size"}).value_or(4 * t.hidden);
  if (t.hidden == 0 || t.layers == 0) {
    t = Tower{};
    return;
  }
  const double h = static_cast<double>(t.hidden);
  const double stem = 3.0 * h * static_cast<double>(audio.count({"num_mel_bins"}).value_or(128)) + 3.0 * squared(h) + 2.0 * h;
  t.params = bounded(static_cast<double>(t.layers) * block_elements(h, static_cast<double>(t.intermediate), {}) + stem + 2.0 * h + h * static_cast<double>(a.hidden));
  audio.findings().assume("model-assumed", "The audio tower was counted as an encoder like Whisper's.");
}

}  // namespace

void read_towers(const Dialect& d, Architecture& a) {
  const ConfigView wrapper = d.root.object({"thinker_config"}).value_or(d.root);
  const auto vision = wrapper.object({"vision_config", "vision_model_config", "vit_config", "visual"});
  if (vision) {
    const std::string type = model_type(d.root).empty() ? d.type : model_type(d.root);
    const std::string known = starts(type, "InternVL") || starts(type, "internvl") ? "internvl" : type;
    Vision v{*vision, known, static_cast<double>(a.hidden), shape_of(wrapper, *vision, known)};
    if (v.tower.hidden > 0 && v.tower.layers > 0) {
      v.tower.params = bounded(elements_of(v));
      a.vision = v.tower;
    } else {
      vision->findings().assume("model-assumed", "The vision tower has no recognisable sizes and was left out.");
    }
  }
  if (const auto audio = wrapper.object({"audio_config"})) read_audio(*audio, a);
}

}  // namespace gpuplan
