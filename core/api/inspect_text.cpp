#include "core/api/inspect_text.hpp"

#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/dtype.hpp"
#include "core/model/architecture_fields.hpp"
#include "core/view/format.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

constexpr std::size_t label_width = 26;

std::string number(std::int64_t n) { return fixed(static_cast<double>(n), 0); }

/// "  label      value", columns counted in characters, wide ones of Chinese as two.
std::string line(const std::string& label, const std::string& value) {
  std::size_t width = 0;
  for (const char c : label) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80) width += byte >= 0xE3 && byte <= 0xEF ? 2 : 1;
  }
  return "  " + label + std::string(width < label_width ? label_width - width : 1, ' ') + value + "\n";
}

class Lines {
 public:
  Lines(const json& answer, const Architecture& a, const Strings& s) : answer_(answer), a_(a), s_(s) {}

  std::string all() const { return head() + layers() + parameters() + cache() + weights() + assumptions(); }

 private:
  std::string text(const std::string& key) const { return s_.text("inspect." + key); }

  std::string head() const {
    std::string out = (a_.name.empty() ? a_.id.empty() ? answer_["kind"].get<std::string>() : a_.id : a_.name) + (a_.family.empty() ? "" : "  ·  " + a_.family) + "\n";
    out += line(text("layers"), number(a_.layer_count()));
    out += line(text("width"), number(a_.hidden)) + line(text("vocabulary"), number(a_.vocab));
    if (a_.max_context > 0) out += line(text("max_context"), number(a_.max_context) + " " + s_.text("unit.tokens"));
    const auto file = answer_.find("file");
    if (file == answer_.end()) return out;
    const std::string parts = (*file)["parts"] == 1 ? "" : " · " + s_.text("inspect.parts", {{"n", number((*file)["parts"].get<std::int64_t>())}});
    return out + line(text("file"), (*file)["format"].get<std::string>() + " " + number((*file)["version"].get<std::int64_t>()) + " · " + size((*file)["tensor_bytes"].get<double>()) + " · " +
                                        s_.text("inspect.tensors", {{"n", number((*file)["tensors"].get<std::int64_t>())}}) + parts);
  }

  std::string mixer(const Mixer& m) const {
    std::string out = text(std::string("mixer.") + mixer_names[static_cast<int>(m.kind)]);
    if (m.heads > 0 && m.kind != MixerKind::mla) {
      out += " · " + s_.text("inspect.heads", {{"heads", number(m.heads)}, {"kv", number(m.kv_heads)}, {"size", number(m.head_dim)}});
    }
    if (m.kind == MixerKind::mla) out += " · " + s_.text("inspect.latent", {{"heads", number(m.heads)}, {"rank", number(m.mla.kv_rank)}, {"rope", number(m.mla.rope_dim)}});
    if (m.window > 0 && m.kind != MixerKind::cross) out += " · " + s_.text("inspect.window", {{"n", number(m.window)}});
    return m.shares_kv ? out + " · " + text("shared_cache") : out;
  }

  std::string mlp(const Mlp& m) const {
    std::string out;
    if (m.kind == MlpKind::dense || m.kind == MlpKind::dense_and_moe) out += " · " + s_.text("inspect.dense", {{"n", number(m.intermediate)}});
    if (m.experts > 0) out += " · " + s_.text("inspect.experts", {{"k", number(m.experts_per_token)}, {"n", number(m.experts)}, {"width", number(m.expert_intermediate)}});
    return out;
  }

  std::string layers() const {
    std::vector<std::int64_t> counts(a_.kinds.size(), 0);
    for (const auto* runs : {&a_.order, &a_.decoder_order}) {
      for (const LayerRun& run : *runs) counts[static_cast<std::size_t>(run.kind)] += run.count;
    }
    std::string out;
    for (std::size_t i = 0; i < a_.kinds.size() && i < 12; ++i) out += "  " + number(counts[i]) + " × " + mixer(a_.kinds[i].mixer) + mlp(a_.kinds[i].mlp) + "\n";
    if (a_.kinds.size() > 12) out += "  " + s_.text("inspect.more_kinds", {{"n", number(static_cast<std::int64_t>(a_.kinds.size()) - 12)}}) + "\n";
    return out;
  }

  std::string parameters() const {
    const json& p = answer_["parameters"];
    std::string out = "\n" + text("parameters") + "\n";
    out += line(text("total"), exact(p["total"])) + (p["active"] != p["total"] ? line(text("active"), exact(p["active"])) : "");
    for (const auto& part : p["by_part"].items()) out += line(text("part." + part.key()), exact(part.value()));
    return out;
  }

  std::string cache() const {
    const double all = answer_["kv_bytes_per_token"].get<double>(), beyond = answer_["kv_bytes_per_token_beyond_window"].get<double>(), state = answer_["state_bytes_per_sequence"].get<double>();
    std::string out = "\n" + text("cache") + "\n" + line(text("per_token"), size(all));
    if (beyond != all) out += line(text("per_token_beyond"), size(beyond));
    return state > 0.0 ? out + line(text("state"), size(state)) : out;
  }

  /// Formats in the order of the protocol; the one that the weights are in stands first.
  std::string weights() const {
    std::string out = "\n" + text("weights") + "\n";
    const json& bytes = answer_["weights_bytes"];
    const std::string own = answer_["weights"].is_string() ? answer_["weights"].get<std::string>() : "";
    if (bytes.contains(own)) out += line(own + " (" + text("as_given") + ")", size(bytes[own].get<double>()));
    for (int f = 0; f < weight_format_count; ++f) {
      const std::string format = name(static_cast<WeightFormat>(f));
      if (format != own && bytes.contains(format)) out += line(format, size(bytes[format].get<double>()));
    }
    return out;
  }

  std::string assumptions() const {
    std::string out;
    for (const json& note : answer_["assumptions"]) out += "  - " + note["text"].get<std::string>() + "\n";
    return out.empty() ? out : "\n" + text("assumed") + "\n" + out;
  }

  static std::string exact(const json& n) { return count_text(n.get<double>()).joined() + "  (" + fixed(n.get<double>(), 0) + ")"; }
  static std::string size(double bytes) { return bytes_text(Bytes{bytes}).joined(); }

  const json& answer_;
  const Architecture& a_;
  const Strings& s_;
};

}  // namespace

std::string inspect_text(const json& answer, const Strings& strings) {
  if (!answer.contains("parameters") || !answer.contains("architecture")) return "";
  const auto architecture = read_architecture(answer["architecture"], "/architecture");
  return architecture ? Lines(answer, *architecture, strings).all() : "";
}

}  // namespace gpuplan
