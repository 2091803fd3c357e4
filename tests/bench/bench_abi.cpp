// The loop over layouts as a WebAssembly module of its own, timed by wasm_bench.ts.
#include <memory>

#include "tests/bench/layouts.hpp"

using gpuplan::Task;
using gpuplan::bench::Layouts;

namespace {
std::unique_ptr<Layouts> chosen;  // the module has no other state
}

/// Lists the layouts: 0 serving 8B, 1 serving a mixture of experts, 2 full fine-tuning of 70B, 3 calculon's classic search. Returns how many.
extern "C" __attribute__((used, visibility("default"), export_name("bench_choose"))) double bench_choose(int which) {
  if (which == 3) chosen = std::make_unique<Layouts>(Layouts::classic(5120, 8112));
  else if (which == 2) chosen = std::make_unique<Layouts>(Task::full_finetune, "meta-llama/Llama-3.1-70B");
  else if (which == 1) chosen = std::make_unique<Layouts>(Task::inference, "Qwen/Qwen3-235B-A22B");
  else chosen = std::make_unique<Layouts>(Task::inference, "meta-llama/Llama-3.1-8B");
  return static_cast<double>(chosen->size());
}

extern "C" __attribute__((used, visibility("default"), export_name("bench_evaluate"))) double bench_evaluate() { return chosen->evaluate(); }
