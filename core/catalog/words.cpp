#include "core/catalog/words.hpp"

#include <array>

namespace gpuplan {

namespace {

constexpr std::array<const char*, 7> scale_up_words = {"none", "pcie", "pcie_p2p", "bridge", "mesh", "switched", "all_to_all"};
constexpr std::array<const char*, 7> scale_out_words = {"none", "tcp", "efa", "roce", "infiniband", "gpudirect_tcpx", "ici"};
constexpr std::array<const char*, 4> class_words = {"hyperscaler", "gpu-cloud", "marketplace", "owned"};

template <class Words, class Value>
bool read(const Words& words, std::string_view word, Value& value) {
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (word != words[at]) continue;
    value = static_cast<Value>(at);
    return true;
  }
  return false;
}

}  // namespace

const char* name(ScaleUp value) { return scale_up_words[static_cast<std::size_t>(value)]; }
const char* name(ScaleOut value) { return scale_out_words[static_cast<std::size_t>(value)]; }
const char* name(ProviderClass value) { return class_words[static_cast<std::size_t>(value)]; }

bool read_word(std::string_view word, ScaleUp& value) { return read(scale_up_words, word, value); }
bool read_word(std::string_view word, ScaleOut& value) { return read(scale_out_words, word, value); }
bool read_word(std::string_view word, ProviderClass& value) { return read(class_words, word, value); }

}  // namespace gpuplan
