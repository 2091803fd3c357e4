#pragma once
/// One (batched) product by cuBLASLt with its heuristic's first choice, as frameworks run it.
#include "native/probe/cuda/stream_work.hpp"

namespace gpuplan::probe {

/// Types of a product: storage of operands and result, and how it is accumulated.
struct ProductTypes {
  Element operands;
  cudaDataType_t operand, result;
  cublasComputeType_t compute;
  cudaDataType_t scale;
  bool block_scaled;   ///< one UE4M3 scale per 16 elements (NVFP4)
  double tolerance;    ///< against the sum of absolute products
};
ProductTypes types_of(Arithmetic);
std::size_t bytes_of(Element, std::size_t elements);
/// Storage of a result.
Element result_of(const ProductTypes&);

/// In row-major terms: result[rows][cols] = left[rows][k] · right[cols][k]ᵀ, or · right[k][cols] when `right_rows_are_k`.
struct ProductShape {
  std::int64_t rows, cols, k;
  std::int64_t batch = 1;
  bool right_rows_are_k = false;
};

class Matmul {
 public:
  Matmul() = default;
  Matmul(const Matmul&) = delete;
  Matmul& operator=(const Matmul&) = delete;
  ~Matmul();
  /// Chooses an algorithm. `scales` are needed by block-scaled types: left, then right.
  Trouble prepare(cublasLtHandle_t, const ProductTypes&, const ProductShape&, const void* left_scales = nullptr, const void* right_scales = nullptr);
  Trouble queue(const void* left, const void* right, void* result, cudaStream_t);

 private:
  Trouble layout(cublasLtMatrixLayout_t&, cudaDataType_t, std::int64_t rows, std::int64_t cols, std::int64_t batch);
  Trouble describe(const ProductTypes&, const ProductShape&, const void* left_scales, const void* right_scales);
  Trouble choose();

  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t product_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr, b_ = nullptr, d_ = nullptr;
  cublasLtMatmulAlgo_t algorithm_{};
  Buffer workspace_;
  bool integer_ = false;
};

}  // namespace gpuplan::probe
