#include <cstring>

#include "native/probe/cuda/works.hpp"

namespace gpuplan::probe {
namespace {

/// What a copy must carry over.
void write_marks(void* data, std::size_t bytes, unsigned char mark) {
  std::memset(data, 0, bytes);
  for (std::size_t at : {std::size_t{0}, bytes / 2, bytes - 1}) static_cast<unsigned char*>(data)[at] = static_cast<unsigned char>(mark + at % 100);
}
bool has_marks(const void* data, std::size_t bytes, unsigned char mark) {
  for (std::size_t at : {std::size_t{0}, bytes / 2, bytes - 1}) {
    if (static_cast<const unsigned char*>(data)[at] != static_cast<unsigned char>(mark + at % 100)) return false;
  }
  return true;
}

/// Copies between the host and the device. Both ways: half of the bytes each way, at the same time on two streams.
class HostCopy : public StreamWork {
 public:
  HostCopy(Board& board, const HostCopyWork& work) : StreamWork(board), w_(work) {
    bytes_ = static_cast<std::size_t>(w_.direction == HostDirection::both_ways ? w_.bytes / 2 : w_.bytes);
  }
  HostCopy(const HostCopy&) = delete;
  HostCopy& operator=(const HostCopy&) = delete;
  ~HostCopy() override {
    if (other_ != nullptr && !device_hangs()) cudaStreamDestroy(other_);
  }

  Trouble prepare() {
    for (Side* side : {&up_, &down_}) {
      const bool used = w_.direction == HostDirection::both_ways || (w_.direction == HostDirection::to_device) == (side == &up_);
      if (!used) continue;
      if (Trouble t = side->device.allocate(bytes_)) return t;
      if (Trouble t = w_.pinned ? side->pinned.allocate(bytes_) : std::nullopt) return t;
      if (!w_.pinned) side->pageable.resize(bytes_);
    }
    return w_.direction == HostDirection::both_ways ? check(cudaStreamCreateWithFlags(&other_, cudaStreamNonBlocking), "stream") : std::nullopt;
  }

  Outcome<Done> verify() override {
    std::vector<unsigned char> seen(bytes_), sent(bytes_);
    write_marks(sent.data(), bytes_, 7);
    if (uses(up_)) std::memcpy(host(up_), sent.data(), bytes_);
    if (uses(down_)) {
      if (Trouble t = check(cudaMemcpy(down_.device.get(), sent.data(), bytes_, cudaMemcpyHostToDevice), "copy")) return *t;
    }
    if (Trouble t = run_once()) return *t;
    if (uses(down_) && !has_marks(host(down_), bytes_, 7)) return Failure{Fault::wrong_result, "a copy to the host arrived changed"};
    if (!uses(up_)) return Done{};
    if (Trouble t = check(cudaMemcpy(seen.data(), up_.device.get(), bytes_, cudaMemcpyDeviceToHost), "copy")) return *t;
    return has_marks(seen.data(), bytes_, 7) ? Outcome<Done>(Done{}) : Failure{Fault::wrong_result, "a copy to the device arrived changed"};
  }

 protected:
  /// Pageable copies block the host until the stream has reached them: a held stream would never be released.
  bool may_hold() const override { return w_.pinned; }

  Trouble queue(int) override {
    if (w_.direction == HostDirection::both_ways) return queue_both();
    if (uses(up_)) return check(cudaMemcpyAsync(up_.device.get(), host(up_), bytes_, cudaMemcpyHostToDevice, board().stream), "copy");
    return check(cudaMemcpyAsync(host(down_), down_.device.get(), bytes_, cudaMemcpyDeviceToHost, board().stream), "copy");
  }

 private:
  struct Side { Buffer device; PinnedBuffer pinned; std::vector<unsigned char> pageable; };
  bool uses(const Side& side) const { return side.device.get() != nullptr; }
  void* host(Side& side) const { return w_.pinned ? side.pinned.get() : side.pageable.data(); }

