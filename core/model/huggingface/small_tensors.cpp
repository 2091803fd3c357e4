/// Small tensors that single families add to a layer or to the ends of the model.
#include <algorithm>

#include "core/model/huggingface/dialect.hpp"

namespace gpuplan {
namespace {

bool is_family(const Dialect& d, std::string_view name) { return d.family->name == name; }
bool starts(const std::string& text, std::string_view with) { return text.compare(0, with.size(), with) == 0; }

/// Hyper-connections (arXiv:2409.19606) keep `hc_mult` copies of the residual stream: two maps a layer between them.
std::int64_t hyper_connections(const Dialect& d, const Sizes& s) {
  const std::int64_t m = d.text.count({"hc_mult"}).value_or(0);
  if (m < 1 || m > 64) return 0;
  return 2 * ((2 + m) * m * m * s.hidden + (2 + m) * m + 3);
}

/// A gate into the per-layer embedding's width, a projection back and a norm (Gemma-3n, Gemma-4 E).
std::int64_t per_layer_input(const Dialect& d, const Sizes& s) {
  const std::int64_t width = d.text.count({"hidden_size_per_layer_input"}).value_or(0);
  return width > 0 ? 2 * s.hidden * width + s.hidden : 0;
}

/// Gemma-3n: a low-rank residual (LAuReL) and AltUp's predictions between `n` copies of the stream.
std::int64_t altup(const Dialect& d, const Sizes& s) {
  const std::int64_t n = std::min<std::int64_t>(d.text.count({"altup_num_inputs"}).value_or(4), 64), rank = d.text.count({"laurel_rank"}).value_or(64);
  const std::int64_t laurel = 2 * s.hidden * rank + s.hidden;
  return laurel + s.hidden + n * n + n * n * n + n * s.hidden + s.hidden;
}

/// Two maps through a low rank, and a vector behind them where there is a bias.
std::int64_t low_rank(std::int64_t in, std::int64_t rank, std::int64_t out, bool bias) { return (in + out) * rank + (bias ? out : 0); }

/// RWKV-7 (arXiv:2503.14456): six token shifts, three vectors, low-rank decay, rate, value residual (not in the first layer) and gate, a group norm.
std::int64_t rwkv7(const Dialect& d, const Sizes& s, std::int64_t a, std::int64_t index) {
  const auto rank = [&](const char* key, std::int64_t usual) {
    if (const auto said = d.text.size({key})) return *said;
    d.text.findings().assume("model-assumed", std::string("No key gives ") + key + "; " + std::to_string(usual) + " was taken.");
    return usual;
  };
  std::int64_t n = 6 * s.hidden + 3 * a + 2 * a + s.hidden;  // the last: token shift of the channel mixing
  n += low_rank(s.hidden, rank("decay_low_rank_dim", 64), a, true) + low_rank(s.hidden, rank("a_low_rank_dim", 64), a, true);
  n += low_rank(s.hidden, rank("gate_low_rank_dim", 128), a, false);
  return index == 0 ? n : n + low_rank(s.hidden, rank("v_low_rank_dim", 32), a, true);
}

/// Decays, bonuses and token shifts by version; up to version 6 the channel mixing has a receptance matrix.
std::int64_t rwkv(const Dialect& d, const Sizes& s, const Recurrent& r, std::int64_t index) {
  const std::int64_t a = r.heads * r.head_dim, h = s.hidden, receptance = h * h;
  if (d.type == "rwkv") return 3 * h + 2 * a + 2 * h + receptance;
  if (d.type == "rwkv5") return 4 * h + 2 * a + 2 * a + 2 * h + receptance;
  if (d.type == "rwkv7") return rwkv7(d, s, a, index);
  const std::int64_t mix = h == 4096 ? 64 : 32, decay = h == 4096 ? 128 : 64;
  return 6 * h + 10 * mix * h + a + low_rank(h, decay, a, false) + a + 2 * a + 2 * h + receptance;
}

/// LongCat's router also scores experts that compute nothing.
std::int64_t zero_experts(const Dialect& d, const Sizes& s) { return d.text.count({"zero_expert_num"}).value_or(0) * (s.hidden + 1); }

/// Kimi-K3 weighs the residuals of earlier blocks: a projection to one number and a norm in front of each part of a layer.
std::int64_t kimi(const Dialect& d, const Sizes& s, const Layer& l) {
  return (l.mlp.latent > 0 ? l.mlp.latent : 0) + (d.text.has("attn_res_block_size") ? 4 * s.hidden : 0);  // norm of the latent experts
}

std::int64_t gemma4(const Dialect& d, const Sizes& s, const Layer& l) {
  return 1 + (l.mlp.experts > 0 ? s.hidden + l.mlp.experts : 0) + per_layer_input(d, s);  // layer scalar; router scales
}

std::int64_t per_layer_tables(const Dialect& d, const Sizes& s) {
  const auto width = d.text.count({"hidden_size_per_layer_input"});
  if (!width || *width == 0) return 0;
  const double rows = static_cast<double>(d.text.count({"vocab_size_per_layer_input"}).value_or(s.vocab));
  const double all = static_cast<double>(*width) * static_cast<double>(s.layers);
  const double elements = rows * all + static_cast<double>(s.hidden) * all + static_cast<double>(*width);
  return elements > 1e15 ? 0 : static_cast<std::int64_t>(elements);
}

}  // namespace

std::int64_t layer_extras(const Dialect& d, const Sizes& s, const Layer& l, std::int64_t index) {
  if (d.type == "apertus") return 2;                                // two numbers of the xIELU activation
  if (d.type == "bitnet") return s.hidden + l.mlp.intermediate;     // norms inside attention and feed-forward
  if (starts(d.type, "gemma4")) return gemma4(d, s, l);
  if (starts(d.type, "gemma3n")) return altup(d, s) + per_layer_input(d, s);
  if (is_family(d, "Kimi")) return kimi(d, s, l);
  if (is_family(d, "RWKV")) return rwkv(d, s, l.mixer.recurrent, index);
  if (is_family(d, "LongCat")) return zero_experts(d, s);
  return hyper_connections(d, s);
}

std::int64_t outside_extras(const Dialect& d, const Sizes& s) {
  if (d.type == "mllama" || d.type == "mllama_text_model") return 8 * s.hidden;  // eight more embedding rows than vocabulary
  if (const std::int64_t m = d.text.count({"hc_mult"}).value_or(0); m >= 1 && m <= 64) return m * m * s.hidden + m + 1;  // the copies of the stream merge
  std::int64_t extra = per_layer_tables(d, s) + (is_family(d, "Kimi") && d.text.has("attn_res_block_size") ? 2 * s.hidden : 0);
  if (starts(d.type, "gemma3n")) {
    const std::int64_t copies = std::min<std::int64_t>(d.text.count({"altup_num_inputs"}).value_or(4), 64) - 1;
    extra += 2 * copies * s.hidden * s.hidden;
  }
  return extra;
}

}  // namespace gpuplan
