#include <string>

#include "core/model/architecture_fields.hpp"
#include "core/model/architecture_json.hpp"

namespace gpuplan {
namespace {

std::optional<Problem> conflict(const std::string& pointer, const std::string& what) {
  return Problem{pointer, ProblemCode::conflict, "The field " + pointer + " " + what, {}};
}

/// Visits every field and remembers the first that is out of its range.
class Bounds {
 public:
  explicit Bounds(std::string pointer) : pointer_(std::move(pointer)) {}
  std::optional<Problem> problem;

  void operator()(const char* name, std::int64_t& v) { within(name, v, size_limit(name)); }
  void params(const char* name, std::int64_t& v) { within(name, v, largest_params); }
  template <class T>
  void operator()(const char*, T&) {}
  template <class Enum, std::size_t N>
  void operator()(const char*, Enum&, const char* const (&)[N]) {}
  template <class T>
  void object(const char* name, T& v) {
    Bounds inner(pointer_ + "/" + name);
    fields(inner, v);
    if (!problem) problem = inner.problem;
  }
  void layers(const char*, std::vector<Layer>&) {}
  void runs(const char*, std::vector<LayerRun>&) {}
  void stored(const char*, std::vector<StoredRun>&) {}

 private:
  void within(const char* name, std::int64_t v, std::int64_t largest) {
    const std::string at = pointer_ + "/" + name;
    if (!problem && (v < 0 || v > largest)) {
      problem = Problem{at, ProblemCode::out_of_range, "The field " + at + " must be between 0 and " + std::to_string(largest) + ", not " + std::to_string(v) + ".", {}};
    }
  }
  std::string pointer_;
};

template <class T>
std::optional<Problem> check_bounds(T value, const std::string& at) {
  Bounds bounds(at);
  fields(bounds, value);
  return bounds.problem;
}

bool has_heads(MixerKind k) {
  return k == MixerKind::full || k == MixerKind::sliding || k == MixerKind::chunked || k == MixerKind::cross || k == MixerKind::mla;
}

std::optional<Problem> check_mixer(const Mixer& m, const std::string& at) {
  if (!has_heads(m.kind)) return std::nullopt;
  if (m.heads < 1) return conflict(at + "/heads", "must be at least 1 in a layer with attention.");
  if (m.kind == MixerKind::mla) {
    if (m.mla.kv_rank < 1 || m.mla.v_dim < 1) return conflict(at + "/mla", "must give kv_rank and v_dim of latent attention, both at least 1.");
    return std::nullopt;
  }
  if (m.head_dim < 1) return conflict(at + "/head_dim", "must be at least 1 in a layer with attention.");
  if (m.kv_heads < 1 || m.kv_heads > m.heads || m.heads % m.kv_heads != 0) return conflict(at + "/kv_heads", "must divide the number of query heads (" + std::to_string(m.heads) + ").");
  const bool windowed = m.kind == MixerKind::sliding || m.kind == MixerKind::chunked;
  if (windowed && m.window < 1) return conflict(at + "/window", "must be at least 1 in a sliding or chunked layer.");
  if (m.o_groups > 0 && (m.heads * m.v_head_dim) % m.o_groups != 0) return conflict(at + "/o_groups", "must divide heads × v_head_dim.");
  return std::nullopt;
}

std::optional<Problem> check_mlp(const Mlp& m, const std::string& at) {
  if (m.kind == MlpKind::none || m.kind == MlpKind::dense) return std::nullopt;
  if (m.experts < 1) return conflict(at + "/experts", "must be at least 1 in a mixture-of-experts layer.");
  if (m.experts_per_token < 1 || m.experts_per_token > m.experts) return conflict(at + "/experts_per_token", "must be between 1 and the number of experts (" + std::to_string(m.experts) + ").");
  if (m.expert_intermediate < 1) return conflict(at + "/expert_intermediate", "must be at least 1 in a mixture-of-experts layer.");
  return std::nullopt;
}

std::optional<Problem> check_runs(const Architecture& a, const std::vector<LayerRun>& runs, const std::string& at) {
  for (const LayerRun& run : runs) {
    if (run.kind < 0 || static_cast<std::size_t>(run.kind) >= a.kinds.size()) return conflict(at, "names layer kind " + std::to_string(run.kind) + ", but there are " + std::to_string(a.kinds.size()) + " kinds.");
    if (run.count < 1) return conflict(at, "must count at least 1 layer in each pair.");
  }
  return std::nullopt;
}

}  // namespace

std::optional<Problem> check_layer(const Layer& layer, std::string_view pointer) {
  const std::string at(pointer);
  if (auto p = check_bounds(layer, at)) return p;
  if (auto p = check_mixer(layer.mixer, at + "/mixer")) return p;
  return check_mlp(layer.mlp, at + "/mlp");
}

std::optional<Problem> check_architecture(const Architecture& a, std::string_view pointer) {
  const std::string at(pointer);
  if (auto p = check_bounds(a, at)) return p;
  if (a.kinds.empty() && a.classic.params == 0) return conflict(at + "/kinds", "must hold at least one kind of layer (or classic facts instead).");
  if (!a.kinds.empty() && a.hidden < 1) return conflict(at + "/hidden", "must be at least 1 in a model with layers.");
  for (std::size_t i = 0; i < a.kinds.size(); ++i) {
    if (auto p = check_layer(a.kinds[i], at + "/kinds/" + std::to_string(i))) return p;
  }
  if (auto p = check_runs(a, a.order, at + "/order")) return p;
  if (auto p = check_runs(a, a.decoder_order, at + "/decoder_order")) return p;
  if (!a.kinds.empty() && a.order.empty()) return conflict(at + "/order", "must say in which order the kinds of layers follow.");
  if (a.layer_count() > most_layers) return conflict(at + "/order", "must hold at most " + std::to_string(most_layers) + " layers in all.");
  return std::nullopt;
}

}  // namespace gpuplan
