#include "core/memory/compute_buffer.hpp"

namespace gpuplan::memory {

double compute_buffer_bytes(const Job& job, const PreparedMemory& p, const Layout&, double ubatch) {
  const double head = (p.vocab + p.hidden) * ubatch * 4.0;
  const double context = static_cast<double>(job.workload.context);
  // Per token of context: fused attention reads the mask in fp32 and in fp16; otherwise every head has its scores beside an fp32 mask.
  const double rows = job.workload.flash_attention ? 1.5 : p.heads + 1.0;
  const double attention = (rows * context + 4.0 * p.hidden) * ubatch * 4.0;
  return head < attention ? attention : head;
}

}  // namespace gpuplan::memory
