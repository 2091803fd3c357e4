#include <string>

#include "core/model/architecture_json.hpp"

namespace gpuplan {
namespace {

std::optional<Problem> conflict(const std::string& pointer, const std::string& what) {
  return Problem{pointer, ProblemCode::conflict, "The field " + pointer + " " + what, {}};
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
  if (m.kv_heads > m.heads || m.heads % m.kv_heads != 0) return conflict(at + "/kv_heads", "must divide the number of query heads (" + std::to_string(m.heads) + ").");
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

std::optional<Problem> check_architecture(const Architecture& a, std::string_view pointer) {
  const std::string at(pointer);
  if (a.kinds.empty() && a.classic.params == 0) return conflict(at + "/kinds", "must hold at least one kind of layer (or classic facts instead).");
  if (!a.kinds.empty() && a.hidden < 1) return conflict(at + "/hidden", "must be at least 1 in a model with layers.");
  for (std::size_t i = 0; i < a.kinds.size(); ++i) {
    const std::string kind = at + "/kinds/" + std::to_string(i);
    if (auto p = check_mixer(a.kinds[i].mixer, kind + "/mixer")) return p;
    if (auto p = check_mlp(a.kinds[i].mlp, kind + "/mlp")) return p;
  }
  if (auto p = check_runs(a, a.order, at + "/order")) return p;
  if (auto p = check_runs(a, a.decoder_order, at + "/decoder_order")) return p;
  if (!a.kinds.empty() && a.order.empty()) return conflict(at + "/order", "must say in which order the kinds of layers follow.");
  if (a.layer_count() > most_layers) return conflict(at + "/order", "must hold at most " + std::to_string(most_layers) + " layers in all.");
  return std::nullopt;
}

}  // namespace gpuplan
