/// Audio encoders, and the towers that Phi-3-vision and Phi-4-multimodal name without giving their sizes.
#include "core/model/huggingface/towers.hpp"

namespace gpuplan {
namespace {

double squared(double x) { return x * x; }
bool starts(const std::string& text, std::string_view with) { return text.compare(0, with.size(), with) == 0; }
std::int64_t bounded(double elements) { return elements > 0.0 && elements < 1e15 ? static_cast<std::int64_t>(elements) : 0; }

/// Whisper's encoder: two convolutions, blocks whose keys have no bias, a last norm.
double whisper_trunk(const Tower& t, double mel) {
  const double h = static_cast<double>(t.hidden), block = tower_block(h, static_cast<double>(t.intermediate), {}) - h;
  return static_cast<double>(t.layers) * block + 3.0 * h * mel + h + 3.0 * squared(h) + h + 2.0 * h;
}

/// Qwen3-Omni: three convolutions over time and frequency in front of plain blocks, two layers behind.
double qwen3_omni(const ConfigView& audio, const Tower& t, double mel) {
  const double h = static_cast<double>(t.hidden), c = static_cast<double>(audio.count({"downsample_hidden_size"}).value_or(480));
  const double rows = static_cast<double>((static_cast<std::int64_t>(mel) + 7) / 8);
  const double stem = 9.0 * c + c + 2.0 * (9.0 * squared(c) + c) + c * rows * h;
  return static_cast<double>(t.layers) * tower_block(h, static_cast<double>(t.intermediate), {}) + stem + 2.0 * h + two_layers(h, h, static_cast<double>(audio.count({"output_dim"}).value_or(t.hidden)));
}

/// Gemma-4's conformer: two networks around attention with relative positions and a gated convolution; every projection has four bounds.
double gemma4(const ConfigView& audio, const Tower& t, double text) {
  const double h = static_cast<double>(t.hidden), kernel = static_cast<double>(audio.count({"conv_kernel_size"}).value_or(5));
  const double head = t.heads > 0 ? h / static_cast<double>(t.heads) : 0.0, out = static_cast<double>(audio.count({"output_proj_dims"}).value_or(t.hidden));
  const double networks = 2.0 * (8.0 * squared(h) + 2.0 * h), attention = 5.0 * squared(h) + head, convolution = 3.0 * squared(h) + kernel * h + 2.0 * h;
  const double clipping = audio.flag({"use_clipped_linears"}).value_or(true) ? 10.0 * 4.0 : 0.0;
  const auto channels = audio.integers({"subsampling_conv_channels"}).value_or(std::vector<std::int64_t>{128, 32});
  const double c0 = channels.size() == 2 ? static_cast<double>(channels[0]) : 128.0, c1 = channels.size() == 2 ? static_cast<double>(channels[1]) : 32.0;
  const double stem = 9.0 * c0 + c0 + 9.0 * c0 * c1 + c1 + 32.0 * c1 * h;  // 128 mel bins, halved twice
  return static_cast<double>(t.layers) * (networks + attention + convolution + 3.0 * h + clipping) + stem + h * out + out + out * text;
}

double audio_elements(const ConfigView& audio, const std::string& type, const Tower& t, double text) {
  const double mel = static_cast<double>(audio.count({"num_mel_bins"}).value_or(128)), h = static_cast<double>(t.hidden);
  if (starts(type, "qwen3_omni")) return qwen3_omni(audio, t, mel);
  if (starts(type, "gemma4")) return gemma4(audio, t, text);
  const double trunk = whisper_trunk(t, mel);
  if (starts(type, "qwen2_5_omni")) return trunk + h * text + text + 2.0 * text;  // projection, and vectors that begin and end a recording
  const double positions = static_cast<double>(audio.count({"max_source_positions"}).value_or(1500)) * h;
  if (starts(type, "voxtral")) return trunk + positions + static_cast<double>(t.intermediate) * text + squared(text);
  if (starts(type, "qwen2_audio")) return trunk + positions + h * text + text;
  audio.findings().assume("model-assumed", "The audio tower was counted as an encoder like Whisper's.");
  return trunk + positions + h * text;
}

/// Phi's speech encoder, a conformer (arXiv:2503.01743): two half networks around attention and a gated convolution.
double conformer(double d, double f, double blocks, double heads, double mel, double text) {
  const double network = 2.0 * d + d * 2.0 * f + 2.0 * f + f * d + d;
  const double attention = 4.0 * (squared(d) + d) + 2.0 * d;
  const double convolution = 2.0 * d + 2.0 * squared(d) + 2.0 * d + 2.0 * d + 4.0 * d + 2.0 * (squared(d) + d);
  const double stem = 10.0 * d + 2.0 * (10.0 * d + squared(d) + d) + d * d * mel / 8.0 + d + 1000.0 * heads + 2.0 * mel;
  return blocks * (2.0 * network + attention + convolution + 2.0 * d) + stem + 2.0 * two_layers(d, text, text);
}

/// Elements of low-rank adapters on the four fused projections of every layer.
double adapters(const Dialect& d, const Architecture& a, const char* key) {
  const auto lora = d.root.object({key});
  const double rank = lora ? static_cast<double>(lora->count({"r"}).value_or(0)) : 0.0;
  if (a.kinds.empty()) return 0.0;
  const Mixer& m = a.kinds[0].mixer;
  const double h = static_cast<double>(a.hidden), q = static_cast<double>(m.heads * m.head_dim), kv = static_cast<double>(m.kv_heads * m.head_dim), f = static_cast<double>(a.kinds[0].mlp.intermediate);
  return rank * static_cast<double>(a.layer_count()) * ((h + q + 2.0 * kv) + (q + h) + (h + 2.0 * f) + (f + h));
}

Tower image_tower(std::int64_t hidden, std::int64_t layers, std::int64_t inner, std::int64_t image, std::int64_t tokens) {
  Tower t;
  t.hidden = hidden, t.layers = layers, t.heads = 16, t.intermediate = inner, t.patch = 14, t.merge = 2, t.image_size = image, t.tokens_per_item = tokens;
  return t;
}

/// CLIP-L at 336 pixels, and a projector of two layers over 2 × 2 patches.
void phi3_vision(const Dialect& d, Architecture& a) {
  a.vision = image_tower(1024, 24, 4096, 336, d.root.object({"img_processor"})->count({"num_img_tokens"}).value_or(144));
  const double h = 1024.0, text = static_cast<double>(a.hidden), patches = 24.0 * 24.0;
  const double trunk = 24.0 * tower_block(h, 4096.0, {}) + 588.0 * h + h + (patches + 1.0) * h + 4.0 * h;
  a.vision.params = bounded(trunk + 8.0 * h + two_layers(4.0 * h, text, text));  // 8h: vectors that end lines and views
}

/// SigLIP with its attention pool at 448 pixels, a speech conformer, and the adapters that come with each.
void phi4_multimodal(const Dialect& d, Architecture& a) {
  a.vision = image_tower(1152, 27, 4304, 448, 256);
  const double h = 1152.0, text = static_cast<double>(a.hidden), block = tower_block(h, 4304.0, {});
  const double trunk = 27.0 * block + 588.0 * h + h + 1024.0 * h + 2.0 * h, pool = block - 2.0 * h + h;
  a.vision.params = bounded(trunk + pool + 2.0 * h + two_layers(h, text, text) + adapters(d, a, "vision_lora"));
  const auto processor = d.root.object({"audio_processor"});
  const auto audio = processor ? processor->object({"config"}) : std::nullopt;
  if (!audio) return;
  const auto size = [&](const char* key, std::int64_t otherwise) { return audio->size({key}).value_or(otherwise); };
  Tower& t = a.audio;
  t.hidden = size("attention_dim", 1024), t.heads = size("attention_heads", 16), t.layers = size("num_blocks", 24), t.intermediate = size("linear_units", 1536);
  t.params = bounded(conformer(static_cast<double>(t.hidden), static_cast<double>(t.intermediate), static_cast<double>(t.layers), static_cast<double>(t.heads),
                               static_cast<double>(size("input_size", 80)), text) +
                     adapters(d, a, "speech_lora"));
}

}  // namespace

bool read_implied_towers(const Dialect& d, Architecture& a) {
  if (d.type == "phi3_v" && d.root.object({"img_processor"})) return phi3_vision(d, a), true;
  if (d.type == "phi4mm") return phi4_multimodal(d, a), true;
  return false;
}

void read_audio_tower(const ConfigView& audio, const std::string& type, Architecture& a) {
  Tower& t = a.audio;
  t.hidden = audio.size({"d_model", "hidden_size"}).value_or(0);
  t.layers = audio.size({"encoder_layers", "num_hidden_layers"}).value_or(0);
  t.heads = audio.count({"encoder_attention_heads", "num_attention_heads"}).value_or(0);
  t.intermediate = audio.size({"encoder_ffn_dim", "intermediate_size"}).value_or(4 * t.hidden);
  if (t.hidden == 0 || t.layers == 0 || starts(type, "gemma3n")) {  // its conformer is described by other keys
    t = Tower{};
    audio.findings().assume("model-assumed", "The audio tower has no recognisable sizes and was left out.");
    return;
  }
  t.params = bounded(audio_elements(audio, type, t, static_cast<double>(a.hidden)));
}

}  // namespace gpuplan
