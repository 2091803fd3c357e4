/// Any bytes as the beginning of a safetensors file.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/model/files/file_model.hpp"
#include "core/model/files/header.hpp"
#include "core/model/tensors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const std::uint64_t file_bytes : {std::uint64_t{0}, std::uint64_t{size}, std::uint64_t{1} << 40}) {
    const auto read = gpuplan::read_safetensors_header(bytes, file_bytes);
    if (!read) continue;
    if (!read->header && read->needed_bytes <= size) __builtin_trap();
    if (!read->header) continue;
    const auto model = gpuplan::model_of_safetensors({*read->header}, "");
    if (model) gpuplan::checkpoint_bytes(model->architecture, gpuplan::WeightFormat::bf16);
  }
  return 0;
}
