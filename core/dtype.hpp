#pragma once
/// Number formats by the names of the protocol: how weights, caches and moments are stored.
#include <cstdint>
#include <optional>
#include <string_view>

namespace gpuplan {

/// numerics.weights: plain types, the quantisations of serving stacks, and GGUF mixes (a type per tensor).
enum class WeightFormat : std::uint8_t {
  fp32, bf16, fp16, fp8, int8, int4, awq, gptq_4bit, gptq_8bit, nf4, nf4_double, mxfp4, nvfp4,
  // GGUF: legacy and k-quants, then importance quants
  q4_0, q4_1, q5_0, q5_1, q8_0, q2_k, q2_k_s, q3_k_s, q3_k_m, q3_k_l, q4_k_s, q4_k_m, q5_k_s, q5_k_m, q6_k,
  iq1_s, iq1_m, iq2_xxs, iq2_xs, iq2_s, iq2_m, iq3_xxs, iq3_xs, iq3_s, iq3_m, iq4_nl, iq4_xs, tq1_0, tq2_0
};
inline constexpr int weight_format_count = 42;

/// numerics.kv_cache.
enum class KvFormat : std::uint8_t { automatic, fp32, bf16, fp16, fp8, int8, int4, q8_0, q4_0 };

/// numerics.optimizer.
enum class Optimizer : std::uint8_t { adamw, adamw_8bit, paged_adamw_8bit, adafactor, lion, sgd, muon, galore };

/// numerics.activations, gradients, master_weights: plain types or the software's default.
enum class PlainType : std::uint8_t { automatic, none, fp32, bf16, fp16, fp8, nvfp4 };

const char* name(WeightFormat);
const char* name(KvFormat);
const char* name(Optimizer);
const char* name(PlainType);
std::optional<WeightFormat> parse_weight_format(std::string_view);
std::optional<KvFormat> parse_kv_format(std::string_view);
std::optional<Optimizer> parse_optimizer(std::string_view);
std::optional<PlainType> parse_plain_type(std::string_view);

/// True for formats stored as GGUF block types (a whole model is then a mix of them).
bool is_gguf(WeightFormat);
/// True for formats with fewer than 16 bits per weight.
bool is_quantized(WeightFormat);

/// Bytes of one cached element, block scales included; `automatic` counts as 16-bit.
double bytes_per_element(KvFormat);
/// Bytes of one element; `automatic` counts as 16-bit, `none` as 0.
double bytes_per_element(PlainType);

}  // namespace gpuplan
