#include "core/compute/step_floor.hpp"

#include <algorithm>
#include <cmath>

#include "core/compute/prepared_time.hpp"
#include "core/compute/training_comm.hpp"
#include "core/compute/training_step.hpp"

namespace gpuplan {
namespace {

/// A stage of so many mean layers, and the head or not.
struct StageFloor {
  double forward, backward, weights, host, unpacked, messages;

  StageFloor(const RankWork& w, double layers, bool gathers, const PassTimes* head) {
    PassTimes t = w.layer.times * layers;
    if (gathers) t.host = t.gathering_host;
    weights = t.weights.total().value;
    if (head) t += *head;
    forward = t.forward.total().value;
    backward = t.backward.total().value;
    host = t.launches * w.at.coefficients->launch + t.host;
    unpacked = w.layer.dequantize.total().value * layers;
    messages = w.messages * layers;
  }
  double products() const { return forward + backward; }
  double micro() const { return std::max(forward + unpacked, host) + std::max(backward + unpacked, host) + messages; }
};

}  // namespace

Seconds step_floor(const Job& job, const PreparedTime& prepared, const Machine& machine, const Layout& l) {
  if (!prepared.training) return {};
  const PreparedTraining& p = *prepared.training;
  const RankWork& work = p.site.of(p, machine, l);
  const double stages = l.split == ModelSplit::layer ? 1.0 : std::max(1, l.pp), chunks = std::max(1, l.virtual_stages);
  const double layers = std::ceil(p.layers / stages), last_layers = std::max(0.0, p.layers - layers * (stages - 1.0));
  const bool gathers = gathers_layers(l);
  const StageFloor middle(work, layers, gathers, stages > 1.0 ? nullptr : &work.head);
  const StageFloor last = stages > 1.0 ? StageFloor(work, last_layers, gathers, &work.head) : middle;
  const bool head_bound = last.products() > middle.products();
  const StageFloor& slow = head_bound ? last : middle;
  const double micro = slow.micro() + 2.0 * stage_handover(p, work.at, p.site.fabric(), l);
  const double filled = micro - std::max(0.0, slow.products() - middle.products()), moved = l.zero_bubble ? 2.0 * middle.weights : 0.0;
  const double bubble = (stages - 1.0) / chunks * std::max(0.0, filled - moved);
  return Seconds{(micro + p.reference_passes * slow.forward) * training_micro_batches(job, l) + bubble + work.at.coefficients->step};
}

}  // namespace gpuplan
