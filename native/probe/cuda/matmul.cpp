#include "native/probe/cuda/matmul.hpp"

namespace gpuplan::probe {
namespace {

constexpr std::size_t workspace_bytes = 64u << 20;

template <class T> Trouble set(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t what, const T& value) {
  return check(cublasLtMatmulDescSetAttribute(d, what, &value, sizeof value), "product attribute");
}
template <class T> Trouble set(cublasLtMatrixLayout_t d, cublasLtMatrixLayoutAttribute_t what, const T& value) {
  return check(cublasLtMatrixLayoutSetAttribute(d, what, &value, sizeof value), "layout attribute");
}

}  // namespace

ProductTypes types_of(Arithmetic type) {
  switch (type) {
    case Arithmetic::fp32: return {Element::f32, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, false, 1e-4};
    case Arithmetic::tf32: return {Element::f32, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, false, 2e-3};
    case Arithmetic::fp16: return {Element::f16, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F, false, 2e-3};
    case Arithmetic::fp8: return {Element::e4m3, CUDA_R_8F_E4M3, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, false, 1e-2};
    case Arithmetic::int8: return {Element::i8, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, CUDA_R_32I, false, 0.0};
#if CUDART_VERSION >= 12080
    case Arithmetic::fp4: return {Element::e2m1, CUDA_R_4F_E2M1, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, true, 1e-2};
#endif
    default: return {Element::bf16, CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, false, 1e-2};
  }
}

std::size_t bytes_of(Element e, std::size_t n) {
  switch (e) {
    case Element::f32:
    case Element::i32: return 4 * n;
    case Element::f16:
    case Element::bf16: return 2 * n;
    case Element::e4m3:
    case Element::i8: return n;
    case Element::e2m1: return (n + 1) / 2;
  }
  return 4 * n;
}

Element result_of(const ProductTypes& t) {
  if (t.operands == Element::i8) return Element::i32;
  return t.operands == Element::e4m3 || t.operands == Element::e2m1 ? Element::bf16 : t.operands;
}

Matmul::~Matmul() {
  for (cublasLtMatrixLayout_t l : {a_, b_, d_}) {
    if (l != nullptr) cublasLtMatrixLayoutDestroy(l);
  }
  if (product_ != nullptr) cublasLtMatmulDescDestroy(product_);
}

/// cuBLASLt is column-major: a row-major matrix of `cols` contiguous elements is its `cols` × `rows`.
Trouble Matmul::layout(cublasLtMatrixLayout_t& l, cudaDataType_t type, std::int64_t rows, std::int64_t cols, std::int64_t batch) {
  if (Trouble t = check(cublasLtMatrixLayoutCreate(&l, type, static_cast<std::uint64_t>(cols), static_cast<std::uint64_t>(rows), cols), "layout")) return t;
  if (batch == 1) return {};
  if (Trouble t = set(l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, static_cast<std::int32_t>(batch))) return t;
  return set(l, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, rows * cols);
}

/// resultᵀ (cols × rows) = op(right) · leftᵀ: "TN", the only form that fp8 and int8 kernels take, when right is stored [cols][k].
Trouble Matmul::describe(const ProductTypes& types, const ProductShape& s, const void* left_scales, const void* right_scales) {
  if (Trouble t = check(cublasLtMatmulDescCreate(&product_, types.compute, types.scale), "product")) return t;
  const cublasOperation_t right = s.right_rows_are_k ? CUBLAS_OP_N : CUBLAS_OP_T, left = CUBLAS_OP_N;
  if (Trouble t = set(product_, CUBLASLT_MATMUL_DESC_TRANSA, right)) return t;
  if (Trouble t = set(product_, CUBLASLT_MATMUL_DESC_TRANSB, left)) return t;
  if (types.operands == Element::e4m3) {
    if (Trouble t = set(product_, CUBLASLT_MATMUL_DESC_FAST_ACCUM, static_cast<std::int8_t>(1))) return t;  // as inference engines do
  }
#if CUDART_VERSION >= 12080
  if (types.block_scaled) {
    const std::int32_t mode = CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3;
    if (Trouble t = set(product_, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, mode)) return t;
    if (Trouble t = set(product_, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, mode)) return t;
    if (Trouble t = set(product_, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, right_scales)) return t;
    if (Trouble t = set(product_, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, left_scales)) return t;
  }
#else
  (void)left_scales, (void)right_scales;
#endif
  if (Trouble t = s.right_rows_are_k ? layout(a_, types.operand, s.k, s.cols, s.batch) : layout(a_, types.operand, s.cols, s.k, s.batch)) return t;
  if (Trouble t = layout(b_, types.operand, s.rows, s.k, s.batch)) return t;
  return layout(d_, types.result, s.rows, s.cols, s.batch);
}

Trouble Matmul::choose() {
  cublasLtMatmulPreference_t preference = nullptr;
  if (Trouble t = check(cublasLtMatmulPreferenceCreate(&preference), "preference")) return t;
  cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes, sizeof workspace_bytes);
  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(handle_, product_, a_, b_, d_, d_, preference, 1, &best, &found);
  cublasLtMatmulPreferenceDestroy(preference);
  if (Trouble t = check(status, "no algorithm for this product")) return t;
  if (found == 0) return Failure{Fault::unsupported, "cuBLASLt has no algorithm for this product"};
  algorithm_ = best.algo;
  return {};
}

Trouble Matmul::prepare(cublasLtHandle_t handle, const ProductTypes& types, const ProductShape& shape, const void* left_scales, const void* right_scales) {
  handle_ = handle;
  integer_ = types.scale == CUDA_R_32I;
  if (Trouble t = workspace_.allocate(workspace_bytes)) return t;
  if (Trouble t = describe(types, shape, left_scales, right_scales)) return t;
  return choose();
}

Trouble Matmul::queue(const void* left, const void* right, void* result, cudaStream_t stream) {
  const float one = 1.0f, zero = 0.0f;
  const std::int32_t whole_one = 1, whole_zero = 0;
  const void* alpha = integer_ ? static_cast<const void*>(&whole_one) : &one;
  const void* beta = integer_ ? static_cast<const void*>(&whole_zero) : &zero;
  return check(cublasLtMatmul(handle_, product_, alpha, right, a_, left, b_, beta, result, d_, result, d_, &algorithm_, workspace_.get(), workspace_bytes, stream), "product");
}

}  // namespace gpuplan::probe
