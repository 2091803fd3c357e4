// How fast the core is: full layout evaluations per second on one core, and whole tables through the protocol.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/api/call.hpp"
#include "core/layout/enumerate.hpp"
#include "core/layout/rules.hpp"
#include "core/plan/candidates.hpp"
#include "core/plan/cost.hpp"

using namespace gpuplan;

namespace {

const char* const today = "2026-12-01";

const Context& context() {
  static const Context made = [] {
    auto result = make_context();
    if (!result) std::abort();
    return *std::move(result);
  }();
  return made;
}

/// One possible layout on one machine.
struct Place {
  const Candidate* candidate;
  const Offer* offer;
  Layout layout;
};

std::vector<Place> possible_places(const Candidates& candidates, const std::vector<Offer>& offers, const LayoutWish& wish) {
  std::int64_t refusals[refusal_count] = {};
  std::vector<Place> places;
  for (const Offer& offer : offers) {
    for (const Candidate* c : candidates_for(candidates, *offer.machine.gpu, refusals)) {
      for_each_layout(c->job, offer.machine, wish, [&](const Layout& layout) {
        const bool possible = check_layout(c->job, offer.machine, layout) == Refusal::none && check_savers(c->job, layout) == Refusal::none;
        if (possible) places.push_back({c, &offer, layout});
      });
    }
  }
  return places;
}

/// Memory, time and cost of every possible layout of one model on every offer, prepared once: what the search does most.
void layouts(benchmark::State& state, Task task, const char* model) {
  Scenario scenario;
  scenario.model.id = model;
  scenario.task = task;
  const auto candidates = make_candidates(context().knowledge, scenario);
  const auto offers = resolve_offers(context().knowledge, scenario, today);
  if (!candidates || !offers) return state.SkipWithError("the scenario has no candidates");
  const std::vector<Place> places = possible_places(*candidates, *offers, scenario.layout);
  for (auto _ : state) {
    for (const Place& p : places) {
      const Job& job = p.candidate->job;
      const Memory memory = estimate_memory(job, *p.candidate->memory, p.offer->machine, p.layout);
      const Time time = estimate_time(job, *p.candidate->time, p.offer->machine, p.layout, memory);
      benchmark::DoNotOptimize(estimate_cost(job, p.offer->machine, time, p.offer->usd_per_hour));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(places.size()));
}
BENCHMARK_CAPTURE(layouts, serving_8b, Task::inference, "meta-llama/Llama-3.1-8B")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(layouts, serving_moe, Task::inference, "Qwen/Qwen3-235B-A22B")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(layouts, full_finetune_70b, Task::full_finetune, "meta-llama/Llama-3.1-70B")->Unit(benchmark::kMillisecond);

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
