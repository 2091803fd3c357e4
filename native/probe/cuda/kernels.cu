#include "native/probe/cuda/kernels.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

namespace gpuplan::probe {
namespace {

constexpr int threads = 256, most_blocks = 65536;

int blocks_for(std::size_t items) {
  const std::size_t blocks = (items + threads - 1) / threads;
  return static_cast<int>(blocks < 1 ? 1 : blocks > most_blocks ? most_blocks : blocks);
}

/// Integer hash of good avalanche (Wang's 32-bit mix).
__device__ std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ 61u) ^ (x >> 16);
  x *= 9u;
  x ^= x >> 4;
  x *= 0x27d4eb2du;
  return x ^ (x >> 15);
}
__device__ std::uint32_t random_bits(std::size_t i, std::uint32_t seed) {
  return mixed(static_cast<std::uint32_t>(i) ^ mixed(static_cast<std::uint32_t>(i >> 32) + seed));
}
__device__ float uniform(std::uint32_t bits) { return static_cast<float>(bits >> 8) * (2.0f / 16777216.0f) - 1.0f; }

__device__ void store(float* out, std::size_t i, std::uint32_t bits) { out[i] = uniform(bits); }
__device__ void store(__half* out, std::size_t i, std::uint32_t bits) { out[i] = __float2half(uniform(bits)); }
__device__ void store(__nv_bfloat16* out, std::size_t i, std::uint32_t bits) { out[i] = __float2bfloat16(uniform(bits)); }
__device__ void store(__nv_fp8_e4m3* out, std::size_t i, std::uint32_t bits) { out[i] = __nv_fp8_e4m3(uniform(bits)); }
__device__ void store(signed char* out, std::size_t i, std::uint32_t bits) { out[i] = static_cast<signed char>(static_cast<int>(bits & 255u) - 128); }
__device__ void store(unsigned char* out, std::size_t i, std::uint32_t bits) { out[i] = static_cast<unsigned char>(bits); }

template <class T> __global__ void fill_kernel(T* out, std::size_t n, std::uint32_t seed) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) store(out, i, random_bits(i, seed));
}
template <class T> void fill(void* out, std::size_t n, std::uint32_t seed, cudaStream_t s) {
  fill_kernel<<<blocks_for(n), threads, 0, s>>>(static_cast<T*>(out), n, seed);
}

__global__ void pattern_kernel(float* out, std::size_t n, float offset) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) out[i] = static_cast<float>(i % 251) + offset;
}

/// Four independent loads in flight per thread.
__global__ void read_kernel(const float4* in, std::size_t n, float* sink) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (; i + 3 * step < n; i += 4 * step) {
    const float4 a = in[i], b = in[i + step], c = in[i + 2 * step], d = in[i + 3 * step];
    sum += a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w + c.x + c.y + c.z + c.w + d.x + d.y + d.z + d.w;
  }
  for (; i < n; i += step) sum += in[i].x + in[i].y + in[i].z + in[i].w;
  if (sum == 1.2345e30f) sink[blockIdx.x] = sum;  // never true, but the compiler cannot know
}
__global__ void write_kernel(uint4* out, std::size_t n, std::uint32_t value) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) out[i] = make_uint4(value, value, value, value);
}
__global__ void copy_kernel(const uint4* in, uint4* out, std::size_t n) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) out[i] = in[i];
}
__global__ void triad_kernel(float4* a, const float4* b, const float4* c, std::size_t n) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const float4 x = b[i], y = c[i];
    a[i] = make_float4(x.x + 3.0f * y.x, x.y + 3.0f * y.y, x.z + 3.0f * y.z, x.w + 3.0f * y.w);
  }
}

/// Each thread expands eight weights: one 4-byte load, one 16-byte store.
__global__ void dequantise_kernel(const std::uint32_t* weights, const __half* scales, uint4* out, std::size_t words, std::size_t group) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < words; i += step) {
    const std::uint32_t packed = weights[i];
    const float scale = __half2float(scales[i * 8 / group]);
    __half2 pairs[4];
    for (int j = 0; j < 4; ++j) {
      const float low = static_cast<float>(static_cast<int>((packed >> (8 * j)) & 15u) - 8), high = static_cast<float>(static_cast<int>((packed >> (8 * j + 4)) & 15u) - 8);
      pairs[j] = __floats2half2_rn(low * scale, high * scale);
    }
    out[i] = *reinterpret_cast<const uint4*>(pairs);
  }
}

__global__ void nothing() {}

__global__ void hold_kernel(const volatile int* flag) {
#if __CUDA_ARCH__ >= 700
  const long long start = clock64();
  while (*flag == 0 && clock64() - start < 4000000000LL) __nanosleep(200);  // about two seconds at 2 GHz
#endif
}

__device__ double value(const float* p, std::int64_t i) { return p[i]; }
__device__ double value(const __half* p, std::int64_t i) { return __half2float(p[i]); }
__device__ double value(const __nv_bfloat16* p, std::int64_t i) { return __bfloat162float(p[i]); }
__device__ double value(const __nv_fp8_e4m3* p, std::int64_t i) { return static_cast<float>(p[i]); }
__device__ double value(const signed char* p, std::int64_t i) { return p[i]; }
__device__ double value(const int* p, std::int64_t i) { return p[i]; }
/// E2M1: sign, two exponent bits, one mantissa bit.
__device__ double value(const unsigned char* p, std::int64_t i) {
  const unsigned nibble = (p[i / 2] >> (4 * (i % 2))) & 15u, exponent = (nibble >> 1) & 3u, mantissa = nibble & 1u;
  const double size = exponent == 0 ? 0.5 * mantissa : (1.0 + 0.5 * mantissa) * (1 << (exponent - 1));
  return (nibble & 8u) != 0 ? -size : size;
}

