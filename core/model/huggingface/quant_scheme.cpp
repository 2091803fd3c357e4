/// quantization_config in detail: bits, groups, scales and lists of modules [M-weights].
#include "core/model/huggingface/quant_scheme.hpp"

#include <algorithm>

namespace gpuplan {
namespace {

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Integers with a 16-bit scale (and a zero point of `bits`) per group of inputs; without groups, per output row.
Packing integers(double bits, std::int64_t group, bool zeros, bool index) {
  const double each = 2.0 + (zeros ? bits / 8.0 : 0.0);
  Packing p;
  p.bits = bits;
  if (group > 0) p.group = group, p.group_bytes = each;
  else p.row_bytes = each;
  if (index) p.column_bytes = 4.0;
  return p;
}

Packing blocks(double bits, std::int64_t group, double group_bytes, double matrix_bytes) {
  Packing p;
  p.bits = bits, p.group = group, p.group_bytes = group_bytes, p.matrix_bytes = matrix_bytes;
  return p;
}

/// Bits of a value; AQLM, exl2 and others give fractions.
double bits_of(const ConfigView& q, double usual) {
  if (q.text({"bits", "w_bit", "wbits", "num_bits"})) return usual;
  const double bits = q.number({"bits", "w_bit", "wbits", "num_bits", "weight_bits", "nbits"}).value_or(usual);
  return bits > 0.0 && bits <= 32.0 ? bits : usual;
}

/// −1 and null mean one group per row; a missing key is 128.
std::int64_t group_of(const ConfigView& q) {
  for (const char* key : {"group_size", "q_group_size", "groupsize"}) {
    if (q.has(key)) return std::min<std::int64_t>(q.count({key}).value_or(0), 1'000'000);
  }
  return 128;
}

/// Scales of FP8: per block of `weight_block_size`, else per matrix.
Packing fp8_blocks(const ConfigView& q) {
  const auto block = q.integers({"weight_block_size"});
  Packing p = blocks(8.0, 0, 0.0, 4.0);
  if (!block) return p;
  if (block->size() != 2 || (*block)[0] < 1 || (*block)[1] < 1) {
    q.findings().fail(q.at("weight_block_size"), ProblemCode::out_of_range, "must be two sizes of at least 1.");
    return p;
  }
  p.matrix_bytes = 0.0;
  p.group_rows = (*block)[0], p.group = (*block)[1], p.group_bytes = 4.0;
  return p;
}

Packing float_weights(const ConfigView& w, const std::string& strategy, std::int64_t group) {
  if (bits_of(w, 8.0) <= 4.0) return group == 16 ? blocks(4.0, 16, 1.0, 8.0) : blocks(4.0, group > 0 ? group : 32, 1.0, 0.0);
  if (group > 0) return blocks(8.0, group, 1.0, 0.0);
  Packing p = blocks(8.0, 0, 0.0, strategy == "channel" ? 0.0 : 4.0);
  if (strategy == "channel") p.row_bytes = 2.0;
  const auto block = w.integers({"block_structure"});
  if (block && block->size() == 2 && (*block)[0] > 0 && (*block)[1] > 0) p.matrix_bytes = 0.0, p.group_rows = (*block)[0], p.group = (*block)[1], p.group_bytes = 4.0;
  return p;
}

/// The weights block of a compressed-tensors or ModelOpt group.
QuantGroup group_of_weights(const ConfigView& w) {
  QuantGroup g;
  const std::string type = w.text({"type"}).value_or("int"), strategy = w.text({"strategy"}).value_or("");
  const std::int64_t group = strategy == "channel" || strategy == "tensor" ? 0 : w.count({"group_size"}).value_or(0);
  const double bits = bits_of(w, 8.0);
  if (type == "float") {
    g.packing = float_weights(w, strategy, group);
    g.format = bits > 4.0 ? "fp8" : group == 32 ? "mxfp4" : "nvfp4";
  } else {
    g.packing = integers(bits, group, !w.flag({"symmetric"}).value_or(true), false);
    g.format = bits > 4.0 ? "int8" : "int4";
  }
  return g;
}

void read_groups(const ConfigView& q, QuantScheme& s) {
  const auto groups = q.object({"config_groups"});
  if (!groups) return;
  for (const ConfigView& group : groups->objects()) {
    const auto weights = group.object({"weights"});
    if (!weights) continue;
    QuantGroup g = group_of_weights(*weights);
    std::vector<std::string> targets = group.texts({"targets"}).value_or(std::vector<std::string>{});
    const auto all = std::find(targets.begin(), targets.end(), "Linear");
    g.everything = targets.empty() || all != targets.end();
    if (!g.everything) g.modules = ModulePatterns(targets);
    s.groups.push_back(std::move(g));
  }
  std::stable_partition(s.groups.begin(), s.groups.end(), [](const QuantGroup& g) { return !g.everything; });
}

/// "W4A16_NVFP4" is NVFP4 as far as storage goes.
std::string_view algorithm_of(const std::string& text) {
  for (const std::string_view known : {"NVFP4", "MXFP8", "MXFP4", "FP8"}) {
    if (holds(text, known)) return known;
  }
  return "";
}

/// ModelOpt's mixed precision: an algorithm per module.
void read_quantized_layers(const ConfigView& q, QuantScheme& s) {
  const auto layers = q.object({"quantized_layers"});
  if (!layers) return;
  struct Algorithm {
    const char* name;
    const char* format;
    Packing packing;
  };
  const Algorithm known[] = {{"NVFP4", "nvfp4", blocks(4.0, 16, 1.0, 8.0)}, {"MXFP8", "fp8", blocks(8.0, 32, 1.0, 0.0)}, {"FP8", "fp8", blocks(8.0, 0, 0.0, 8.0)}, {"MXFP4", "mxfp4", blocks(4.0, 32, 1.0, 0.0)}};
  s.groups.clear();
  for (const Algorithm& a : known) {
    std::vector<std::string> modules;
    for (const std::string& name : layers->keys()) {
      const auto layer = layers->object({name.c_str()});
      if (layer && algorithm_of(layer->text({"quant_algo"}).value_or("")) == a.name) modules.push_back(name);
    }
    if (modules.empty()) continue;
    QuantGroup g;
    g.format = a.format, g.packing = a.packing, g.everything = false, g.modules = ModulePatterns(modules);
    s.groups.push_back(std::move(g));
  }
}

/// AQLM: codes into codebooks, a book per matrix and a scale per group of rows.
Packing additive(const ConfigView& q) {
  const double in = static_cast<double>(q.size({"in_group_size"}).value_or(8)), out = static_cast<double>(q.size({"out_group_size"}).value_or(1));
  const double books = static_cast<double>(std::min<std::int64_t>(q.size({"num_codebooks"}).value_or(1), 64)), bits = static_cast<double>(std::min<std::int64_t>(q.size({"nbits_per_codebook"}).value_or(16), 24));
  double entries = 1.0;
  for (int i = 0; i < static_cast<int>(bits); ++i) entries *= 2.0;
  Packing p;
  p.bits = books * bits / (in * out);
  p.row_bytes = 2.0 / out;
  p.matrix_bytes = books * entries * in * out * 2.0;
  return p;
}

/// torchao: 4-bit weights carry scale and zero point per group, 8-bit ones a scale per row.
Packing torchao(const ConfigView& q, const std::string& format) {
  ConfigView inner = q;
  if (const auto type = q.object({"quant_type"})) {
    if (const auto one = type->first_object()) inner = one->object({"_data"}).value_or(*one);
  } else if (const auto arguments = q.object({"quant_type_kwargs"})) {
    inner = *arguments;
  }
  if (format == "int4") return blocks(4.0, group_of(inner), 4.0, 0.0);
  Packing p = packing(format == "fp8" ? WeightFormat::fp8 : WeightFormat::int8);
  if (format == "fp8") p = blocks(8.0, 0, 0.0, 4.0);
  else p.row_bytes = 2.0;
  return p;
}

/// How the one group of a method with bits at its top level packs.
Packing by_method(const ConfigView& q, const std::string& method, const std::string& format) {
  if (holds(method, "gptq") || holds(method, "auto-round") || holds(method, "awq")) {
    if (q.text({"bits", "w_bit", "wbits"})) return packing(*parse_weight_format(format));
    const bool awq = holds(method, "awq") && !holds(method, "gptq");
    return integers(bits_of(q, 4.0), group_of(q), true, !awq);
  }
  if (method == "fp8") return fp8_blocks(q);
  if (format == "fp8" && (holds(method, "modelopt") || method.empty())) return blocks(8.0, 0, 0.0, 8.0);  // ModelOpt: a scale for the weights, one for the inputs
  if (method == "fbgemm_fp8") {
    Packing p = blocks(8.0, 0, 0.0, 0.0);
    p.row_bytes = 4.0;
    return p;
  }
  if (method == "aqlm") return additive(q);
  if (method == "torchao") return torchao(q, format);
  if (method == "hqq" || method == "exl2" || method == "exl3" || method == "bitnet") {
    const auto hqq = q.object({"quant_config"});
    const auto weights = hqq ? hqq->object({"weight_quant_params"}) : std::nullopt;
    if (weights) return integers(bits_of(*weights, 4.0), group_of(*weights), true, false);
    Packing p;
    p.bits = method == "bitnet" ? 2.0 : bits_of(q, 4.0);
    return p;
  }
  if (q.has("group_size") && format == "int4") return integers(bits_of(q, 4.0), group_of(q), false, false);
  return packing(*parse_weight_format(format));
}

std::vector<std::string> kept_modules(const ConfigView& q) {
  std::vector<std::string> kept;
  for (const char* key : {"ignore", "modules_to_not_convert", "exclude_modules", "llm_int8_skip_modules", "linear_weights_not_to_quantize", "ignored_layers"}) {
    if (auto list = q.texts({key})) kept.insert(kept.end(), list->begin(), list->end());
  }
  if (const auto extra = q.object({"extra_config"})) {  // AutoRound: bits per module
    for (const std::string& name : extra->keys()) {
      const auto one = extra->object({name.c_str()});
      if (one && one->number({"bits"}).value_or(4.0) >= 16.0) kept.push_back(name);
    }
  }
  if (const auto dynamic = q.object({"dynamic"})) {  // GPTQModel: "-:" in front of what is left out
    for (const std::string& name : dynamic->keys()) {
      if (name.rfind("-:", 0) == 0) kept.push_back("re:" + name.substr(2));
    }
  }
  return kept;
}

}  // namespace

QuantScheme read_quant_scheme(const Dialect& d, const ConfigView& q, const std::string& format) {
  QuantScheme s;
  s.kept = ModulePatterns(kept_modules(q));
  s.head = q.flag({"lm_head"}).value_or(false);
  s.head_bits = q.number({"head_bits"}).value_or(0.0);
  std::string method = q.text({"quant_method", "quantization"}).value_or("");
  for (char& c : method) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (d.text.text({"expert_dtype"}).value_or("") == "fp4" && format == "mxfp4") {  // DeepSeek-V4: experts in four bits, the rest in FP8 blocks
    QuantGroup experts, rest;
    experts.format = "mxfp4", rest.format = "fp8";
    experts.packing = packing(WeightFormat::mxfp4), rest.packing = packing(WeightFormat::fp8);
    read_groups(q, s);
    if (!s.groups.empty()) experts.format = s.groups[0].format, experts.packing = s.groups[0].packing;  // packed again by ModelOpt
    s.kept = ModulePatterns({});
    experts.everything = false, experts.modules = ModulePatterns({"experts"});
    s.groups = {experts, rest};
    return s;
  }
  read_groups(q, s);
  read_quantized_layers(q, s);
  s.experts_only = method == "mxfp4";
  if (!s.groups.empty()) return s;
  QuantGroup g;
  g.format = format;
  g.packing = by_method(q, method, format);
  s.groups.push_back(std::move(g));
  return s;
}

}  // namespace gpuplan
