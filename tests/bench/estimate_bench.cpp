// How fast the core is: full layout evaluations per second on one core, and whole tables through the protocol.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/api/call.hpp"
#include "tests/bench/layouts.hpp"

using namespace gpuplan;
using bench::context;
using bench::Layouts;

namespace {

/// Memory, time and cost of every possible layout of one model on every offer, prepared once: what the search does most.
void layouts(benchmark::State& state, Task task, const char* model) {
  const Layouts all(task, model);
  for (auto _ : state) benchmark::DoNotOptimize(all.evaluate());
  state.SetItemsProcessed(state.iterations() * all.size());
}
BENCHMARK_CAPTURE(layouts, serving_8b, Task::inference, "meta-llama/Llama-3.1-8B")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(layouts, serving_moe, Task::inference, "Qwen/Qwen3-235B-A22B")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(layouts, full_finetune_70b, Task::full_finetune, "meta-llama/Llama-3.1-70B")->Unit(benchmark::kMillisecond);

/// As many layouts as calculon's documented search has (8,112; 23 s there on two cores), each evaluated in full. 5,128 = 8 × 641 has few degrees:
/// its neighbours give as many.
void classic(benchmark::State& state) {
  const Layouts all = Layouts::classic(state.range(0), 8112);
  for (auto _ : state) benchmark::DoNotOptimize(all.evaluate());
  state.SetItemsProcessed(state.iterations() * all.size());
  state.counters["layouts"] = static_cast<double>(all.size());
}
BENCHMARK(classic)->Arg(5128)->Arg(5120)->Arg(5040)->Arg(4096)->Unit(benchmark::kMillisecond);

/// One request of the protocol, text to text. The search's own counts stand beside the time.
void request(benchmark::State& state, const std::string& text) {
  std::string answer;
  for (auto _ : state) benchmark::DoNotOptimize(answer = call(context(), text));
  if (answer.rfind("{\"error\"", 0) == 0) return state.SkipWithError("the request has no answer");
  const std::size_t at = answer.find("\"evaluated\":");
  if (at != std::string::npos) state.counters["evaluated"] = std::strtod(answer.c_str() + at + 12, nullptr);
}

/// The requests of tests/bench/requests.txt, which wasm_bench.ts times as well: a name and a request per line.
void add_requests() {
  std::ifstream file(GPUPLAN_BENCH_REQUESTS);
  std::string name, text;
  while (file >> name && std::getline(file >> std::ws, text)) {
    benchmark::RegisterBenchmark(("request/" + name).c_str(), [text](benchmark::State& state) { request(state, text); })->Unit(benchmark::kMillisecond);
  }
}

/// Peak memory of the process so far, in MiB; 0 where the system does not say.
double peak_mib() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    double kib = 0.0;
    if (word == "VmHWM:" && status >> kib) return kib / 1024.0;
  }
  return 0.0;
}

}  // namespace

int main(int argc, char** argv) {
  add_requests();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  std::printf("peak memory of all of them: %.1f MiB\n", peak_mib());
}
