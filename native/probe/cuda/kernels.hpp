#pragma once
/// The probe's own kernels. Every function queues work on a stream and returns at once; errors show at the next CUDA call.
#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace gpuplan::probe {

/// How the elements of a buffer are stored.
enum class Element { f32, f16, bf16, e4m3, i8, i32, e2m1 /* two to a byte */ };

/// Uniform in [−1, 1) for floating types, all values for the integer and 4-bit ones; the same seed gives the same data.
void fill_random(void* out, std::size_t elements, Element, std::uint32_t seed, cudaStream_t);
/// out[i] = (i mod 251) + offset in fp32: sums of it over many ranks are exact.
void fill_pattern(float* out, std::size_t elements, float offset, cudaStream_t);

/// Reads every byte (16-byte loads) and writes one value per block to `sink`, at least 65536 floats long.
void read_bytes(const void* in, std::size_t bytes, float* sink, cudaStream_t);
void write_bytes(void* out, std::size_t bytes, std::uint32_t value, cudaStream_t);
void copy_bytes(const void* in, void* out, std::size_t bytes, cudaStream_t);
/// a = b + 3·c over floats.
void triad(float* a, const float* b, const float* c, std::size_t elements, cudaStream_t);

/// weights[n][k/2] 4-bit (value − 8) times scales[n][k/group] in fp16, to out[n][k] in fp16.
void dequantise(const void* weights, const void* scales, void* out, std::int64_t n, std::int64_t k, std::int64_t group, cudaStream_t);

void empty_kernel(cudaStream_t);
/// Holds the stream until *flag is not 0, at most two seconds: work queued behind it then runs back to back.
void hold(const volatile int* flag, cudaStream_t);

/// A dot product to check: a[a_first + i·a_stride] · b[b_first + i·b_stride] for i < k, against the element of `result`. Pointers to the first element of each.
struct DotCheck { const void* a; const void* b; const void* result; std::int64_t a_first, b_first, result_at, k, a_stride, b_stride; };
/// What it found, in double precision.
struct DotFound { double expected, magnitude, found; };  ///< magnitude: sum of the absolute products
/// Results are stored as the operands are, but bf16 for e4m3 and e2m1, i32 for i8. `checks` and `found` lie in device memory.
void check_dots(const DotCheck* checks, int count, Element operands, DotFound* found, cudaStream_t);

/// Largest difference between out and the definition of dequantise over `samples` scattered elements, in found[0].
void check_dequantise(const void* weights, const void* scales, const void* out, std::int64_t n, std::int64_t k, std::int64_t group, int samples,
                      float* found, cudaStream_t);

}  // namespace gpuplan::probe
