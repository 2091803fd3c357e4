#pragma once
/// What a training step needs to know of a job, read once before layouts are timed [M-step].
#include <array>
#include <memory>
#include <vector>

#include "core/compute/operators.hpp"
#include "core/compute/training_work.hpp"

namespace gpuplan {

/// One product with what adapters add to it.
struct TrainedGemm {
  Gemm gemm;
  bool adapted = false;  ///< carries a low-rank adapter
};

/// Elements of one layer by how ranks divide them.
struct LayerElements {
  double dense_split = 0.0, dense_replicated = 0.0, kv = 0.0, kv_heads = 1.0, expert = 0.0;
  double stored_bytes = 2.0;  ///< mean bytes per element of the base weights

  double dense_at(double tp) const;
  double expert_at(double ep, double expert_tp) const { return expert / (ep * expert_tp); }
};

struct TrainedLayer {
  double layers = 0.0;
  std::vector<TrainedGemm> gemms;
  Mixer mixer;
  Mlp mlp;
  double stream_elements = 0.0, stream_elements_split = 0.0, launches = 0.0;
  double routed_elements = 0.0;  ///< element-wise traffic per token of routed experts: gather, activation, scatter
  double adapter_elements = 0.0, adapted_products = 0.0;
  double pairs = 0.0;           ///< query · key pairs of one causal sequence
  double flops_per_pair = 0.0;  ///< all heads
  double recurrence = 0.0;      ///< flops per token of a recurrent mixer
  LayerElements elements;
};

struct PreparedTraining {
  std::vector<TrainedLayer> kinds;
  Surfaces surfaces;
  CommCoefficients comm;
  TrainingTable coefficients{};
  const TrainingBehaviour* behaviour = nullptr;
  double layers = 0.0, hidden = 0.0, vocab = 0.0, sequence = 0.0;
  double item_flops = 0.0, item_elements = 0.0;  ///< classic models: forward flops and kept outputs per image; `sequence` is 1 then
  double head_share = 1.0;           ///< of the tokens whose logits are computed
  double outside_elements = 0.0;     ///< embedding, head and what else lies outside the layers
  double sequences_per_sample = 1.0; ///< forward and backward passes of the trained model per sample (DPO: chosen and rejected)
  double reference_passes = 0.0;     ///< forward passes of frozen models per sequence
  double useful = 1.0;               ///< share of a sequence's tokens that are not padding
  Bytes checkpoint;                  ///< of the whole job
  double update_bytes = 0.0;         ///< optimizer traffic per trained element
  double gradient_bytes = 0.0;       ///< per element when reduced
  bool adapters = false, quantized = false, packed = false, routed = false, rollout = false, fp8 = false, fp4 = false, fp32 = false, flash = true;
  bool fused_loss = false;
  mutable TrainingSite site;
  Flops forward_products, forward_attention;  ///< model flops of one sequence's forward pass; causal attention counted once
};
std::unique_ptr<PreparedTraining> prepare_training(const Job&);

}  // namespace gpuplan
