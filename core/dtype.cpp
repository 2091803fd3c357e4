#include "core/dtype.hpp"

#include <iterator>

namespace gpuplan {
namespace {

constexpr const char* weight_names[] = {"fp32", "bf16", "fp16", "fp8", "int8", "int4", "awq", "gptq-4bit", "gptq-8bit", "nf4", "nf4-double", "mxfp4", "nvfp4",
                                        "q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "q2_k", "q2_k_s", "q3_k_s", "q3_k_m", "q3_k_l", "q4_k_s", "q4_k_m", "q5_k_s",
                                        "q5_k_m", "q6_k", "iq1_s", "iq1_m", "iq2_xxs", "iq2_xs", "iq2_s", "iq2_m", "iq3_xxs", "iq3_xs", "iq3_s", "iq3_m",
                                        "iq4_nl", "iq4_xs", "tq1_0", "tq2_0"};
constexpr const char* kv_names[] = {"auto", "fp32", "bf16", "fp16", "fp8", "int8", "int4", "q8_0", "q4_0"};
constexpr const char* optimizer_names[] = {"adamw", "adamw-8bit", "paged-adamw-8bit", "adafactor", "lion", "sgd", "muon", "galore"};
constexpr const char* plain_names[] = {"auto", "none", "fp32", "bf16", "fp16", "fp8", "nvfp4"};
static_assert(std::size(weight_names) == weight_format_count);

template <class Enum, std::size_t N>
std::optional<Enum> parse(const char* const (&names)[N], std::string_view text) {
  for (std::size_t i = 0; i < N; ++i) {
    if (text == names[i]) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

const char* name(WeightFormat f) { return weight_names[static_cast<std::size_t>(f)]; }
const char* name(KvFormat f) { return kv_names[static_cast<std::size_t>(f)]; }
const char* name(Optimizer o) { return optimizer_names[static_cast<std::size_t>(o)]; }
const char* name(PlainType t) { return plain_names[static_cast<std::size_t>(t)]; }
std::optional<WeightFormat> parse_weight_format(std::string_view t) { return parse<WeightFormat>(weight_names, t); }
std::optional<KvFormat> parse_kv_format(std::string_view t) { return parse<KvFormat>(kv_names, t); }
std::optional<Optimizer> parse_optimizer(std::string_view t) { return parse<Optimizer>(optimizer_names, t); }
std::optional<PlainType> parse_plain_type(std::string_view t) { return parse<PlainType>(plain_names, t); }

bool is_gguf(WeightFormat f) { return f >= WeightFormat::q4_0; }
bool is_quantized(WeightFormat f) { return f > WeightFormat::fp16; }

double bytes_per_element(KvFormat f) {
  switch (f) {
    case KvFormat::fp32: return 4.0;
    case KvFormat::fp8:
    case KvFormat::int8: return 1.0;
    case KvFormat::int4: return 0.5;
    case KvFormat::q8_0: return 34.0 / 32.0;  // 32 elements and one 16-bit scale
    case KvFormat::q4_0: return 18.0 / 32.0;
    case KvFormat::automatic:
    case KvFormat::bf16:
    case KvFormat::fp16: return 2.0;
  }
  return 2.0;
}

double bytes_per_element(PlainType t) {
  switch (t) {
    case PlainType::none: return 0.0;
    case PlainType::fp32: return 4.0;
    case PlainType::fp8: return 1.0;
    case PlainType::nvfp4: return 0.5 + 1.0 / 16.0;  // 16 elements share an 8-bit scale
    case PlainType::automatic:
    case PlainType::bf16:
    case PlainType::fp16: return 2.0;
  }
  return 2.0;
}

}  // namespace gpuplan
