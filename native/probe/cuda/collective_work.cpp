#include <algorithm>
#include <cmath>
#include <limits>

#include "native/probe/cuda/communicators.hpp"

namespace gpuplan::probe {
namespace {

constexpr int most_queued = 100;
const double failed_here = std::numeric_limits<double>::infinity();

/// A local GPU's buffers and stream.
struct Place {
  int device, rank;
  ncclComm_t comm;
  cudaStream_t stream = nullptr;
  Buffer send, receive;
  cudaEvent_t start = nullptr, stop = nullptr;
};

/// One collective over the group; every process takes part in preparing, verifying and timing, members or not, so that all decide alike.
class NcclWork : public Prepared {
 public:
  NcclWork(Board& board, Communicators& all, const CollectiveWork& work) : board_(board), all_(all), w_(work), elements_(static_cast<std::size_t>(work.bytes) / sizeof(float)) {}
  NcclWork(const NcclWork&) = delete;
  NcclWork& operator=(const NcclWork&) = delete;
  ~NcclWork() override;

  Trouble prepare();
  Outcome<Done> verify() override;
  Outcome<double> time(int iterations, double timeout_seconds) override;

 private:
  std::size_t share() const { return elements_ / static_cast<std::size_t>(w_.ranks); }
  std::size_t sent() const { return w_.kind == Collective::all_gather ? share() : elements_; }
  std::size_t received() const { return w_.kind == Collective::reduce_scatter ? share() : elements_; }
  Trouble prepare_here();
  Trouble verify_here();
  Outcome<double> time_here(int iterations, double timeout_seconds);
  Trouble queue_all();
  ncclResult_t queue(const Place&) const;
  ncclResult_t queue_all_to_all(const Place&) const;
  double expected(int rank, std::size_t i) const;
  Trouble compare(const Place&) const;
  Outcome<double> elapsed(double timeout_seconds);

