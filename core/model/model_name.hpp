#pragma once
/// What the name of a published model says: which model it is a variant of, and how its weights are stored.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.hpp"

namespace gpuplan {

struct ModelName {
  std::vector<std::string> all;   ///< every word of the name in lower case, organisation left out
  std::vector<std::string> core;  ///< words that tell architectures apart: no "instruct", no date, no weight format
  std::optional<WeightFormat> weights;
};

/// Splits "TheBloke/Llama-2-13B-chat-AWQ" into words; "llama3.1:8b" and "Llama-3.1-8B" give the same words.
ModelName parse_model_name(std::string_view name);

}  // namespace gpuplan
