#include "core/model/ggml_types.hpp"

#include <iterator>

#include "core/counts.hpp"

namespace gpuplan {
namespace {

constexpr GgmlBlock blocks[] = {
    {GgmlType::f32, "f32", 1, 4},          {GgmlType::f16, "f16", 1, 2},          {GgmlType::q4_0, "q4_0", 32, 18},      {GgmlType::q4_1, "q4_1", 32, 20},
    {GgmlType::q5_0, "q5_0", 32, 22},      {GgmlType::q5_1, "q5_1", 32, 24},      {GgmlType::q8_0, "q8_0", 32, 34},      {GgmlType::q8_1, "q8_1", 32, 36},
    {GgmlType::q2_k, "q2_k", 256, 84},     {GgmlType::q3_k, "q3_k", 256, 110},    {GgmlType::q4_k, "q4_k", 256, 144},    {GgmlType::q5_k, "q5_k", 256, 176},
    {GgmlType::q6_k, "q6_k", 256, 210},    {GgmlType::q8_k, "q8_k", 256, 292},    {GgmlType::iq2_xxs, "iq2_xxs", 256, 66}, {GgmlType::iq2_xs, "iq2_xs", 256, 74},
    {GgmlType::iq3_xxs, "iq3_xxs", 256, 98}, {GgmlType::iq1_s, "iq1_s", 256, 50}, {GgmlType::iq4_nl, "iq4_nl", 32, 18},  {GgmlType::iq3_s, "iq3_s", 256, 110},
    {GgmlType::iq2_s, "iq2_s", 256, 82},   {GgmlType::iq4_xs, "iq4_xs", 256, 136}, {GgmlType::i8, "i8", 1, 1},           {GgmlType::i16, "i16", 1, 2},
    {GgmlType::i32, "i32", 1, 4},          {GgmlType::i64, "i64", 1, 8},          {GgmlType::f64, "f64", 1, 8},          {GgmlType::iq1_m, "iq1_m", 256, 56},
    {GgmlType::bf16, "bf16", 1, 2},        {GgmlType::tq1_0, "tq1_0", 256, 54},   {GgmlType::tq2_0, "tq2_0", 256, 66},   {GgmlType::mxfp4, "mxfp4", 32, 17},
    {GgmlType::nvfp4, "nvfp4", 64, 36},    {GgmlType::q1_0, "q1_0", 128, 18},     {GgmlType::q2_0, "q2_0", 64, 18}};

}  // namespace

const GgmlBlock* ggml_block(std::uint32_t type) {
  for (const GgmlBlock& b : blocks) {
    if (static_cast<std::uint32_t>(b.type) == type) return &b;
  }
  return nullptr;
}

const GgmlBlock& ggml_block(GgmlType type) { return *ggml_block(static_cast<std::uint32_t>(type)); }
int ggml_type_count() { return static_cast<int>(std::size(blocks)); }
const GgmlBlock& ggml_type_at(int index) { return blocks[index]; }

double ggml_bytes(GgmlType type, double rows, std::int64_t columns) {
  const GgmlBlock& b = ggml_block(type);
  return rows * static_cast<double>(ceil_div(columns, b.elements)) * static_cast<double>(b.bytes);
}

}  // namespace gpuplan
