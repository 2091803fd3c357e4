#pragma once
/// NCCL communicators: of the GPUs of one process, or of many processes that a launcher started, joined by NCCL's own bootstrap.
#include <memory>
#include <vector>

#include <nccl.h>

#include "native/probe/cuda/stream_work.hpp"
#include "native/probe/world.hpp"

namespace gpuplan::probe {

Trouble check(ncclResult_t, const char* what);

/// This process' part of a group of GPUs: none, one (with a launcher) or all of them.
struct LocalMember { int device, rank; ncclComm_t comm; };
struct CommunicatorGroup {
  int ranks = 0, nodes = 0;
  std::vector<LocalMember> members;
};

class Communicators {
 public:
  Communicators(Board& board, const World& world) : board_(board), world_(world) {}
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;
  ~Communicators();

  /// With a launcher: joins all processes, within `timeout_seconds`.
  Trouble join(double timeout_seconds);
  /// The group of `ranks` GPUs spread evenly over the first `nodes` nodes; the one before it is closed. All processes call this together.
  Outcome<const CommunicatorGroup*> group(int ranks, int nodes);
  /// The largest value of all processes. A process that is lost makes it infinite.
  double agree(double value);

 private:
  Outcome<CommunicatorGroup> make_local(int ranks);
  Outcome<CommunicatorGroup> make_split(int ranks, int nodes);
  void close_group();

  Board& board_;
  World world_;
  ncclComm_t all_ = nullptr;
  Buffer agreed_;
  CommunicatorGroup group_;
  bool broken_ = false;
};

Outcome<std::unique_ptr<Prepared>> prepare_collective(Board&, Communicators&, const CollectiveWork&);
/// "2.28.9"
std::string nccl_version();

}  // namespace gpuplan::probe
