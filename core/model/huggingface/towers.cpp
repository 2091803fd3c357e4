/// Vision and audio towers of multimodal models: their sizes, and what they hold.
#include "core/model/huggingface/towers.hpp"

namespace gpuplan {
namespace {

bool starts(const std::string& text, std::string_view with) { return text.compare(0, with.size(), with) == 0; }

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
  const std::int64_t usual = starts(type, "deepseek_vl_v2") ? 384 : any_size;
  t.image_size = first_or(v, "image_size", first_or(v, "force_image_size", usual));
  t.tokens_per_item = tokens_of(root, t, type);
  return t;
}

std::int64_t bounded(double elements) { return elements > 0.0 && elements < 1e15 ? static_cast<std::int64_t>(elements) : 0; }

}  // namespace

void read_towers(const Dialect& d, Architecture& a) {
  if (read_implied_towers(d, a)) return;
  const ConfigView wrapper = d.root.object({"thinker_config"}).value_or(d.root);
  const auto vision = wrapper.object({"vision_config", "vision_model_config", "vit_config", "visual"});
  if (vision) {
    const std::string type = model_type(d.root).empty() ? d.type : model_type(d.root);
    const std::string known = starts(type, "InternVL") || starts(type, "internvl") ? "internvl" : type;
    Vision v{*vision, wrapper, known, static_cast<double>(a.hidden), shape_of(wrapper, *vision, known)};
    if (v.tower.hidden > 0 && v.tower.layers > 0) {
      v.tower.params = bounded(vision_elements(v));
      a.vision = v.tower;
    } else {
      vision->findings().assume("model-assumed", "The vision tower has no recognisable sizes and was left out.");
    }
  }
  if (const auto audio = wrapper.object({"audio_config"})) read_audio_tower(*audio, model_type(d.root), a);
  if (!vision && d.type == "molmo") d.root.findings().assume("model-assumed", "Molmo's image tower is not in its configuration and was left out.");
  if (d.root.object({"talker_config"})) d.root.findings().assume("model-assumed", "Only the part that understands was counted; the talker and the vocoder beside it were left out.");
}

}  // namespace gpuplan
