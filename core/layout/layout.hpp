#pragma once
/// How a job is spread over GPUs. tp × pp × dp × cp = GPUs; ep divides experts over (part of) the dp × cp × tp ranks.
#include <array>
#include <cstdint>

#include "core/scenario/scenario.hpp"

namespace gpuplan {

struct Layout {
  std::int32_t tp = 1;  ///< tensor parallel degree
  std::int32_t pp = 1;  ///< pipeline stages
  std::int32_t dp = 1;  ///< data parallel replicas (serving: independent engines, or attention-dp ranks)
  std::int32_t cp = 1;  ///< context parallel degree
  std::int32_t ep = 1;  ///< expert parallel degree
  std::int32_t virtual_stages = 1;  ///< model chunks per pipeline stage (interleaved schedule)
  std::int32_t micro_batch = 1;     ///< training: sequences per micro-step and replica
  std::int8_t zero = 0;             ///< 0–3 (FSDP full shard = 3, shard-grad-op = 2, Megatron distributed optimizer = 1)
  std::int32_t shard_group = 0;     ///< ranks that ZeRO shards over; replicas of them reduce gradients (hybrid sharding); 0 = all
  bool zero_bubble = false;         ///< weight gradients fill the pipeline's bubble (ZB-H1)
  bool sequence_parallel = false, attention_dp = false;
  Offload offload = Offload::none;
  Recompute recompute = Recompute::none;
  ModelSplit split = ModelSplit::tensor;
  /// Layer split over cards that differ: layers of each, the head counts as one more; all 0 = as even as it goes.
  std::array<std::int16_t, 8> device_layers{};

  bool by_device() const { return device_layers != std::array<std::int16_t, 8>{}; }
  bool unused(std::int32_t device) const { return by_device() && device_layers[static_cast<std::size_t>(device)] == 0; }
  std::int64_t gpus() const { return std::int64_t{tp} * pp * dp * cp; }
};

}  // namespace gpuplan
