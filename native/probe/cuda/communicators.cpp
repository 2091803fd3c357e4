#include "native/probe/cuda/communicators.hpp"

#include <cstdlib>
#include <functional>
#include <future>
#include <limits>
#include <thread>

#ifdef GPUPLAN_PROBE_MPI
#include "native/probe/cuda/mpi_bootstrap.hpp"
#endif

namespace gpuplan::probe {
namespace {

constexpr double agree_timeout_seconds = 900.0;  ///< the others may wait while rank 0 measures its GPU

/// Runs a call of NCCL that waits for other processes; after the time-out it is left behind and nothing is freed any more.
Trouble within(double timeout_seconds, int device, const char* what, std::function<ncclResult_t()> call) {
  auto done = std::make_shared<std::promise<ncclResult_t>>();
  std::future<ncclResult_t> result = done->get_future();
  std::thread([done, device, call = std::move(call)] {
    cudaSetDevice(device);
    done->set_value(call());
  }).detach();
  if (result.wait_for(std::chrono::duration<double>(timeout_seconds)) == std::future_status::ready) return check(result.get(), what);
  device_hangs() = true;
  return Failure{Fault::timed_out, std::string(what) + ": the other processes did not join within " + std::to_string(static_cast<int>(timeout_seconds)) + " s"};
}

/// All processes must hold the same id: NCCL derives it from the address of rank 0, or MPI carries it.
Trouble shared_id(const World& w, ncclUniqueId& id) {
  if (!w.master.empty()) {
    const std::string address = (w.master.find(':') != std::string::npos ? "[" + w.master + "]" : w.master) + ":" + std::to_string(w.port);
    setenv("NCCL_COMM_ID", address.c_str(), 0);
    return check(ncclGetUniqueId(&id), "NCCL bootstrap");
  }
#ifdef GPUPLAN_PROBE_MPI
  if (w.rank == 0) {
    if (Trouble t = check(ncclGetUniqueId(&id), "NCCL bootstrap")) return t;
  }
  return broadcast_by_mpi(&id, sizeof id, w) ? Trouble{} : Failure{Fault::failed, "MPI could not share NCCL's id"};
#else
  return Failure{Fault::failed, "set MASTER_ADDR to an address of rank 0's host (this build has no MPI to find it)"};
#endif
}

}  // namespace

Trouble check(ncclResult_t r, const char* what) {
  if (r == ncclSuccess) return {};
  const bool lost = r == ncclUnhandledCudaError;
  return Failure{lost ? Fault::lost : Fault::failed, std::string(what) + ": NCCL: " + ncclGetErrorString(r)};
}

std::string nccl_version() {
  int v = 0;
  if (ncclGetVersion(&v) != ncclSuccess) return "";
  return v < 10000 ? std::to_string(v / 1000) + "." + std::to_string(v / 100 % 10) + "." + std::to_string(v % 100)
                   : std::to_string(v / 10000) + "." + std::to_string(v / 100 % 100) + "." + std::to_string(v % 100);
}

Trouble Communicators::join(double timeout_seconds) {
  if (world_.size == 1) return {};
  ncclUniqueId id{};
  if (Trouble t = shared_id(world_, id)) return t;
  if (Trouble t = agreed_.allocate(sizeof(double))) return t;
  const auto joined = std::make_shared<ncclComm_t>(nullptr);
  const World w = world_;
  if (Trouble t = within(timeout_seconds, board_.device, "joining the other processes", [joined, w, id] { return ncclCommInitRank(joined.get(), w.size, id, w.rank); })) return t;
  all_ = *joined;
  return {};
}

Communicators::~Communicators() {
  if (device_hangs()) return;
  close_group();
  if (all_ != nullptr) ncclCommDestroy(all_);
}

void Communicators::close_group() {
  for (const LocalMember& m : group_.members) ncclCommDestroy(m.comm);
  group_ = {};
}

Outcome<CommunicatorGroup> Communicators::make_local(int ranks) {
  CommunicatorGroup g{ranks, 1, {}};
  std::vector<ncclComm_t> comms(static_cast<std::size_t>(ranks));
  std::vector<int> devices;
  for (int i = 0; i < ranks; ++i) devices.push_back(i);
  if (Trouble t = check(ncclCommInitAll(comms.data(), ranks, devices.data()), "communicator")) return *t;
  for (int i = 0; i < ranks; ++i) g.members.push_back({i, i, comms[static_cast<std::size_t>(i)]});
  return g;
}

Outcome<CommunicatorGroup> Communicators::make_split(int ranks, int nodes) {
  const int per_node = ranks / nodes, node = world_.rank / world_.local_size;
  const bool member = node < nodes && world_.local_rank < per_node;
  ncclComm_t comm = nullptr;
  if (Trouble t = check(ncclCommSplit(all_, member ? 0 : NCCL_SPLIT_NOCOLOR, world_.rank, &comm, nullptr), "communicator")) return *t;
  CommunicatorGroup g{ranks, nodes, {}};
  if (member) g.members.push_back({board_.device, node * per_node + world_.local_rank, comm});
  return g;
}

Outcome<const CommunicatorGroup*> Communicators::group(int ranks, int nodes) {
  if (group_.ranks == ranks && group_.nodes == nodes) return &group_;
  close_group();
  Outcome<CommunicatorGroup> made = world_.size == 1 ? make_local(ranks) : make_split(ranks, nodes);
  if (!made) return made.failure();
  group_ = std::move(*made);
  return &group_;
}

double Communicators::agree(double value) {
  if (all_ == nullptr) return value;
  const double lost = std::numeric_limits<double>::infinity();
  if (broken_) return lost;
  Event done;
  cudaSetDevice(board_.device);
  cudaMemcpyAsync(agreed_.get(), &value, sizeof value, cudaMemcpyHostToDevice, board_.stream);
  Trouble t = check(ncclAllReduce(agreed_.get(), agreed_.get(), 1, ncclDouble, ncclMax, all_, board_.stream), "agreement");
  cudaEventRecord(done.get(), board_.stream);
  if (!t) t = wait_for(done.get(), agree_timeout_seconds);
  if (!t) t = check(cudaMemcpy(&value, agreed_.get(), sizeof value, cudaMemcpyDeviceToHost), "agreement");
  broken_ = t.has_value();
  return broken_ ? lost : value;
}

}  // namespace gpuplan::probe
