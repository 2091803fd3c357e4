#pragma once
/// The element types of ggml tensors as stored in GGUF files: blocks of elements with their scales.
#include <cstdint>
#include <string_view>

namespace gpuplan {

/// Numbered as in the file format.
enum class GgmlType : std::uint32_t {
  f32 = 0, f16 = 1, q4_0 = 2, q4_1 = 3, q5_0 = 6, q5_1 = 7, q8_0 = 8, q8_1 = 9, q2_k = 10, q3_k = 11, q4_k = 12, q5_k = 13, q6_k = 14, q8_k = 15,
  iq2_xxs = 16, iq2_xs = 17, iq3_xxs = 18, iq1_s = 19, iq4_nl = 20, iq3_s = 21, iq2_s = 22, iq4_xs = 23, i8 = 24, i16 = 25, i32 = 26, i64 = 27,
  f64 = 28, iq1_m = 29, bf16 = 30, tq1_0 = 34, tq2_0 = 35, mxfp4 = 39, nvfp4 = 40, q1_0 = 41, q2_0 = 42
};

struct GgmlBlock {
  GgmlType type;
  const char* name;            ///< as llama.cpp prints it, in lower case
  std::int64_t elements, bytes;  ///< of one block
};

/// The block layout of a type number, nullptr when no such type is known.
const GgmlBlock* ggml_block(std::uint32_t type);
const GgmlBlock& ggml_block(GgmlType type);
int ggml_type_count();
const GgmlBlock& ggml_type_at(int index);

/// Bytes of `rows` rows of `columns` elements; each row fills whole blocks.
double ggml_bytes(GgmlType type, double rows, std::int64_t columns);

}  // namespace gpuplan
