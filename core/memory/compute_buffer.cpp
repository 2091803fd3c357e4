#include "core/memory/compute_buffer.hpp"

namespace gpuplan::memory {

double compute_buffer_bytes(const Job& job, const PreparedMemory& p, const Layout&, double ubatch) {
  const double head = (p.vocab + p.hidden) * ubatch * 4.0;
  if (job.workload.flash_attention) return head;
  const double context = static_cast<double>(job.workload.context);
  const double scores = ((p.heads + 1.0) * context + 4.0 * p.hidden) * ubatch * 4.0;
  return head < scores ? scores : head;
}

}  // namespace gpuplan::memory
