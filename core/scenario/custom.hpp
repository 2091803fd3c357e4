#pragma once
/// Descriptions that travel inside a scenario: a person's own card, model or measured profile.
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/result.hpp"
#include "core/scenario/scenario.hpp"

namespace gpuplan {

/// "/hardware/gpu_spec": memory_gib and bandwidth_GBps are required, rates in TFLOPS by type.
Result<GpuSpec> read_gpu_spec(const nlohmann::json&, const std::string& pointer);
nlohmann::json write_gpu_spec(const GpuSpec&);

/// "/model": {"id"} or one of hf_config, gguf, safetensors, architecture.
Result<ModelRef> read_model_ref(const nlohmann::json&, const std::string& pointer);
nlohmann::json write_model_ref(const ModelRef&);

}  // namespace gpuplan
