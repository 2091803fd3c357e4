#pragma once
/// The words of the catalog's enumerations, as assets, scenarios and answers write them.
#include <string_view>

#include "core/catalog/instance.hpp"

namespace gpuplan {

const char* name(ScaleUp);        ///< "none", "pcie", "pcie_p2p", "bridge", "mesh", "switched", "all_to_all"
const char* name(ScaleOut);       ///< "none", "tcp", "efa", "roce", "infiniband", "gpudirect_tcpx", "ici"
const char* name(ProviderClass);  ///< "hyperscaler", "gpu-cloud", "marketplace", "owned"

/// Whether `word` is one; then `value` is set.
bool read_word(std::string_view word, ScaleUp& value);
bool read_word(std::string_view word, ScaleOut& value);
bool read_word(std::string_view word, ProviderClass& value);

}  // namespace gpuplan
