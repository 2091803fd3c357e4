#pragma once
/// What one rank does in a training step, as plain values: its share of the model, the times of its passes, and what layouts of one machine share [M-step].
#include <cstdint>
#include <vector>

#include "core/comm/fabric.hpp"
#include "core/compute/roofline.hpp"
#include "core/compute/training_behaviour.hpp"
#include "core/layout/layout.hpp"

namespace gpuplan {

/// What the times of one layer's passes read of a layout.
struct RankDegrees {
  double tp = 1.0, cp = 1.0, ep = 1.0, expert_tp = 1.0;
  double stride = 1.0;             ///< GPUs from one context rank to the next
  double sequences = 1.0;          ///< of one micro-batch
  bool sequence_parallel = false;
  friend bool operator==(const RankDegrees&, const RankDegrees&) = default;
};

/// ZeRO-3 without a pipeline: parameters arrive layer by layer.
inline bool gathers_layers(const Layout& l) { return l.zero >= 3 && l.pp <= 1; }

/// What one rank works on.
struct TrainingPlace : RankDegrees {
  Rates rates;
  const TrainingCoefficients* coefficients = nullptr;  ///< of this generation
  Kernel products = Kernel::half;  ///< of the layers' matrices
  double element = 2.0;            ///< bytes of an activation
  double throttle = 1.0;           ///< time of a product ÷ that without a power limit
  double tokens = 0.0;             ///< of one micro-batch on one rank
};

/// Times of one micro-batch; `host` is what the host needs to launch it, at least.
struct PassTimes {
  KernelTime forward, backward, attention;  ///< attention: the part of `forward` that selective recomputation repeats
  KernelTime weights;                       ///< the part of `backward` that weight gradients take
  double launches = 0.0;
  double host = 0.0;  ///< s of host time per pass beside launches
  double gathering_host = 0.0;  ///< the same where parameters arrive layer by layer (ZeRO-3 without a pipeline)
  PassTimes& operator+=(const PassTimes&);
  friend PassTimes operator*(PassTimes, double n);
};

/// What one rank holds and computes per micro-batch: the part of its pipeline stage.
struct StageWork {
  PassTimes times;                 ///< layers (and head) of the stage
  KernelTime recompute, dequantize;
  double layers = 0.0;             ///< of the stage
  double reductions = 0.0;         ///< tensor-parallel sums per forward pass
  double expert_layers = 0.0, experts_per_token = 0.0;
  double kv_bytes = 0.0;           ///< keys and values of the rank's tokens, all layers of the stage, one direction
  double attention_layers = 0.0;
  double dense_elements = 0.0, expert_elements = 0.0, adapter_elements = 0.0;
  double stored_bytes = 2.0;       ///< per element when gathered

  /// The same for n layers as for this one.
  friend StageWork operator*(StageWork w, double n);
};

/// Work of one rank with given degrees: a mean layer and the head, of one micro-batch, nothing recomputed.
struct RankWork {
  TrainingPlace at;
  StageWork layer;
  PassTimes head;
  double messages = 0.0;  ///< s, exposed, of the mean layer forward and backward: tensor, context and expert parallelism
  std::int64_t wired = 0; ///< of which wiring
};

struct PreparedTraining;

/// The machine that was timed last, and the work of each set of degrees on its GPU: a search asks for many layouts and machines of one GPU in a
/// row, and most of them share their degrees. Belongs to one job, so to one thread.
class TrainingSite {
 public:
  /// Stays valid until the next call.
  const RankWork& of(const PreparedTraining&, const Machine&, const Layout&);
  const Fabric& fabric() const { return fabric_; }

 private:
  void enter(const PreparedTraining&, const Machine&);
  RankWork& work_of(const PreparedTraining&, const RankDegrees&);

  Machine machine_;
  Rates rates_;
  Fabric fabric_;
  std::int64_t wired_ = 0;  ///< counts changes of the fabric
  std::vector<RankWork> known_;
};

}  // namespace gpuplan