  Board& board_;
  Communicators& all_;
  CollectiveWork w_;
  std::size_t elements_;
  std::vector<Place> places_;
};

NcclWork::~NcclWork() {
  if (device_hangs()) return;
  for (Place& p : places_) {
    cudaSetDevice(p.device);
    if (p.start != nullptr) cudaEventDestroy(p.start);
    if (p.stop != nullptr) cudaEventDestroy(p.stop);
    if (p.stream != nullptr) cudaStreamDestroy(p.stream);
  }
  cudaSetDevice(board_.device);
}

Trouble NcclWork::prepare_here() {
  Outcome<const CommunicatorGroup*> group = all_.group(w_.ranks, w_.nodes);
  if (!group) return group.failure();
  for (const LocalMember& m : (*group)->members) places_.push_back({m.device, m.rank, m.comm, nullptr, {}, {}, nullptr, nullptr});
  for (Place& p : places_) {
    cudaSetDevice(p.device);
    if (Trouble t = p.send.allocate(sent() * sizeof(float))) return t;
    if (Trouble t = p.receive.allocate(received() * sizeof(float))) return t;
    if (Trouble t = check(cudaStreamCreateWithFlags(&p.stream, cudaStreamNonBlocking), "stream")) return t;
    if (Trouble t = check(cudaEventCreate(&p.start), "event")) return t;
    if (Trouble t = check(cudaEventCreate(&p.stop), "event")) return t;
    fill_pattern(p.send.as<float>(), sent(), static_cast<float>(p.rank), p.stream);
    if (Trouble t = launched("pattern")) return t;
  }
  return {};
}

/// A fault of one process is a fault of all: else the others would wait for it for ever.
Trouble NcclWork::prepare() {
  const Trouble t = prepare_here();
  if (std::isfinite(all_.agree(t ? failed_here : 0.0))) return {};
  return t ? t : Failure{Fault::out_of_memory, "another process could not prepare this collective"};
}

ncclResult_t NcclWork::queue_all_to_all(const Place& p) const {
  ncclResult_t r = ncclSuccess;
  for (int other = 0; other < w_.ranks && r == ncclSuccess; ++other) {
    const std::size_t at = static_cast<std::size_t>(other) * share();
    r = ncclSend(p.send.as<float>() + at, share(), ncclFloat, other, p.comm, p.stream);
    if (r == ncclSuccess) r = ncclRecv(p.receive.as<float>() + at, share(), ncclFloat, other, p.comm, p.stream);
  }
  return r;
}

ncclResult_t NcclWork::queue(const Place& p) const {
  switch (w_.kind) {
    case Collective::all_reduce: return ncclAllReduce(p.send.get(), p.receive.get(), elements_, ncclFloat, ncclSum, p.comm, p.stream);
    case Collective::all_gather: return ncclAllGather(p.send.get(), p.receive.get(), share(), ncclFloat, p.comm, p.stream);
    case Collective::reduce_scatter: return ncclReduceScatter(p.send.get(), p.receive.get(), share(), ncclFloat, ncclSum, p.comm, p.stream);
    case Collective::all_to_all: return queue_all_to_all(p);
    case Collective::send_recv:  // one direction, as a pipeline stage hands on
      return p.rank == 0 ? ncclSend(p.send.get(), elements_, ncclFloat, 1, p.comm, p.stream) : ncclRecv(p.receive.get(), elements_, ncclFloat, 0, p.comm, p.stream);
  }
  return ncclInvalidArgument;
}

Trouble NcclWork::queue_all() {
  if (places_.empty()) return {};
  ncclGroupStart();
  ncclResult_t r = ncclSuccess;
  for (const Place& p : places_) {
    if (r == ncclSuccess) r = queue(p);
  }
  const ncclResult_t end = ncclGroupEnd();
  return check(r != ncclSuccess ? r : end, name(w_.kind));
}

Outcome<double> NcclWork::elapsed(double timeout_seconds) {
  double longest = 0.0;
  for (const Place& p : places_) {
    if (Trouble t = wait_for(p.stop, timeout_seconds)) return *t;
    float milliseconds = 0.0f;
    if (Trouble t = check(cudaEventElapsedTime(&milliseconds, p.start, p.stop), "event time")) return *t;
    longest = std::max(longest, static_cast<double>(milliseconds) * 1e-3);
  }
  return longest;
}

/// Like StreamWork: queued behind a hold, so that one process with many GPUs does not measure its own launch rate.
Outcome<double> NcclWork::time_here(int iterations, double timeout_seconds) {
  volatile int* flag = board_.hold_flag;
  *flag = iterations > 1 ? 0 : 1;
  for (const Place& p : places_) {
    cudaSetDevice(p.device);
    if (iterations > 1) hold(board_.hold_flag, p.stream);
    cudaEventRecord(p.start, p.stream);
  }
  Trouble trouble;
  for (int i = 0; i < iterations && !trouble; ++i) trouble = queue_all();
  for (const Place& p : places_) {
    cudaSetDevice(p.device);
    cudaEventRecord(p.stop, p.stream);
  }
  *flag = 1;
  cudaSetDevice(board_.device);
  Outcome<double> seconds = elapsed(timeout_seconds);
  if (seconds && trouble) return *trouble;
  return seconds;
}

Outcome<double> NcclWork::time(int iterations, double timeout_seconds) {
  double total = 0.0;
  for (int left = iterations; left > 0; left -= most_queued) {
    const Outcome<double> here = time_here(std::min(left, most_queued), timeout_seconds);
    const double agreed = all_.agree(here ? *here : failed_here);
    if (!here) return here.failure();
    if (!std::isfinite(agreed)) return Failure{Fault::failed, "another process failed"};
    total += agreed;
  }
  return total;
}

/// Every rank's buffer holds (i mod 251) + rank.
double NcclWork::expected(int rank, std::size_t i) const {
  const double ranks = w_.ranks, ranks_sum = ranks * (ranks - 1.0) / 2.0;
  const std::size_t own = static_cast<std::size_t>(rank) * share();
  const auto pattern = [](std::size_t at) { return static_cast<double>(at % 251); };
  switch (w_.kind) {
    case Collective::all_reduce: return ranks * pattern(i) + ranks_sum;
    case Collective::all_gather: return pattern(i % share()) + static_cast<double>(i / share());
    case Collective::reduce_scatter: return ranks * pattern(own + i) + ranks_sum;
    case Collective::all_to_all: return pattern(own + i % share()) + static_cast<double>(i / share());
    case Collective::send_recv: return pattern(i);
  }
  return 0.0;
}

Trouble NcclWork::compare(const Place& p) const {
  if (w_.kind == Collective::send_recv && p.rank == 0) return {};
  for (std::size_t i : {std::size_t{0}, received() / 2, received() - 1}) {
    float found = 0.0f;
    if (Trouble t = check(cudaMemcpy(&found, p.receive.as<float>() + i, sizeof found, cudaMemcpyDeviceToHost), "check")) return t;
    const double wanted = expected(p.rank, i);
    if (std::abs(found - wanted) > 1e-5 * std::max(1.0, wanted)) {
      return Failure{Fault::wrong_result, std::string(name(w_.kind)) + " gave " + std::to_string(found) + " instead of " + std::to_string(wanted)};
    }
  }
  return {};
}

Trouble NcclWork::verify_here() {
  const Outcome<double> once = time_here(1, 60.0);
  if (!once) return once.failure();
  for (const Place& p : places_) {
    if (Trouble t = compare(p)) return t;
  }
  return {};
}

Outcome<Done> NcclWork::verify() {
  const Trouble t = verify_here();
  const bool all_well = std::isfinite(all_.agree(t ? failed_here : 0.0));
  if (t) return *t;
  if (!all_well) return Failure{Fault::wrong_result, "another process got a wrong result"};
  return Done{};
}

}  // namespace

Outcome<std::unique_ptr<Prepared>> prepare_collective(Board& board, Communicators& all, const CollectiveWork& work) {
  auto made = std::make_unique<NcclWork>(board, all, work);
  if (Trouble t = made->prepare()) return *t;
  return std::unique_ptr<Prepared>(std::move(made));
}

}  // namespace gpuplan::probe
