#include "core/model/files/file_header_json.hpp"

#include <nlohmann/json.hpp>

#include "core/json/text.hpp"
#include "core/model/ggml_types.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

std::optional<MetaEntry> entry_of(const std::string& key, const json& value) {
  MetaEntry e;
  e.key = key;
  if (value.is_string()) {
    e.is_text = true;
    e.text = value.get<std::string>();
    return e;
  }
  const json list = value.is_array() ? value : json::array({value});
  if (list.size() > 10000) return std::nullopt;
  e.length = list.size();
  for (const json& v : list) {
    if (!v.is_number() && !v.is_boolean()) return std::nullopt;
    e.numbers.push_back(v.is_boolean() ? (v.get<bool>() ? 1.0 : 0.0) : v.get<double>());
  }
  return e;
}

double bytes_of(const std::string& format, const FileTensor& t) {
  if (format == "safetensors") return t.elements * safetensors_bits(t.type) / 8.0;
  for (int i = 0; i < ggml_type_count(); ++i) {
    const GgmlBlock& b = ggml_type_at(i);
    if (t.type == b.name) return t.elements / static_cast<double>(b.elements) * static_cast<double>(b.bytes);
  }
  return 0.0;
}

std::optional<FileTensor> tensor_of(const std::string& format, const json& v) {
  if (!v.is_array() || v.size() != 3 || !v[0].is_string() || !v[1].is_string() || !v[2].is_array() || v[2].size() > 4) return std::nullopt;
  FileTensor t;
  t.name = v[0].get<std::string>().substr(0, 1000);
  t.type = v[1].get<std::string>().substr(0, 40);
  t.elements = 1.0;
  for (const json& size : v[2]) {
    if (!size.is_number_integer() || size < 1 || size > std::int64_t{1} << 40) return std::nullopt;
    t.shape.push_back(size.get<std::int64_t>());
    t.elements *= static_cast<double>(t.shape.back());
  }
  t.bytes = bytes_of(format, t);
  if (t.bytes <= 0.0 || t.elements > 9e15) return std::nullopt;
  return t;
}

}  // namespace

Result<FileHeader> read_file_header(const json& object, const std::string& format, const std::string& pointer) {
  const auto metadata = object.find("metadata");
  const auto tensors = object.find("tensors");
  if (tensors == object.end() || !tensors->is_array() || tensors->size() > most_tensors) {
    return Problem{child(pointer, "tensors"), ProblemCode::missing_field, "The field " + child(pointer, "tensors") + " must list the tensors of the file as [name, type, [rows, columns]].", {}};
  }
  FileHeader header;
  header.format = format;
  if (metadata != object.end() && metadata->is_object()) {
    for (const auto& item : metadata->items()) {
      auto entry = entry_of(item.key(), item.value());
      if (!entry) return Problem{child(child(pointer, "metadata"), item.key()), ProblemCode::wrong_type, "The field " + child(child(pointer, "metadata"), item.key()) + " must be a number, a text or a list of numbers.", {}};
      header.metadata.push_back(*std::move(entry));
    }
  }
  for (std::size_t i = 0; i < tensors->size(); ++i) {
    auto tensor = tensor_of(format, (*tensors)[i]);
    const std::string at = child(child(pointer, "tensors"), std::to_string(i));
    if (!tensor) return Problem{at, ProblemCode::wrong_type, "The field " + at + " must be [name, type, [sizes]] of a known type with sizes of at least 1.", {}};
    header.tensors.push_back(*std::move(tensor));
  }
  return header;
}

}  // namespace gpuplan
