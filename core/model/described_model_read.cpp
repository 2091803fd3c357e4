#include <nlohmann/json.hpp>

#include "core/json/text.hpp"
#include "core/model/architecture_json.hpp"
#include "core/model/described_model.hpp"
#include "core/model/files/file_header_json.hpp"
#include "core/model/files/file_model.hpp"
#include "core/model/huggingface/read_config.hpp"

namespace gpuplan {
namespace {

Result<DescribedModel> of_architecture(const nlohmann::json& body, std::string_view pointer) {
  auto read = read_architecture(body, pointer);
  if (!read) return read.problem();
  DescribedModel out;
  out.architecture = *std::move(read);
  out.weights = parse_weight_format(out.architecture.published_dtype);
  return out;
}

}  // namespace

Result<DescribedModel> read_described_model(std::string_view kind, const nlohmann::json& body, std::string_view pointer) {
  if (kind == "hf_config") return read_hf_config(body, pointer);
  if (kind == "architecture") return of_architecture(body, pointer);
  if (kind == "gguf" || kind == "safetensors") {
    auto header = read_file_header(body, std::string(kind), std::string(pointer));
    if (!header) return header.problem();
    return kind == "gguf" ? model_of_gguf({*header}, pointer) : model_of_safetensors({*header}, pointer);
  }
  return Problem{std::string(pointer), ProblemCode::unknown_field, "A model is described by hf_config, gguf, safetensors or architecture, not by " + excerpt(kind) + ".", {}};
}

}  // namespace gpuplan
