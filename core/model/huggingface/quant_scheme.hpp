#pragma once
/// What a quantization_config says of each module: which packing it has, and which ones stay as they were.
#include <string>
#include <vector>

#include "core/model/huggingface/dialect.hpp"
#include "core/model/huggingface/module_pattern.hpp"
#include "core/model/packing.hpp"

namespace gpuplan {

struct QuantGroup {
  std::string format;      ///< name of the WeightFormat that it is nearest to
  Packing packing;
  bool everything = true;  ///< all linear modules that no other group names
  ModulePatterns modules{{}};
};

struct QuantScheme {
  std::vector<QuantGroup> groups;   ///< those with a list of modules first
  ModulePatterns kept{{}};          ///< modules in 16 bits
  bool experts_only = false;
  bool head = false;                ///< lm_head is packed too
  double head_bits = 0.0;           ///< of lm_head, 0 = as its group says
};

/// The scheme of a configuration whose storage read_quantization() named `format`.
QuantScheme read_quant_scheme(const Dialect&, const ConfigView& quantization, const std::string& format);

}  // namespace gpuplan
