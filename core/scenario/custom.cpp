#include "core/scenario/custom.hpp"

#include <array>

#include <nlohmann/json.hpp>

#include "core/catalog/profile.hpp"
#include "core/json/text.hpp"
#include "core/scenario/read.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

/// A number of gpu_spec: its name, where it goes, and its upper bound.
struct SpecField {
  const char* key;
  double GpuSpec::*plain;
  std::optional<double> GpuSpec::*optional;
  double maximum;
  bool required;
};

constexpr std::array<SpecField, 10> spec_fields{{
    {"memory_gib", &GpuSpec::memory_gib, nullptr, 65536, true},
    {"bandwidth_GBps", &GpuSpec::bandwidth_GBps, nullptr, 1e6, true},
    {"link_GBps", &GpuSpec::link_GBps, nullptr, 1e6, false},
    {"pcie_GBps", &GpuSpec::pcie_GBps, nullptr, 1e4, false},
    {"tflops_fp32", nullptr, &GpuSpec::tflops_fp32, 1e6, false},
    {"tflops_fp16", nullptr, &GpuSpec::tflops_fp16, 1e6, false},
    {"tflops_bf16", nullptr, &GpuSpec::tflops_bf16, 1e6, false},
    {"tflops_fp8", nullptr, &GpuSpec::tflops_fp8, 1e6, false},
    {"tflops_int8", nullptr, &GpuSpec::tflops_int8, 1e6, false},
    {"tflops_fp4", nullptr, &GpuSpec::tflops_fp4, 1e6, false},
}};

const SpecField* spec_field(const std::string& key) {
  for (const SpecField& f : spec_fields) {
    if (key == f.key) return &f;
  }
  return nullptr;
}

std::string spec_keys() {
  std::string out;
  for (const SpecField& f : spec_fields) out += (out.empty() ? "" : ", ") + std::string(f.key);
  return out;
}

std::optional<Problem> read_spec_number(const std::string& pointer, const SpecField& f, const json& value, GpuSpec& out) {
  if (!value.is_number()) return Problem{pointer, ProblemCode::wrong_type, pointer + " must be a number, not " + type_name(value) + ".", {}};
  const double v = value.get<double>();
  if (!(v > 0.0 && v <= f.maximum)) {
    return Problem{pointer, ProblemCode::out_of_range, pointer + " must be above 0 and at most " + json(f.maximum).dump() + ", not " + value.dump() + ".", {}};
  }
  if (f.plain) out.*f.plain = v;
  else out.*f.optional = v;
  return std::nullopt;
}

Problem bad_model(const std::string& pointer, const json& value) {
  return {pointer, ProblemCode::wrong_type,
          pointer + " must be an object with one of id, hf_config, gguf, safetensors or architecture, not " + type_name(value) + ".", {}};
}

}  // namespace

Result<GpuSpec> read_gpu_spec(const json& value, const std::string& pointer) {
  if (!value.is_object()) return Problem{pointer, ProblemCode::wrong_type, pointer + " must be an object with " + spec_keys() + ".", {}};
  GpuSpec out;
  for (const auto& [key, number] : value.items()) {
    const SpecField* f = spec_field(key);
    const std::string at = child(pointer, key);
    if (!f) return Problem{at, ProblemCode::unknown_field, at + " is not a field; known: " + spec_keys() + ".", {}};
    if (auto p = read_spec_number(at, *f, number, out)) return *p;
  }
  for (const SpecField& f : spec_fields) {
    if (f.required && !value.contains(f.key)) return Problem{child(pointer, f.key), ProblemCode::missing_field, child(pointer, f.key) + " is required.", {}};
  }
  if (!out.tflops_fp16 && !out.tflops_bf16 && !out.tflops_fp32) {
    return Problem{pointer, ProblemCode::missing_field, pointer + " needs at least one of tflops_bf16, tflops_fp16 or tflops_fp32.", {}};
  }
  return out;
}

json write_gpu_spec(const GpuSpec& spec) {
  json out = json::object();
  for (const SpecField& f : spec_fields) {
    if (f.plain && spec.*f.plain > 0.0) out[f.key] = spec.*f.plain;
    if (f.optional && spec.*f.optional) out[f.key] = *(spec.*f.optional);
  }
  return out;
}

Result<ModelRef> read_model_ref(const json& value, const std::string& pointer) {
  if (value.is_string()) return read_model_ref(json{{"id", value}}, pointer);
  if (!value.is_object() || value.size() != 1) return bad_model(pointer, value);
  const std::string key = value.begin().key();
  const json& body = value.begin().value();
  ModelRef out;
  if (key == "id") {
    const std::string at = child(pointer, key);
    if (!body.is_string()) return Problem{at, ProblemCode::wrong_type, at + " must be text such as \"meta-llama/Llama-3.1-8B\", not " + type_name(body) + ".", {}};
    out.id = body.get<std::string>();
    if (out.id.empty() || out.id.size() > 300) return Problem{at, ProblemCode::out_of_range, at + " must have 1 to 300 characters.", {}};
    return out;
  }
  if (key != "hf_config" && key != "gguf" && key != "safetensors" && key != "architecture") {
    return Problem{child(pointer, key), ProblemCode::unknown_field, child(pointer, key) + " is not a field; one of id, hf_config, gguf, safetensors, architecture is expected.", {}};
  }
  if (!body.is_object()) return Problem{child(pointer, key), ProblemCode::wrong_type, child(pointer, key) + " must be an object, not " + type_name(body) + ".", {}};
  out.custom_kind = key;
  out.custom_json = body.dump();
  return out;
}

json write_model_ref(const ModelRef& model) {
  if (model.custom_kind.empty()) return {{"id", model.id}};
  return {{model.custom_kind, parse_own_json(model.custom_json)}};
}

std::optional<Problem> assign_object(const std::string& pointer, const json& value, Scenario& out) {
  if (pointer == "/model") {
    if (value.is_null()) { out.model = {}; return std::nullopt; }
    auto model = read_model_ref(value, pointer);
    if (!model) return model.problem();
    out.model = *std::move(model);
  } else if (pointer == "/hardware/gpu_spec") {
    if (value.is_null()) { out.hardware.gpu_spec.reset(); return std::nullopt; }
    auto spec = read_gpu_spec(value, pointer);
    if (!spec) return spec.problem();
    out.hardware.gpu_spec = *spec;
  } else {
    if (value.is_null()) { out.hardware.profile.reset(); out.hardware.profile_json.clear(); return std::nullopt; }
    auto profile = read_profile(value, pointer);
    if (!profile) return profile.problem();
    out.hardware.profile = std::make_shared<const Profile>(*std::move(profile));
    out.hardware.profile_json = value.dump();
  }
  return std::nullopt;
}

}  // namespace gpuplan