  /// The second stream starts with the first one and the first ends after both.
  Trouble queue_both() {
    cudaEventRecord(begun_.get(), board().stream);
    cudaStreamWaitEvent(other_, begun_.get(), 0);
    if (Trouble t = check(cudaMemcpyAsync(up_.device.get(), host(up_), bytes_, cudaMemcpyHostToDevice, board().stream), "copy")) return t;
    if (Trouble t = check(cudaMemcpyAsync(host(down_), down_.device.get(), bytes_, cudaMemcpyDeviceToHost, other_), "copy")) return t;
    cudaEventRecord(done_.get(), other_);
    return check(cudaStreamWaitEvent(board().stream, done_.get(), 0), "copy");
  }

  HostCopyWork w_;
  std::size_t bytes_ = 0;
  Side up_, down_;
  cudaStream_t other_ = nullptr;
  Event begun_, done_;
};

/// Copies from one GPU to another, on a stream of the first; direct with peer access, staged through the host without.
class PeerCopy : public StreamWork {
 public:
  /// `own` is the sending GPU's board; that device is the current one while this is made.
  PeerCopy(std::unique_ptr<Board> own, const PeerCopyWork& work) : StreamWork(*own), own_(std::move(own)), w_(work), bytes_(static_cast<std::size_t>(work.bytes)) {}
  PeerCopy(const PeerCopy&) = delete;
  PeerCopy& operator=(const PeerCopy&) = delete;
  ~PeerCopy() override {
    if (!device_hangs()) cudaStreamDestroy(own_->stream);
  }

  Trouble prepare() {
    if (Trouble t = set_access(w_.to, w_.from)) return t;
    if (Trouble t = to_.allocate(bytes_)) return t;
    if (Trouble t = set_access(w_.from, w_.to)) return t;
    return from_.allocate(bytes_);
  }

  Outcome<Done> verify() override {
    std::vector<unsigned char> sent(bytes_), seen(bytes_);
    write_marks(sent.data(), bytes_, 11);
    if (Trouble t = check(cudaMemcpy(from_.get(), sent.data(), bytes_, cudaMemcpyHostToDevice), "copy")) return *t;
    if (Trouble t = run_once()) return *t;
    if (Trouble t = check(cudaMemcpy(seen.data(), to_.get(), bytes_, cudaMemcpyDeviceToHost), "copy")) return *t;
    return has_marks(seen.data(), bytes_, 11) ? Outcome<Done>(Done{}) : Failure{Fault::wrong_result, "what arrived is not what was sent"};
  }

 protected:
  /// A staged copy may wait for the stream on the host.
  bool may_hold() const override { return w_.direct; }
  Trouble queue(int) override { return check(cudaMemcpyPeerAsync(to_.get(), w_.to, from_.get(), w_.from, bytes_, board().stream), "peer copy"); }

 private:
  /// Makes `device` the current one and lets it reach `peer`, or not.
  Trouble set_access(int device, int peer) {
    if (Trouble t = check(cudaSetDevice(device), "device")) return t;
    const cudaError_t e = w_.direct ? cudaDeviceEnablePeerAccess(peer, 0) : cudaDeviceDisablePeerAccess(peer);
    if (e == cudaErrorPeerAccessAlreadyEnabled || e == cudaErrorPeerAccessNotEnabled) return cudaGetLastError(), Trouble{};
    return check(e, "peer access");
  }

  std::unique_ptr<Board> own_;
  PeerCopyWork w_;
  std::size_t bytes_;
  Buffer from_, to_;
};

}  // namespace

Outcome<std::unique_ptr<Prepared>> prepare_host_copy(Board& board, const HostCopyWork& work) { return prepared<HostCopy>(board, work); }
Outcome<std::unique_ptr<Prepared>> prepare_peer_copy(Board& board, const PeerCopyWork& work) {
  auto own = std::make_unique<Board>(board);
  own->device = work.from;
  if (Trouble t = check(cudaSetDevice(work.from), "device")) return *t;
  if (Trouble t = check(cudaStreamCreateWithFlags(&own->stream, cudaStreamNonBlocking), "stream")) return *t;
  return prepared<PeerCopy>(std::move(own), work);
}

}  // namespace gpuplan::probe
