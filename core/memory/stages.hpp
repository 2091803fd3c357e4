#pragma once
/// Which layers a pipeline stage (or a device of a layer split) holds, and how ranks divide what is on it.
#include <cstdint>

#include "core/layout/layout.hpp"
#include "core/memory/prepared.hpp"

namespace gpuplan::memory {

/// The layout as pipeline stages: a layer split turns its devices into stages of one rank.
Layout staged(const Layout&);

/// True when stages differ by more than their ends, so that every one must be looked at.
bool uneven(const PreparedMemory&, const Layout& staged);

/// The first stage that holds anything: cards may be left out.
std::int32_t first_used(const Layout& staged);

/// The first layer that is not in host memory.
std::int64_t first_on_gpu(const PreparedMemory&);

/// The machine as the card of a stage sees it, where cards differ.
Machine device_of(const Machine&, std::int32_t stage);

/// Everything that lives on `stage` (0 … pp−1). Stays valid until another pipeline of the same job is asked for.
const Sums& stage_sums(const PreparedMemory&, const Layout& staged, std::int32_t stage);

/// Room for the stages of any pipeline that the rules allow, so that estimates do not allocate.
void reserve_stages(PreparedMemory&);

/// Divisors of a layout: kv heads at most by their number, experts by the larger of tp and ep.
Ranks ranks_of(const PreparedMemory&, const Layout& staged);

/// Micro-batches whose activations a stage holds at its fullest, counted in forward passes of the whole stage: 1F1B P − i, interleaved more
/// (Narayanan et al. 2021, arXiv:2104.04473).
double in_flight(const Layout& staged, std::int32_t stage, double micro_batches);

}  // namespace gpuplan::memory
