#pragma once
/// Memory of one rank of a serving engine [M-memory-pool].
#include "core/memory/engine_pool.hpp"
#include "core/memory/memory.hpp"
#include "core/memory/prepared.hpp"

namespace gpuplan::memory {

struct ServingPeak {
  EngineSettings settings;
  StepMemory step;
  double pool = 0.0;      ///< bytes that the engine would give to the cache; negative = no room
  double needed = 0.0;    ///< cache bytes that the workload needs
  double host = 0.0;      ///< layers kept in host memory
  KvCapacity kv;
  MemoryParts parts;      ///< with the needed cache
};

ServingPeak serving_peak(const Job&, const PreparedMemory&, const Machine&, const Layout& staged, const EngineSettings&, std::int32_t stage);

}  // namespace gpuplan::memory