template <class T, class R> __global__ void dot_kernel(const DotCheck* checks, DotFound* found) {
  const DotCheck c = checks[blockIdx.x];
  const T *a = static_cast<const T*>(c.a), *b = static_cast<const T*>(c.b);
  double sum = 0.0, magnitude = 0.0;
  for (std::int64_t i = threadIdx.x; i < c.k; i += 32) {
    const double product = value(a, c.a_first + i * c.a_stride) * value(b, c.b_first + i * c.b_stride);
    sum += product;
    magnitude += product < 0 ? -product : product;
  }
  for (int other = 16; other > 0; other /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, other);
    magnitude += __shfl_down_sync(0xffffffffu, magnitude, other);
  }
  if (threadIdx.x == 0) found[blockIdx.x] = {sum, magnitude, value(static_cast<const R*>(c.result), c.result_at)};
}
template <class T, class R> void dots(const DotCheck* checks, int count, DotFound* found, cudaStream_t s) { dot_kernel<T, R><<<count, 32, 0, s>>>(checks, found); }

__global__ void dequantise_check(const unsigned char* weights, const __half* scales, const __half* out, std::int64_t n, std::int64_t k, std::int64_t group,
                                 int samples, float* found) {
  float worst = 0.0f;
  for (int s = 0; s < samples; ++s) {
    const std::int64_t i = static_cast<std::int64_t>(random_bits(static_cast<std::size_t>(s), 7u) % static_cast<unsigned long long>(n * k));
    const int q = static_cast<int>((weights[i / 2] >> (4 * (i % 2))) & 15) - 8;
    const float off = __half2float(out[i]) - __half2float(__float2half(static_cast<float>(q) * __half2float(scales[i / group])));
    worst = fmaxf(worst, off < 0 ? -off : off);
  }
  found[0] = worst;
}

}  // namespace

void fill_random(void* out, std::size_t n, Element e, std::uint32_t seed, cudaStream_t s) {
  switch (e) {
    case Element::f32: return fill<float>(out, n, seed, s);
    case Element::f16: return fill<__half>(out, n, seed, s);
    case Element::bf16: return fill<__nv_bfloat16>(out, n, seed, s);
    case Element::e4m3: return fill<__nv_fp8_e4m3>(out, n, seed, s);
    case Element::i8: return fill<signed char>(out, n, seed, s);
    case Element::i32: return fill<unsigned char>(out, n * 4, seed, s);
    case Element::e2m1: return fill<unsigned char>(out, (n + 1) / 2, seed, s);
  }
}
void fill_pattern(float* out, std::size_t n, float offset, cudaStream_t s) { pattern_kernel<<<blocks_for(n), threads, 0, s>>>(out, n, offset); }

void read_bytes(const void* in, std::size_t bytes, float* sink, cudaStream_t s) {
  read_kernel<<<blocks_for(bytes / 64), threads, 0, s>>>(static_cast<const float4*>(in), bytes / 16, sink);
}
void write_bytes(void* out, std::size_t bytes, std::uint32_t v, cudaStream_t s) { write_kernel<<<blocks_for(bytes / 16), threads, 0, s>>>(static_cast<uint4*>(out), bytes / 16, v); }
void copy_bytes(const void* in, void* out, std::size_t bytes, cudaStream_t s) {
  copy_kernel<<<blocks_for(bytes / 16), threads, 0, s>>>(static_cast<const uint4*>(in), static_cast<uint4*>(out), bytes / 16);
}
void triad(float* a, const float* b, const float* c, std::size_t n, cudaStream_t s) {
  triad_kernel<<<blocks_for(n / 4), threads, 0, s>>>(reinterpret_cast<float4*>(a), reinterpret_cast<const float4*>(b), reinterpret_cast<const float4*>(c), n / 4);
}

void dequantise(const void* weights, const void* scales, void* out, std::int64_t n, std::int64_t k, std::int64_t group, cudaStream_t s) {
  const std::size_t words = static_cast<std::size_t>(n * k / 8);
  dequantise_kernel<<<blocks_for(words), threads, 0, s>>>(static_cast<const std::uint32_t*>(weights), static_cast<const __half*>(scales), static_cast<uint4*>(out),
                                                          words, static_cast<std::size_t>(group));
}

void empty_kernel(cudaStream_t s) { nothing<<<1, 1, 0, s>>>(); }
void hold(const volatile int* flag, cudaStream_t s) { hold_kernel<<<1, 1, 0, s>>>(flag); }

void check_dots(const DotCheck* checks, int count, Element operands, DotFound* found, cudaStream_t s) {
  switch (operands) {
    case Element::f32: return dots<float, float>(checks, count, found, s);
    case Element::f16: return dots<__half, __half>(checks, count, found, s);
    case Element::bf16: return dots<__nv_bfloat16, __nv_bfloat16>(checks, count, found, s);
    case Element::e4m3: return dots<__nv_fp8_e4m3, __nv_bfloat16>(checks, count, found, s);
    case Element::i8: return dots<signed char, int>(checks, count, found, s);
    case Element::e2m1: return dots<unsigned char, __nv_bfloat16>(checks, count, found, s);
    case Element::i32: break;
  }

}

void check_dequantise(const void* weights, const void* scales, const void* out, std::int64_t n, std::int64_t k, std::int64_t group, int samples, float* found,
                      cudaStream_t s) {
  dequantise_check<<<1, 1, 0, s>>>(static_cast<const unsigned char*>(weights), static_cast<const __half*>(scales), static_cast<const __half*>(out), n, k, group,
                                   samples, found);
}

}  // namespace gpuplan::probe
