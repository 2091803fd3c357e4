#pragma once
/// What prepare_memory leaves for estimate_memory: sums, rows of the recipe tables, resolved coefficients.
#include <array>
#include <cstdint>
#include <vector>

#include "core/layout/job.hpp"
#include "core/layout/layout.hpp"
#include "core/memory/memory.hpp"
#include "core/memory/recipes.hpp"
#include "core/memory/sums.hpp"

namespace gpuplan::memory {

/// Layers that cache alike.
struct CacheGroup {
  std::int64_t window = 0;   ///< tokens after which the cache stops growing, 0 = never
  std::int64_t kv_heads = 0; ///< heads that ranks can divide, 0 = a copy on every rank
};

/// The coefficients of assets/calibration/memory.json that the job's recipe names.
struct Coefficients {
  double logit_bytes = 0.0, floor_bytes = 0.0;
  double prefill_factor = 0.0, graph_bytes = 0.0, image_tiles = 0.0, image_copies = 0.0, classic_share = 0.0;                      ///< engines
  double context_bytes = 0.0, communicator_bytes = 0.0, peer_bytes = 0.0;
  double fragmentation = 0.0, working_share = 0.0, host_factor = 1.0, galore_rank = 0.0, fused_loss_bytes = 0.0, classic_copies = 1.0;  ///< training
  double used_low = 1.0, used_high = 1.0, tokens_low = 1.0, tokens_high = 1.0;  ///< ends of the range ÷ estimate
};

/// Sums of the stages of pipelines that were asked for: a search comes back to a few of them for every machine, and none of the sums depends on
/// more than pp, split and stage. Belongs to one job, so to one thread.
struct StageCache {
  struct Pipeline {
    std::int32_t pp = 0;
    ModelSplit split = ModelSplit::tensor;
    std::array<std::int16_t, 8> device_layers{};
    std::size_t first = 0;  ///< of its stages in `sums`
  };
  std::vector<Pipeline> pipelines;
  std::size_t last = 0;     ///< pipeline that was asked for last
  std::vector<Sums> sums;
  std::vector<char> known;
};

}  // namespace gpuplan::memory

namespace gpuplan {

struct PreparedMemory {
  const memory::TrainingRecipe* training = nullptr;
  const memory::TrainingRecipe* sharded_training = nullptr;  ///< the row that holds under ZeRO
  const memory::TaskRecipe* task = nullptr;
  const memory::EngineRecipe* engine = nullptr;
  const memory::OptimizerRecipe* optimizer = nullptr;
  memory::Coefficients coefficient;          ///< of the engine, or of the framework while nothing is sharded
  memory::Coefficients sharded_coefficient;  ///< of the framework's row under ZeRO

  std::vector<memory::Sums> prefix;    ///< prefix[i] = sum of the layers before i
  memory::Sums first, last;            ///< parts before and after the layers (embeddings; final norm and head)
  memory::Sums tied;                   ///< the copy of a tied embedding that a separate last stage holds
  memory::Sums largest;                ///< per slot, the largest layer
  std::array<memory::CacheGroup, memory::cache_groups> groups{};
  std::array<double, 2> kv_heads{1.0, 1.0};
  double hidden = 0.0, vocab = 0.0, heads = 0.0;
  double element = 2.0;                ///< bytes of an activation
  double largest_bytes_per_element = 2.0;    ///< of a gathered layer
  double image_bytes = 0.0;            ///< what the tower of a cross-attention model needs for the image of one request
  double item_tokens = 0.0;            ///< tokens of one item where the model fixes them (vision transformers), 0 = the workload's
  double activation_elements_per_item = 0.0; ///< classic models: outputs that a forward pass keeps, per item
  double frozen_copies = 0.0;          ///< further 16-bit models beside the one that trains
  double trained_copies = 1.0;         ///< models with gradients and optimizer state
  double dora_matrix = 0.0;            ///< elements of the largest matrix whose adapter has a magnitude (DoRA)
  double rotation_bytes = 0.0;         ///< sines and cosines that the engine keeps for every position
  bool mixed_layers = false;           ///< layers differ in what they hold
  bool upcast = false;                 ///< what is not quantised, and the residual stream, are in fp32
  bool trains = false;
  std::int64_t gpu_units = -1;         ///< layers on GPUs where some stay in host memory; -1 = all, and the head
  mutable memory::StageCache stages;
};

}  // namespace gpuplan
