/// The search asks for memory millions of times: it must not allocate.
#include <atomic>
#include <cstdlib>
#include <new>

#include <catch2/catch.hpp>

#include "tests/unit/memory/memory_fixture.hpp"

namespace {
std::atomic<long> allocations{0};
}

void* operator new(std::size_t size) {
  ++allocations;
  void* p = std::malloc(size ? size : 1);
  if (!p) std::abort();
  return p;
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

using namespace gpuplan;
using namespace gpuplan::testing;

TEST_CASE("estimating memory allocates nothing without an explanation") {
  const auto [software_id, task] = GENERATE(std::pair<std::string, Task>{"vllm", Task::inference}, std::pair<std::string, Task>{"deepspeed", Task::full_finetune},
                                            std::pair<std::string, Task>{"megatron", Task::grpo});
  const Job job = job_for("Qwen/Qwen3-235B-A22B", software_id, task);
  const Machine machine = machine_of("nvidia-h100-sxm-80gb", 8, 4);
  const PreparedMemoryPtr prepared = prepare_memory(job);
  const Layout layout = degrees(4, 2, 4, 0);
  const long before = allocations;
  double sum = 0.0;
  for (int i = 0; i < 100; ++i) sum += estimate_memory(job, *prepared, machine, layout).used.value;
  sum += memory_lower_bound(job, *prepared, machine, layout).value;
  const long after = allocations;
  CHECK(after == before);
  CHECK(sum > 0.0);
}
