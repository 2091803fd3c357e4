#include "core/memory/reserve.hpp"

namespace gpuplan::memory {

double context_bytes(const PreparedMemory& p) { return p.coefficient.context_bytes; }

double communicator_bytes(const PreparedMemory& p, const Layout& layout, const Machine* machine) {
  const double ranks = static_cast<double>(layout.gpus());
  if (ranks <= 1.0) return 0.0;
  double most = 7.0;
  if (machine) most = machine->scale_up <= ScaleUp::pcie_p2p ? 0.0 : static_cast<double>(machine->scale_up_domain.n) - 1.0;
  most = most < 7.0 ? most : 7.0;
  const double peers = ranks - 1.0 < most ? ranks - 1.0 : most;  // rings and trees keep few direct neighbours; channels to node mates dominate
  return p.coefficient.communicator_bytes + p.coefficient.peer_bytes * peers;
}

double fragmentation_bytes(const Coefficients& c, double dynamic) { return c.fragmentation * dynamic; }

}  // namespace gpuplan::memory
