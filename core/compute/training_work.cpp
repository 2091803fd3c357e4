#include "core/compute/training_work.hpp"

#include <algorithm>

#include "core/compute/training_comm.hpp"

namespace gpuplan {
namespace {

constexpr double half_bytes = 2.0;

bool attends(const Mixer& m) { return m.kind != MixerKind::none && (m.heads > 0 || m.mla.kv_rank > 0); }

double kv_elements(const Mixer& m, double tp) {
  if (m.kind == MixerKind::mla) return static_cast<double>(m.mla.kv_rank + m.mla.rope_dim);
  const double heads = static_cast<double>(m.kv_heads);
  return heads / std::min(std::max(1.0, tp), std::max(1.0, heads)) * static_cast<double>(m.head_dim + (m.v_head_dim > 0 ? m.v_head_dim : m.head_dim));
}

/// Adds `count` layers of one kind to the stage.
void add_layers(StageWork& w, const PreparedTraining& p, const TrainingPlace& at, const TrainedLayer& layer, double count) {
  w.times += layer_times(p, at, layer) * count;
  w.dequantize += dequantize_time(p, at, layer) * count;
  w.layers += count;
  w.reductions += count * ((layer.mixer.kind != MixerKind::none ? 1.0 : 0.0) + (layer.mlp.kind != MlpKind::none ? 1.0 : 0.0));
  if (layer.mlp.experts > 0) {
    w.expert_layers += count;
    w.experts_per_token = static_cast<double>(layer.mlp.experts_per_token);
  }
  if (attends(layer.mixer)) {
    w.attention_layers += count;
    w.kv_bytes += count * kv_elements(layer.mixer, at.tp) * at.tokens * half_bytes;
  }
  w.dense_elements += count * layer.elements.dense_at(at.tp);
  w.expert_elements += count * layer.elements.expert_at(at.ep, at.expert_tp);
  w.adapter_elements += count * layer.adapter_elements / at.tp;
  w.stored_bytes = p.quantized ? layer.elements.stored_bytes : half_bytes;
}

/// One layer of the model, kinds in proportion.
StageWork mean_layer(const PreparedTraining& p, const TrainingPlace& at) {
  StageWork w;
  for (const TrainedLayer& layer : p.kinds) add_layers(w, p, at, layer, layer.layers / std::max(1.0, p.layers));
  return w;
}

constexpr std::size_t most_known = 256;  // sets of degrees that are kept: few GPUs have more

}  // namespace

void TrainingSite::enter(const PreparedTraining& p, const Machine& machine) {
  if (machine_ == machine) return;
  if (machine_.gpu != machine.gpu || machine_.profile != machine.profile) {
    rates_ = rates_of(p.surfaces, machine);
    known_.clear();
  }
  machine_ = machine;
  fabric_ = make_fabric(p.comm, machine);
  ++wired_;
}

RankWork& TrainingSite::work_of(const PreparedTraining& p, const RankDegrees& degrees) {
  for (RankWork& w : known_) {
    if (static_cast<const RankDegrees&>(w.at) == degrees) return w;
  }
  if (known_.size() == most_known) known_.clear();
  RankWork& w = known_.emplace_back();
  w.at = place_training(p, rates_, *machine_.gpu, degrees);
  w.layer = mean_layer(p, w.at);
  w.head = head_times(p, w.at);
  return w;
}

const RankWork& TrainingSite::of(const PreparedTraining& p, const Machine& machine, const Layout& layout) {
  enter(p, machine);
  RankWork& w = work_of(p, rank_degrees(p, layout));
  if (w.wired != wired_) w.messages = layer_messages(p, w.at, fabric_, w.layer, layout);
  w.wired = wired_;
  return w;
}

}  // namespace gpuplan
