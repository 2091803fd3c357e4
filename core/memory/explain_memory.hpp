#pragma once
/// The why of a memory answer: each part with its formula, inputs and coefficient.
#include "core/memory/memory.hpp"
#include "core/memory/prepared.hpp"

namespace gpuplan::memory {

/// Adds one term per part of `answer` (of its worst stage) and notes about what binds.
void explain_memory(Explanation&, const Job&, const PreparedMemory&, const Machine&, const Layout& staged, const Memory& answer);

}  // namespace gpuplan::memory
