#include "core/plan/technique.hpp"

#include <cstdint>

namespace gpuplan {

std::vector<std::string> technique(const Job& job, const Layout& l) {
  std::vector<std::string> out;
  if (is_training(job.task)) out.push_back(name(job.task));
  if (job.task != Task::qlora || job.weights != WeightFormat::nf4) out.push_back(name(job.weights));
  const auto degree = [&](const char* what, std::int64_t n, bool always = false) {
    if (n > 1 || always) out.push_back(what + std::to_string(n));
  };
  degree("tp", l.tp, !is_training(job.task) && l.split == ModelSplit::tensor);
  std::int32_t stages = 0;
  for (std::int32_t i = 0; i < l.pp; ++i) stages += !l.unused(i);
  if (l.split == ModelSplit::layer && l.pp > 1) out.push_back("layer-split" + std::to_string(stages));
  else degree("pp", l.pp);
  degree("dp", l.dp);
  degree("cp", l.cp);
  degree("ep", l.ep);
  if (l.attention_dp) out.push_back("attention-dp");
  degree("zero", l.zero, l.zero > 0);
  if (l.recompute != Recompute::none) out.push_back(l.recompute == Recompute::full ? "recompute" : "selective-recompute");
  if (l.offload != Offload::none) out.push_back(std::string("offload-") + name(l.offload));
  return out;
}

}  // namespace gpuplan
