#include "core/compute/step_floor.hpp"

#include <algorithm>
#include <cmath>

#include "core/compute/prepared_time.hpp"
#include "core/compute/training_layer.hpp"
#include "core/compute/training_step.hpp"

namespace gpuplan {
namespace {

Seconds both(const PassTimes& t) { return t.forward.total() + t.backward.total(); }

}  // namespace

const StepFloors::Floor& StepFloors::floor_of(const PreparedTime& prepared, const Machine& machine, const Layout& l) {
  if (prepared_ != &prepared || gpu_ != machine.gpu || profile_ != machine.profile) floors_.clear();
  prepared_ = &prepared, gpu_ = machine.gpu, profile_ = machine.profile;
  const double tp = l.split == ModelSplit::layer ? 1.0 : l.tp, cp = l.cp, ep = l.ep;
  const double expert_tp = l.ep > std::int64_t{l.dp} * l.cp ? 1.0 : tp;  // as place_training has it
  for (const Floor& f : floors_) {
    if (f.tp == tp && f.cp == cp && f.ep == ep && f.expert_tp == expert_tp) return f;
  }
  const PreparedTraining& p = *prepared.training;
  const TrainingPlace at = place_training(p, machine, l);
  PassTimes layer;
  for (const TrainedLayer& kind : p.kinds) layer += layer_times(p, at, kind) * (kind.layers / std::max(1.0, p.layers));
  floors_.push_back({tp, cp, ep, expert_tp, both(layer), layer.weights.total(), both(head_times(p, at))});
  return floors_.back();
}

Seconds StepFloors::of(const Job& job, const PreparedTime& prepared, const Machine& machine, const Layout& l) {
  if (!prepared.training) return {};
  const Floor& f = floor_of(prepared, machine, l);
  const double all = prepared.training->layers, stages = l.split == ModelSplit::layer ? 1.0 : std::max(1, l.pp), chunks = std::max(1, l.virtual_stages);
  const double layers = std::ceil(all / stages), last_layers = std::max(0.0, all - layers * (stages - 1.0));
  const Seconds middle = f.layer * layers, last = f.layer * last_layers + f.head;
  const Seconds slowest = stages > 1.0 ? max(middle, last) : last;
  const Seconds moved = l.zero_bubble ? f.weights * (2.0 * layers) : Seconds{};
  const Seconds bubble = max(Seconds{}, middle - moved) * ((stages - 1.0) / chunks);
  return slowest * training_micro_batches(job, l) + bubble;
}

}  // namespace gpuplan
