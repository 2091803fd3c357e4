#pragma once
/// What the software, the model and the GPU really allow: each refusal says why [M-search].
#include <cstddef>
#include <cstdint>

#include "core/layout/job.hpp"
#include "core/layout/layout.hpp"

namespace gpuplan {

/// Why a candidate is refused, one line of meaning each.
enum class Refusal : std::uint8_t {
  none,
  vendor,             ///< the software does not run on this maker's GPUs
  compute_capability, ///< the software needs a newer GPU
  weight_format,      ///< the software does not load this weight format
  gpu_type,           ///< the GPU has no arithmetic for this type (bf16 before Ampere, fp8 before Ada, fp4 before Blackwell)
  kv_format,          ///< the software does not keep the KV cache in this type
  heads,              ///< tp does not divide the attention heads
  kv_heads,           ///< tp and the KV heads do not divide each other
  width,              ///< tp does not divide the feed-forward width
  degree,             ///< a parallel degree beyond what the software has
  domain,             ///< tp would cross the scale-up domain
  layers,             ///< more pipeline stages than layers
  experts,            ///< ep does not divide the experts, or there are none
  batch,              ///< dp × micro-batch does not divide the global batch
  sequence,           ///< cp does not divide the sequence
  context,            ///< longer than the model's positions
  split,              ///< the software has no such split
  zero,               ///< no such ZeRO stage, or nothing to shard over
  offload,            ///< the software cannot offload, or offload needs ZeRO
  task,               ///< the model class or the chip cannot do the task
  network,            ///< several nodes, and no network between them that anybody stated
  engines,            ///< prompts apart: no engine left for answers, or attention shared by ranks
  devices,            ///< cards that differ share a model only layer by layer, when serving
};
inline constexpr std::size_t refusal_count = 23;
const char* name(Refusal);

/// Whether the software loads this model in these types on this GPU; independent of the layout.
Refusal check_job(const Job&, const Gpu&);
/// Whether the layout is possible, recompute and offload aside; check_job has passed.
Refusal check_layout(const Job&, const Machine&, const Layout&);
/// Whether the layout's recompute and offload are possible.
Refusal check_savers(const Job&, const Layout&);

/// Arithmetic that the GEMMs of a job use on a GPU (weights or activations, whichever is computed in) and whether the GPU has it.
Arithmetic compute_arithmetic(const Job&);

}  // namespace gpuplan
