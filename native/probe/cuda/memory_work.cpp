#include "native/probe/cuda/works.hpp"

namespace gpuplan::probe {
namespace {

constexpr std::size_t sink_floats = 65536, alignment = 256;
constexpr std::uint32_t written = 0x3f8ccccdu;  ///< 1.1 as a float

/// Walks through pools of memory that are larger than the L2 cache, a slot per run: read and write use the first pool, copy two, triad three.
class MemoryStreamWork : public StreamWork {
 public:
  MemoryStreamWork(Board& board, const MemoryWork& work) : StreamWork(board), operation_(work.operation) {
    const std::size_t pools = operation_ == MemoryOperation::triad ? 3 : operation_ == MemoryOperation::copy ? 2 : 1;
    used_ = pools;
    bytes_ = static_cast<std::size_t>(work.bytes) / pools / alignment * alignment;
    slots_ = 3 * board.l2_bytes / bytes_ + 1;
  }

  Trouble prepare() {
    if (Trouble t = sink_.allocate(sink_floats * sizeof(float))) return t;
    for (std::size_t i = 0; i < used_; ++i) {
      if (Trouble t = pools_[i].allocate(bytes_ * slots_)) return t;
      fill_random(pools_[i].get(), bytes_ * slots_ / sizeof(float), Element::f32, static_cast<std::uint32_t>(i + 1), board().stream);
    }
    return launched("random data");
  }

  /// Element 5 and the last one of the first slot against what the operation says.
  Outcome<Done> verify() override {
    if (Trouble t = run_once()) return *t;
    const std::size_t last = bytes_ / sizeof(float) - 1;
    for (std::size_t i : {std::size_t{5}, last}) {
      float values[3] = {0, 0, 0};
      for (std::size_t p = 0; p < used_; ++p) {
        if (Trouble t = check(cudaMemcpy(&values[p], pools_[p].as<float>() + i, sizeof(float), cudaMemcpyDeviceToHost), "check")) return *t;
      }
      if (!right(values[0], values[1], values[2])) return Failure{Fault::wrong_result, std::string("memory ") + name(operation_) + " gave a wrong value"};
    }
    return Done{};
  }

 protected:
  Trouble queue(int run) override {
    cudaStream_t stream = board().stream;
    char *a = slot(0, run), *b = slot(1, run), *c = slot(2, run);
    switch (operation_) {
      case MemoryOperation::read: read_bytes(a, bytes_, sink_.as<float>(), stream); break;
      case MemoryOperation::write: write_bytes(a, bytes_, written, stream); break;
      case MemoryOperation::copy: copy_bytes(b, a, bytes_, stream); break;
      case MemoryOperation::triad:
        triad(reinterpret_cast<float*>(a), reinterpret_cast<const float*>(b), reinterpret_cast<const float*>(c), bytes_ / sizeof(float), stream);
        break;
    }
    return launched("memory kernel");
  }

 private:
  char* slot(std::size_t pool, int run) const {
    return pool < used_ ? pools_[pool].as<char>() + static_cast<std::size_t>(run) % slots_ * bytes_ : nullptr;
  }
  bool right(float a, float b, float c) const {
    if (operation_ == MemoryOperation::write) return a == 1.1f;
    if (operation_ == MemoryOperation::copy) return a == b;
    const float off = a - (b + 3.0f * c);
    return operation_ == MemoryOperation::read || (off < 1e-5f && off > -1e-5f);
  }

  MemoryOperation operation_;
  std::size_t bytes_, slots_, used_;
  Buffer sink_, pools_[3];
};

}  // namespace

Outcome<std::unique_ptr<Prepared>> prepare_memory(Board& board, const MemoryWork& work) { return prepared<MemoryStreamWork>(board, work); }

}  // namespace gpuplan::probe
