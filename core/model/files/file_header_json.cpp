#include "core/model/files/file_header_json.hpp"

#include <nlohmann/json.hpp>

#include "core/json/text.hpp"
#include "core/model/ggml_types.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

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

/// Numbers and truth values of a list; false when it holds anything else.
bool take_numbers(const json& list, MetaEntry& e) {
  if (list.size() > 10000) return false;
  for (const json& v : list) {
    if (!v.is_number() && !v.is_boolean()) return false;
    e.numbers.push_back(v.is_boolean() ? (v.get<bool>() ? 1.0 : 0.0) : v.get<double>());
  }
  return true;
}

}  // namespace

std::optional<MetaEntry> read_meta_value(const std::string& key, const json& value) {
  MetaEntry e;
  e.key = key;
  if (value.is_string()) {
    e.is_text = true;
    e.text = value.get<std::string>();
    return e;
  }
  if (value.is_object()) {
    const auto length = value.find("length"), numbers = value.find("numbers");
    if (length == value.end() || !length->is_number_integer() || *length < 0 || *length > std::int64_t{1} << 40) return std::nullopt;
    e.length = length->get<std::uint64_t>();
    if (numbers != value.end() && (!numbers->is_array() || !take_numbers(*numbers, e))) return std::nullopt;
    return e;
  }
  const json list = value.is_array() ? value : json::array({value});
  e.length = list.size();
  return take_numbers(list, e) ? std::optional<MetaEntry>(e) : std::nullopt;
}

json write_meta_value(const MetaEntry& e) {
  if (e.is_text) return e.text;
  json numbers = json::array();
  for (const double n : e.numbers) {
    const bool whole = n >= -9e15 && n <= 9e15 && n == static_cast<double>(static_cast<std::int64_t>(n));
    numbers.push_back(whole ? json(static_cast<std::int64_t>(n)) : json(n));
  }
  if (e.length == 1 && numbers.size() == 1) return numbers[0];
  if (e.length == numbers.size()) return numbers;
  return {{"length", e.length}, {"numbers", numbers}};
}

json write_file_header(const FileHeader& header) {
  json metadata = json::object(), tensors = json::array();
  for (const MetaEntry& e : header.metadata) metadata[e.key] = write_meta_value(e);
  for (const FileTensor& t : header.tensors) tensors.push_back({t.name, t.type, t.shape});
  return {{"metadata", metadata}, {"tensors", tensors}};
}

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
      auto entry = read_meta_value(item.key(), item.value());
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
