#pragma once
/// From headers of weight files to a model: its architecture where the file describes it, and exact bytes in any case.
#include <vector>

#include "core/model/described_model.hpp"
#include "core/model/files/header.hpp"

namespace gpuplan {

/// All parts of a GGUF file (or those at hand).
Result<DescribedModel> model_of_gguf(const std::vector<FileHeader>& parts, std::string_view pointer);

/// Shapes of safetensors name no head counts: sizes are read from the shapes, and the size of a head is assumed where no norm shows it.
Result<DescribedModel> model_of_safetensors(const std::vector<FileHeader>& parts, std::string_view pointer);

/// Lays the exact bytes of a file's tensors over an architecture that came from elsewhere (its config.json).
void take_stored_types(const std::vector<FileHeader>& parts, Architecture&);

/// The format that names the storage of most weights: "q4_k_m", "bf16".
std::string dominant_format(const std::vector<FileHeader>& parts);

}  // namespace gpuplan
