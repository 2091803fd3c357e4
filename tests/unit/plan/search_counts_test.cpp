/// How much the search looks at, counted and not timed: no worse than linear in the catalog and in the layouts.
#include "core/plan/search.hpp"
#include "knowledge_fixture.hpp"

using namespace gpuplan;

namespace {

SearchStatistics counts(const Knowledge& k, Task task, const char* model) {
  Scenario s;
  s.task = task;
  s.model.id = model;
  const auto found = search(k, s, "", Fit::with_headroom);
  REQUIRE(found);
  return found->statistics;
}

Knowledge with_instances(bool (*wanted)(std::size_t)) {
  Knowledge k = shipped_context().knowledge;
  std::vector<Instance> kept;
  for (std::size_t i = 0; i < k.catalog.instances.size(); ++i) {
    if (wanted(i)) kept.push_back(k.catalog.instances[i]);
  }
  k.catalog.instances = std::move(kept);
  return k;
}

}  // namespace

TEST_CASE("two halves of the catalog take at least the estimates of the whole") {
  const Task task = GENERATE(Task::inference, Task::qlora, Task::full_finetune);
  const SearchStatistics whole = counts(shipped_context().knowledge, task, "Qwen/Qwen2.5-7B");
  const SearchStatistics even = counts(with_instances([](std::size_t i) { return i % 2 == 0; }), task, "Qwen/Qwen2.5-7B");
  const SearchStatistics odd = counts(with_instances([](std::size_t i) { return i % 2 == 1; }), task, "Qwen/Qwen2.5-7B");
  CHECK(whole.evaluated > 0);
  CHECK(whole.evaluated <= even.evaluated + odd.evaluated);
  CHECK(whole.memory_only <= even.memory_only + odd.memory_only);
}

TEST_CASE("offers of the same machine cost no estimate of their own") {
  Knowledge twice = shipped_context().knowledge;
  const std::vector<Instance> once = twice.catalog.instances;
  for (Instance i : once) {
    i.id += "-again";
    twice.catalog.instances.push_back(i);
  }
  const SearchStatistics a = counts(shipped_context().knowledge, Task::inference, "Qwen/Qwen2.5-7B"), b = counts(twice, Task::inference, "Qwen/Qwen2.5-7B");
  CHECK(b.evaluated == a.evaluated);
  CHECK(b.memory_only == a.memory_only);
}

TEST_CASE("no layout is estimated more than once for a machine") {
  const Task task = GENERATE(Task::inference, Task::lora, Task::full_finetune, Task::pretraining);
  const SearchStatistics s = counts(shipped_context().knowledge, task, "meta-llama/Llama-3.3-70B-Instruct");
  CHECK(s.evaluated + s.refused + s.pruned == s.candidates);
  CHECK(s.evaluated + s.memory_only <= s.candidates - s.refused + s.machines);  // where nothing fits, the closest is timed as well
}
