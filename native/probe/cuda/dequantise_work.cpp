#include "native/probe/cuda/matmul.hpp"
#include "native/probe/cuda/works.hpp"

namespace gpuplan::probe {
namespace {

constexpr int checked_weights = 256;

/// 4-bit weights to fp16 by the probe's own kernel, then an fp16 product where m > 0; packed weights rotate beyond the L2 cache.
class DequantiseStreamWork : public StreamWork {
 public:
  DequantiseStreamWork(Board& board, cublasLtHandle_t handle, const DequantiseWork& work) : StreamWork(board), handle_(handle), w_(work) {}

  Trouble prepare() {
    const std::size_t weights = static_cast<std::size_t>(w_.n * w_.k);
    if (Trouble t = expanded_.allocate(2 * weights)) return t;
    packed_.resize(static_cast<std::size_t>(board().rotation(0.5 * static_cast<double>(weights))));
    std::uint32_t seed = 1;
    for (Packed& p : packed_) {
      if (Trouble t = p.weights.allocate(weights / 2)) return t;
      if (Trouble t = p.scales.allocate(2 * weights / static_cast<std::size_t>(w_.group))) return t;
      fill_random(p.weights.get(), weights, Element::e2m1, seed++, board().stream);
      fill_random(p.scales.get(), weights / static_cast<std::size_t>(w_.group), Element::f16, seed++, board().stream);
    }
    if (Trouble t = launched("random data")) return t;
    return w_.m > 0 ? prepare_product() : std::nullopt;
  }

  Outcome<Done> verify() override {
    if (Trouble t = run_once()) return *t;
    Buffer worst;
    if (Trouble t = worst.allocate(sizeof(float))) return *t;
    check_dequantise(packed_[0].weights.get(), packed_[0].scales.get(), expanded_.get(), w_.n, w_.k, w_.group, checked_weights, worst.as<float>(), board().stream);
    float off = 1.0f;
    if (Trouble t = launched("check")) return *t;
    if (Trouble t = check(cudaStreamSynchronize(board().stream), "check")) return *t;
    if (Trouble t = check(cudaMemcpy(&off, worst.get(), sizeof off, cudaMemcpyDeviceToHost), "check")) return *t;
    if (off != 0.0f) return Failure{Fault::wrong_result, "an expanded weight is off by " + std::to_string(off)};
    return Done{};
  }

 protected:
  Trouble queue(int run) override {
    const Packed& p = packed_[static_cast<std::size_t>(run) % packed_.size()];
    dequantise(p.weights.get(), p.scales.get(), expanded_.get(), w_.n, w_.k, w_.group, board().stream);
    if (Trouble t = launched("dequantise")) return t;
    return w_.m > 0 ? product_.queue(input_.get(), expanded_.get(), output_.get(), board().stream) : std::nullopt;
  }

 private:
  struct Packed { Buffer weights, scales; };
  Trouble prepare_product() {
    if (Trouble t = input_.allocate(static_cast<std::size_t>(2 * w_.m * w_.k))) return t;
    if (Trouble t = output_.allocate(static_cast<std::size_t>(2 * w_.m * w_.n))) return t;
    fill_random(input_.get(), static_cast<std::size_t>(w_.m * w_.k), Element::f16, 99, board().stream);
    return product_.prepare(handle_, types_of(Arithmetic::fp16), {w_.m, w_.n, w_.k});
  }

  cublasLtHandle_t handle_;
  DequantiseWork w_;
  Buffer expanded_, input_, output_;
  std::vector<Packed> packed_;
  Matmul product_;
};

}  // namespace

Outcome<std::unique_ptr<Prepared>> prepare_dequantise(Board& board, cublasLtHandle_t handle, const DequantiseWork& work) {
  return prepared<DequantiseStreamWork>(board, handle, work);
}

}  // namespace gpuplan::probe
