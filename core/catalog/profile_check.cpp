#include "core/catalog/profile_check.hpp"

namespace gpuplan::profile_fields {
namespace {

using Check = std::optional<Contradiction>;

Check check_fit(const TransferFit& f, const std::string& where) {
  for (std::size_t i = 0; i < f.segments.size(); ++i) {
    const std::string at = where + "/segments/" + std::to_string(i) + "/from_bytes";
    if (i == 0 && f.segments[i].from.value != 0.0) return {{at, "must be 0 in the first segment"}};
    if (i > 0 && f.segments[i].from <= f.segments[i - 1].from) return {{at, "must be larger than in the segment before"}};
  }
  return {};
}
template <class List> Check check_fits(const List& list, const std::string& name) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (Check c = check_fit(list[i].fit, "/" + name + "/" + std::to_string(i))) return c;
  }
  return {};
}
Check check_surface(const GemmSurface& g, const std::string& where) {
  for (std::size_t i = 1; i < g.m.size(); ++i) {
    if (g.m[i] <= g.m[i - 1]) return {{where + "/m/" + std::to_string(i), "must be larger than the one before"}};
  }
  for (std::size_t i = 0; i < g.shapes.size(); ++i) {
    if (g.shapes[i].rates.size() != g.m.size()) {
      return {{where + "/shapes/" + std::to_string(i) + "/flops_per_second", "must have as many entries as m"}};
    }
  }
  return {};
}
Check check_gemm(const Profile& p) {
  for (std::size_t i = 0; i < p.gemm.size(); ++i) {
    const std::string where = "/gemm/" + std::to_string(i);
    if (p.gemm_of(p.gemm[i].type) != &p.gemm[i]) return {{where + "/type", "is there twice"}};
    if (Check c = check_surface(p.gemm[i], where)) return c;
  }
  return {};
}
Check check_peers(const Profile& p) {
  for (std::size_t i = 0; i < p.peer.size(); ++i) {
    for (std::size_t j = 0; j < p.peer[i].pairs.size(); ++j) {
      const auto [from, to] = p.peer[i].pairs[j];
      if (from >= p.machine.gpus_per_node.n || to >= p.machine.gpus_per_node.n || from == to) {
        return {{"/peer/" + std::to_string(i) + "/pairs/" + std::to_string(j), "must name two different GPUs of the node"}};
      }
    }
  }
  return {};
}

}  // namespace

std::optional<Contradiction> contradiction(const Profile& p) {
  if (p.gpu.memory_usable > p.gpu.memory_total) return {{"/gpu/memory_usable_bytes", "must not be larger than memory_total_bytes"}};
  for (const Check& c : {check_fits(p.memory, "memory"), check_fits(p.host, "host"), check_fits(p.peer, "peer"),
                         check_fits(p.collectives, "collectives"), check_gemm(p), check_peers(p)}) {
    if (c) return c;
  }
  return {};
}

}  // namespace gpuplan::profile_fields
