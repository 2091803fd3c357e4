#include <array>

#include "core/scenario/resolve.hpp"

namespace gpuplan {
namespace {

/// What is tried when the scenario names no software: widely used, in this order; the first that can run the job on a machine is taken.
struct Preference { Task task; std::array<const char*, 3> ids; };
constexpr Preference preferences[] = {
    {Task::inference, {"vllm", "llama.cpp", "paddle"}},      {Task::pretraining, {"megatron", "fsdp", "deepspeed"}},
    {Task::full_finetune, {"deepspeed", "fsdp", "transformers"}}, {Task::lora, {"ms-swift", "transformers", "deepspeed"}},
    {Task::qlora, {"ms-swift", "transformers", ""}},         {Task::dpo, {"ms-swift", "deepspeed", "transformers"}},
    {Task::ppo, {"ms-swift", "deepspeed", ""}},              {Task::grpo, {"ms-swift", "deepspeed", ""}}};

bool does(const Software& s, Task task) {
  for (const std::string& t : s.tasks) {
    if (t == name(task)) return true;
  }
  return false;
}

Problem cannot(const Catalog& catalog, const Software& s, Task task) {
  Problem p{"/software", ProblemCode::unsupported, "/software \"" + s.id + "\" does not do the task " + name(task) + ".", {}};
  for (const Software& other : catalog.software) {
    if (does(other, task)) p.nearest.push_back(other.id);
  }
  if (!p.nearest.empty()) p.message += " These do: ";
  for (std::size_t i = 0; i < p.nearest.size(); ++i) p.message += (i ? ", " : "") + p.nearest[i];
  if (!p.nearest.empty()) p.message += ".";
  return p;
}

}  // namespace

Result<std::vector<int>> resolve_software(const Knowledge& knowledge, const Scenario& scenario) {
  if (scenario.software) {
    auto found = find_software(knowledge.catalog, *scenario.software, "/software");
    if (!found) return found.problem();
    const Software& s = knowledge.catalog.software[static_cast<std::size_t>(*found)];
    if (!does(s, scenario.task)) return cannot(knowledge.catalog, s, scenario.task);
    return std::vector<int>{*found};
  }
  std::vector<int> out;
  for (const Preference& p : preferences) {
    if (p.task != scenario.task) continue;
    for (const char* id : p.ids) {
      const auto found = id[0] ? find_software(knowledge.catalog, id, "/software") : Result<int>(-1);
      if (found && *found >= 0 && does(knowledge.catalog.software[static_cast<std::size_t>(*found)], scenario.task)) out.push_back(*found);
    }
  }
  return out;
}

}  // namespace gpuplan
