/// quantization_config in all its dialects, to the name of a storage format.
#include "core/dtype.hpp"
#include "core/model/huggingface/dialect.hpp"

namespace gpuplan {
namespace {

std::string lower(std::string s) {
  for (char& c : s) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return s;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

void odd_bits(const ConfigView& q, const std::string& method, std::int64_t bits, const std::string& taken) {
  q.findings().assume("model-quantization-assumed", "The checkpoint is quantised by " + method + " with " + std::to_string(bits) + " bits; it is called " + taken + " here, with the bytes of its own bits.");
}

std::int64_t bits_of(const ConfigView& q) {
  if (const auto text = q.text({"bits", "w_bit", "wbits"})) return holds(*text, "8") ? 8 : 4;  // "int4" is seen in the wild
  const double bits = q.number({"bits", "w_bit", "wbits", "weight_bits"}).value_or(4.0);
  if (bits > 0.0 && bits <= 32.0) return static_cast<std::int64_t>(bits + 0.5);  // exl2 and others mix to fractions
  q.findings().fail(q.at("bits"), ProblemCode::out_of_range, "must be more than 0 and at most 32.");
  return 4;
}

std::string by_bits(const ConfigView& q, const std::string& method, const std::string& four, const std::string& eight) {
  const std::int64_t bits = bits_of(q);
  if (bits == 4) return four;
  if (bits == 8) return eight;
  odd_bits(q, method, bits, bits > 4 ? eight : four);
  return bits > 4 ? eight : four;
}

std::string bitsandbytes(const ConfigView& q) {
  if (q.flag({"load_in_4bit", "_load_in_4bit"}).value_or(false)) return q.flag({"bnb_4bit_use_double_quant"}).value_or(false) ? "nf4-double" : "nf4";
  return "int8";
}

/// The weights block of compressed-tensors: {num_bits, type, group_size, strategy}.
std::string compressed_tensors(const ConfigView& q) {
  const std::string format = lower(q.text({"format"}).value_or(""));
  if (holds(format, "mxfp4")) return "mxfp4";
  if (holds(format, "nvfp4")) return "nvfp4";
  const auto groups = q.object({"config_groups"});
  const auto group = groups ? groups->first_object() : std::nullopt;
  const auto weights = group ? group->object({"weights"}) : std::nullopt;
  if (!weights) return holds(format, "float") ? "fp8" : holds(format, "int-quantized") ? "int8" : "int4";
  const std::int64_t bits = weights->count({"num_bits"}).value_or(8);
  const bool is_float = lower(weights->text({"type"}).value_or("")) == "float";
  if (bits == 8) return is_float ? "fp8" : "int8";
  if (bits == 4) return is_float ? "nvfp4" : "int4";
  odd_bits(q, "compressed-tensors", bits, "int4");
  return "int4";
}

std::string modelopt(const ConfigView& q, const std::string& algorithm) {
  if (holds(algorithm, "nvfp4")) return "nvfp4";
  if (holds(algorithm, "mxfp4")) return "mxfp4";
  if (holds(algorithm, "fp8")) return "fp8";
  if (holds(algorithm, "awq")) return "awq";
  if (q.has("quantized_layers")) return "nvfp4";
  q.findings().assume("model-quantization-assumed", "The checkpoint mixes precisions (" + algorithm + "); it was sized as nvfp4.");
  return "nvfp4";
}

std::string torchao(const ConfigView& q) {
  std::string kind = lower(q.text({"quant_type"}).value_or(""));
  if (const auto inner = q.object({"quant_type"})) {
    const auto one = inner->first_object();
    kind = lower(one ? one->text({"_type"}).value_or("") : "");
  }
  if (holds(kind, "float8") || holds(kind, "fp8")) return "fp8";
  if (holds(kind, "int8") && !holds(kind, "int4")) return "int8";
  if (!holds(kind, "int4")) q.findings().assume("model-quantization-assumed", "The torchao type is not known; it was sized as int4.");
  return "int4";
}

/// Methods that are seen now and then; their bits are in a block or a text of their own.
std::optional<std::string> by_rarer_method(const ConfigView& q, const std::string& method) {
  const auto called = [&](const std::string& name) {
    q.findings().assume("model-quantization-assumed", "Weights quantised by " + method + " are called " + name + " here, with the bytes of their own bits.");
    return name;
  };
  if (method == "hqq") {
    const auto config = q.object({"quant_config"});
    const auto weights = config ? config->object({"weight_quant_params"}) : std::nullopt;
    return called(weights && weights->number({"nbits"}).value_or(4.0) > 4.0 ? "int8" : "int4");
  }
  if (method == "quanto" || method == "eetq") return holds(lower(q.text({"weights"}).value_or("int8")), "8") ? "int8" : "int4";
  if (method == "bitnet") return called("tq2_0");
  if (method != "quark") return std::nullopt;
  const auto global = q.object({"global_quant_config"});
  const auto weight = global ? global->object({"weight"}) : std::nullopt;
  const std::string type = lower(weight ? weight->text({"dtype"}).value_or("") : "");
  if (holds(type, "fp4")) return "mxfp4";
  if (holds(type, "fp8") || holds(type, "int8")) return holds(type, "fp8") ? "fp8" : "int8";
  return called("int4");
}

std::string by_method(const ConfigView& q) {
  const std::string method = lower(q.text({"quant_method", "quantization"}).value_or(""));
  const std::string algorithm = lower(q.text({"quant_algo"}).value_or(""));
  if (method == "fp8" || method == "fbgemm_fp8") return "fp8";
  if (method == "mxfp4") return "mxfp4";
  if (method == "modelopt" || method == "modelopt_fp4" || (method.empty() && !algorithm.empty())) return modelopt(q, algorithm.empty() ? method : algorithm);
  if (method == "awq" || holds(method, "awq")) return by_bits(q, "AWQ", "awq", "int8");
  if (method == "gptq" || holds(method, "gptq")) return by_bits(q, "GPTQ", "gptq-4bit", "gptq-8bit");
  if (holds(method, "auto-round") || holds(method, "intel/auto-round")) return by_bits(q, "AutoRound", "gptq-4bit", "gptq-8bit");
  if (method == "bitsandbytes" || q.has("load_in_4bit") || q.has("load_in_8bit")) return bitsandbytes(q);
  if (method == "compressed-tensors" || method == "sparseml" || q.has("config_groups")) return compressed_tensors(q);
  if (method == "torchao") return torchao(q);
  if (method == "aqlm") {
    q.findings().assume("model-quantization-assumed", "AQLM is called iq2_xxs here, with the bytes of its own codes and codebooks.");
    return "iq2_xxs";
  }
  if (const auto name = by_rarer_method(q, method)) return *name;
  if (q.has("bits")) return by_bits(q, method.empty() ? "an unnamed method" : method.substr(0, 40), "int4", "int8");
  q.findings().assume("model-quantization-assumed", "The quantisation method \"" + method.substr(0, 40) + "\" is not known; the weights were sized as int4.");
  return "int4";
}

std::string plain_type(const Dialect& d) {
  std::string type = lower(d.text.text({"torch_dtype", "dtype"}).value_or(d.root.text({"torch_dtype", "dtype"}).value_or("")));
  if (type.rfind("torch.", 0) == 0) type = type.substr(6);
  if (type == "bfloat16") return "bf16";
  if (type == "float16" || type == "half") return "fp16";
  if (type == "float32" || type == "float") return "fp32";
  return "";
}

/// DeepSeek-V4 stores its experts in four bits beside eight-bit projections.
std::string with_expert_type(const Dialect& d, std::string format) {
  if (format != "fp8" || d.text.text({"expert_dtype"}).value_or("") != "fp4") return format;
  d.text.findings().assume("model-quantization-assumed", "Experts are stored in four bits and the rest in eight.");
  return "mxfp4";
}

}  // namespace

std::string read_quantization(const Dialect& d) {
  for (const ConfigView* view : {&d.root, &d.text}) {
    for (const char* key : {"quantization_config", "compression_config"}) {
      if (view->has(key) && !view->object({key})) view->findings().fail(view->at(key), ProblemCode::wrong_type, "must be an object.");
    }
    if (const auto q = view->object({"quantization_config", "compression_config"})) return with_expert_type(d, by_method(*q));
    if (const auto mlx = view->object({"quantization"})) return by_bits(*mlx, "MLX", "int4", "int8");
  }
  return plain_type(d);
}

}  // namespace gpuplan
