#include "core/memory/logits.hpp"

#include "core/memory/optimizer_state.hpp"

namespace gpuplan::memory {

double loss_bytes(const Job& job, const PreparedMemory& p, const Layout& layout, double tokens) {
  const TrainingRecipe& r = recipe_for(p, layout);
  const Coefficients& c = coefficients_for(p, layout);
  const double entries = r.vocab_parallel ? p.vocab / layout.tp : p.vocab;
  const double bytes = c.logit_bytes + (p.upcast ? 4.0 : 0.0);  // an fp32 head gives fp32 logits and gradients, 2 bytes more each
  switch (loss_kernel(job, r)) {
    case LossKernel::chunked:  // 16-bit logits stay whole; the fp32 copies exist for one of eight chunks at a time, compiled not at all
      return tokens * entries * (2.0 + (job.workload.compiled ? 0.0 : (bytes - 2.0) / 8.0));
    case LossKernel::fused: {
      if (r.fused_logit_bytes > 0.0) return tokens * entries * r.fused_logit_bytes;  // Liger: chunks of tokens so that logits of a chunk are no larger than the hidden states
      const double fused = tokens * p.hidden * c.fused_loss_bytes, plain = tokens * entries * bytes;
      return fused < plain ? fused : plain;
    }
    default: return tokens * entries * bytes;
  }
}

}  // namespace gpuplan::memory
