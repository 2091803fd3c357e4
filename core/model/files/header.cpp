#include "core/model/files/header.hpp"

namespace gpuplan {

const MetaEntry* FileHeader::find(std::string_view key) const {
  for (const MetaEntry& e : metadata) {
    if (e.key == key) return &e;
  }
  return nullptr;
}

double FileHeader::bytes() const {
  double sum = 0.0;
  for (const FileTensor& t : tensors) sum += t.bytes;
  return sum;
}

double FileHeader::elements() const {
  double sum = 0.0;
  for (const FileTensor& t : tensors) sum += t.elements;
  return sum;
}

bool is_gguf_file(std::string_view bytes) { return bytes.substr(0, 4) == "GGUF"; }

}  // namespace gpuplan
