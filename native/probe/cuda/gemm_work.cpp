#include <algorithm>

#include "native/probe/cuda/matmul.hpp"
#include "native/probe/cuda/works.hpp"

namespace gpuplan::probe {
namespace {

constexpr unsigned char unit_scale = 0x38;  ///< 1.0 in UE4M3

/// Weights rotate beyond the L2 cache, as the layers of a model do; inputs and outputs of one layer stay.
class GemmStreamWork : public StreamWork {
 public:
  GemmStreamWork(Board& board, cublasLtHandle_t handle, const GemmWork& work) : StreamWork(board), handle_(handle), work_(work), types_(types_of(work.type)) {}

  Trouble prepare() {
    if (Trouble t = input_.allocate(bytes_of(types_.operands, elements(work_.m, work_.k)))) return t;
    if (Trouble t = output_.allocate(bytes_of(result_of(types_), elements(work_.m, work_.n)))) return t;
    fill_random(input_.get(), elements(work_.m, work_.k), types_.operands, 1, board().stream);
    const std::size_t weight_bytes = bytes_of(types_.operands, elements(work_.n, work_.k));
    weights_.resize(static_cast<std::size_t>(board().rotation(static_cast<double>(weight_bytes))));
    std::uint32_t seed = 2;
    for (Buffer& w : weights_) {
      if (Trouble t = w.allocate(weight_bytes)) return t;
      fill_random(w.get(), elements(work_.n, work_.k), types_.operands, seed++, board().stream);
    }
    if (Trouble t = launched("random data")) return t;
    if (Trouble t = prepare_scales()) return t;
    return product_.prepare(handle_, types_, {work_.m, work_.n, work_.k}, input_scales_.get(), weight_scales_.get());
  }

  Outcome<Done> verify() override {
    if (Trouble t = run_once()) return *t;
    std::vector<DotCheck> checks;
    for (std::int64_t i : {std::int64_t{0}, work_.m / 2, work_.m - 1}) {
      for (std::int64_t j : {std::int64_t{0}, work_.n / 3, work_.n - 1}) {
        checks.push_back({input_.get(), weights_[0].get(), output_.get(), i * work_.k, j * work_.k, i * work_.n + j, work_.k, 1, 1});
      }
    }
    return verify_dots(board(), checks, types_.operands, types_.tolerance);
  }

 protected:
  Trouble queue(int run) override {
    return product_.queue(input_.get(), weights_[static_cast<std::size_t>(run) % weights_.size()].get(), output_.get(), board().stream);
  }

 private:
  static std::size_t elements(std::int64_t rows, std::int64_t cols) { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols); }
  /// Scales are stored in tiles of 128 rows × 4 blocks of 16; all of them are one, so their order does not matter.
  Trouble prepare_scales() {
    if (!types_.block_scaled) return {};
    for (auto [buffer, rows] : {std::pair<Buffer*, std::int64_t>{&input_scales_, work_.m}, {&weight_scales_, work_.n}}) {
      const std::size_t bytes = elements((rows + 127) / 128 * 128, (work_.k / 16 + 3) / 4 * 4);
      if (Trouble t = buffer->allocate(bytes)) return t;
      if (Trouble t = check(cudaMemsetAsync(buffer->get(), unit_scale, bytes, board().stream), "scales")) return t;
    }
    return {};
  }

  cublasLtHandle_t handle_;
  GemmWork work_;
  ProductTypes types_;
  Buffer input_, output_, input_scales_, weight_scales_;
  std::vector<Buffer> weights_;
  Matmul product_;
};

}  // namespace

std::string no_gemm(Arithmetic type, int capability) {
  const auto since = [capability](int least, const char* what) { return capability >= least ? std::string() : std::string(what); };
  switch (type) {
    case Arithmetic::bf16: return since(80, "bf16 products need compute capability 8.0");
    case Arithmetic::tf32: return since(80, "tf32 products need compute capability 8.0");
    case Arithmetic::fp8: return since(89, "fp8 products need compute capability 8.9");
    case Arithmetic::int8: return since(75, "int8 tensor products need compute capability 7.5");
#if CUDART_VERSION >= 12080
    case Arithmetic::fp4: return since(100, "fp4 products need compute capability 10.0");
#else
    case Arithmetic::fp4: return "this build's CUDA toolkit (older than 12.8) has no fp4";
#endif
    case Arithmetic::fp32:
    case Arithmetic::fp16: return "";
    default: return "not a type that the probe measures";
  }
}

Outcome<std::unique_ptr<Prepared>> prepare_gemm(Board& board, cublasLtHandle_t handle, const GemmWork& work) { return prepared<GemmStreamWork>(board, handle, work); }

}  // namespace gpuplan::probe
