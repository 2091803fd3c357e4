#include "native/probe/share.hpp"

#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>

#include "core/scenario/link.hpp"
#include "native/probe/assemble.hpp"

namespace gpuplan::probe {
namespace {

template <class List, class Test> void drop(List& list, Test test) { list.erase(std::remove_if(list.begin(), list.end(), test), list.end()); }

/// Ever smaller profiles: each step leaves out what changes an answer least. Returns false when nothing is left to leave out.
bool shrink(Profile& p, int step) {
  const auto type_is = [](Arithmetic t) { return [t](const GemmSurface& g) { return g.type == t; }; };
  switch (step) {
    case 0: drop(p.host, [](const HostFit& h) { return !h.pinned || h.direction == HostDirection::both_ways; }); return true;
    case 1: drop(p.peer, [](const PeerFit& f) { return !f.direct; }); return true;
    case 2: drop(p.memory, [](const MemoryFit& m) { return m.operation == MemoryOperation::write || m.operation == MemoryOperation::triad; }); return true;
    case 3: drop(p.collectives, [&](const CollectiveFit& c) { return c.ranks.n != p.machine.gpus_per_node.n * c.nodes.n; }); return true;
    case 4: drop(p.collectives, [](const CollectiveFit& c) { return c.kind != Collective::all_reduce; }); p.peer.clear(); return true;
    case 5: if (p.gemm_of(Arithmetic::bf16) != nullptr) drop(p.gemm, type_is(Arithmetic::fp16)); return true;
    case 6: drop(p.gemm, type_is(Arithmetic::tf32)); return true;
    case 7: p.host.clear(); return true;
    case 8: drop(p.gemm, type_is(Arithmetic::fp32)); return true;
    case 9: p.collectives.clear(); return true;
    case 10: drop(p.gemm, type_is(Arithmetic::int8)); p.dequantise = {}; return true;
    case 11: p.launch = {}; return true;
    case 12: drop(p.memory, [](const MemoryFit& m) { return m.operation != MemoryOperation::copy; }); return true;
    default: return false;
  }
}

Scenario scenario_of(const Profile& p) {
  Scenario s;
  if (!p.gpu.id.empty()) s.hardware.gpu = p.gpu.id;
  s.hardware.gpus_per_node = p.machine.gpus_per_node.n;
  if (p.machine.nodes.n > 1) s.hardware.nodes = p.machine.nodes.n;
  s.hardware.profile = std::make_shared<const Profile>(p);
  s.hardware.profile_json = write_profile(p).dump();
  return s;
}

std::string link_of(const Profile& p, const std::string& page) { return page.substr(0, page.find('#')) + encode_link(scenario_of(p)); }

}  // namespace

std::string profile_link(const Profile& p, const std::string& page) { return link_of(compact_profile(rounded(p)), page); }

std::string short_profile_link(const Profile& full, const std::string& page, std::size_t most_bytes) {
  Profile p = compact_profile(rounded(full));
  std::string link = link_of(p, page);
  for (int step = 0; link.size() > most_bytes; ++step) {
    if (!shrink(p, step)) return "";
    link = link_of(p, page);
  }
  return link;
}

}  // namespace gpuplan::probe
