/// Any bytes as the beginning of a GGUF file, whole or cut off.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/model/files/file_model.hpp"
#include "core/model/files/header.hpp"
#include "core/model/tensors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const std::uint64_t file_bytes : {std::uint64_t{0}, std::uint64_t{size}, std::uint64_t{1} << 40}) {
    const auto read = gpuplan::read_gguf_header(bytes, file_bytes);
    if (!read) continue;
    if (!read->header && read->needed_bytes <= size) __builtin_trap();  // asking for what is there would never end
    if (!read->header) continue;
    const auto model = gpuplan::model_of_gguf({*read->header}, "");
    if (model) gpuplan::checkpoint_bytes(model->architecture, gpuplan::WeightFormat::q4_k_m);
  }
  return 0;
}
