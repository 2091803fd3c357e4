#include <cstddef>

#include "core/scenario/scenario.hpp"

namespace gpuplan {
namespace {
template <class Enum, std::size_t N>
const char* pick(const char* const (&names)[N], Enum e) { return names[static_cast<std::size_t>(e)]; }
}  // namespace

const char* name(Task v) {
  static constexpr const char* names[] = {"inference", "pretraining", "full-finetune", "lora", "qlora", "dpo", "ppo", "grpo"};
  return pick(names, v);
}
const char* name(Recompute v) {
  static constexpr const char* names[] = {"none", "selective", "full"};
  return pick(names, v);
}
const char* name(Offload v) {
  static constexpr const char* names[] = {"none", "optimizer", "parameters"};
  return pick(names, v);
}
const char* name(ModelSplit v) {
  static constexpr const char* names[] = {"tensor", "layer"};
  return pick(names, v);
}
const char* name(LossKernel v) {
  static constexpr const char* names[] = {"auto", "plain", "chunked", "fused"};
  return pick(names, v);
}
const char* name(Objective v) {
  static constexpr const char* names[] = {"cost", "throughput", "latency"};
  return pick(names, v);
}
const char* name(Pricing v) {
  static constexpr const char* names[] = {"on-demand", "spot", "reserved", "owned"};
  return pick(names, v);
}
const char* name(TierScheme v) {
  static constexpr const char* names[] = {"llm", "classic"};
  return pick(names, v);
}

}  // namespace gpuplan
