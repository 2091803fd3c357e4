#pragma once
/// What an engine keeps of one layer for a token and for a sequence [M-kv].
#include "core/memory/prepared.hpp"

namespace gpuplan::memory {

/// What an engine caches of a layer; before it knew latent caches, MLA layers were expanded to full heads.
/// Elements of `format`; what a format adds beside its elements is counted in them.
CacheShape cached_shape(const PreparedMemory&, const Layer&, KvFormat format);

/// Bytes per sequence. Recurrent states are kept in fp32, the inputs of convolutions in the model's own type; llama.cpp keeps both in fp32.
double state_bytes(const PreparedMemory&, const CacheShape&);

}  // namespace gpuplan::memory
