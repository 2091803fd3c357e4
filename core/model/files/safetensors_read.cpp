/// safetensors: eight bytes of length, a JSON map of tensors, then the data. Read as a stream, so that a large header costs no tree.
#include <nlohmann/json.hpp>

#include "core/json/text.hpp"
#include "core/model/files/byte_reader.hpp"
#include "core/model/files/file_header_json.hpp"
#include "core/model/files/header.hpp"

namespace gpuplan {
namespace {

constexpr std::uint64_t largest_json = 100'000'000;  // the format's own limit

struct Dtype {
  const char* name;
  double bits;
};
constexpr Dtype dtypes[] = {{"BOOL", 8},    {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U8", 8},   {"I8", 8},   {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8},
                           {"I16", 16},    {"U16", 16},    {"F16", 16},     {"BF16", 16},   {"I32", 32}, {"U32", 32}, {"F32", 32},    {"F64", 64},    {"I64", 64},    {"U64", 64},         {"C64", 64}};

Problem bad(const std::string& what) { return {"", ProblemCode::syntax, "The safetensors header " + what, {}}; }

/// Receives the header's JSON piece by piece: depth 1 holds tensors, depth 2 their fields.
class Sink : public nlohmann::json_sax<nlohmann::json> {
 public:
  Sink(FileHeader& header, double data_bytes) : header_(header), data_bytes_(data_bytes) {}
  std::optional<Problem> problem;

  bool null() override { return stop("holds null where a tensor is described."); }
  bool boolean(bool) override { return stop("holds a truth value where a tensor is described."); }
  bool number_integer(number_integer_t) override { return stop("holds a negative number."); }
  bool number_float(number_float_t, const string_t&) override { return stop("holds a number that is not whole."); }
  bool binary(binary_t&) override { return false; }

  bool number_unsigned(number_unsigned_t v) override {
    if (in_metadata_) return stop("holds a number in __metadata__, where only texts are allowed.");
    if (depth_ != 2 || !in_list_) return stop("holds a number outside shape and data_offsets.");
    if (v > std::uint64_t{1} << 53) return stop("gives tensor \"" + excerpt(tensor_.name) + "\" a size that no file can hold.");
    std::vector<std::uint64_t>& list = field_ == "shape" ? shape_ : offsets_;
    if (list.size() >= 64) return stop("gives tensor \"" + excerpt(tensor_.name) + "\" more than 64 dimensions.");
    list.push_back(v);
    return true;
  }
  bool string(string_t& v) override {
    if (in_metadata_) return true;
    if (depth_ != 2 || in_list_ || field_ != "dtype") return stop("holds a text where none is expected.");
    tensor_.type = v.substr(0, 40);
    return true;
  }
  bool key(string_t& k) override {
    if (depth_ == 1) return begin_tensor(k);
    if (in_metadata_) return true;
    field_ = k.substr(0, 40);
    const bool known = field_ == "dtype" || field_ == "shape" || field_ == "data_offsets";
    return known || stop("describes tensor \"" + excerpt(tensor_.name) + "\" with the unknown field \"" + excerpt(field_) + "\".");
  }
  bool start_object(std::size_t) override {
    if (++depth_ > 2 || in_list_) return stop("is nested deeper than tensors and their fields.");
    return true;
  }
  bool end_object() override {
    --depth_;
    if (depth_ != 1) return true;
    const bool was_metadata = in_metadata_;
    in_metadata_ = false;
    return was_metadata || end_tensor();
  }
  bool start_array(std::size_t) override {
    if (depth_ != 2 || in_list_ || in_metadata_ || (field_ != "shape" && field_ != "data_offsets")) return stop("holds a list where none is expected.");
    in_list_ = true;
    return true;
  }
  bool end_array() override {
    in_list_ = false;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    return stop("is not valid JSON at byte " + std::to_string(position) + ".");
  }

 private:
  bool stop(const std::string& what) {
    if (!problem) problem = bad(what);
    return false;
  }
  bool begin_tensor(const std::string& name) {
    in_metadata_ = name == "__metadata__";
    if (header_.tensors.size() >= most_tensors) return stop("describes more than " + std::to_string(most_tensors) + " tensors.");
    tensor_ = FileTensor{};
    tensor_.name = name.substr(0, 1000);
    shape_.clear(), offsets_.clear(), field_.clear();
    return true;
  }
  bool end_tensor() {
    const std::string name = "\"" + excerpt(tensor_.name) + "\"";
    const double bits = safetensors_bits(tensor_.type);
    if (bits == 0.0) return stop("gives tensor " + name + " the unknown dtype \"" + excerpt(tensor_.type) + "\".");
    if (offsets_.size() != 2 || offsets_[0] > offsets_[1]) return stop("gives tensor " + name + " no valid data_offsets.");
    tensor_.elements = 1.0;
    for (const std::uint64_t size : shape_) {
      tensor_.elements *= static_cast<double>(size);
      tensor_.shape.push_back(static_cast<std::int64_t>(size));
    }
    tensor_.bytes = static_cast<double>(offsets_[1] - offsets_[0]);
    if (tensor_.elements * bits / 8.0 > tensor_.bytes + 1.0 || tensor_.elements * bits / 8.0 < tensor_.bytes - 1.0) return stop("gives tensor " + name + " a shape that does not fit its data_offsets.");
    if (data_bytes_ >= 0.0 && static_cast<double>(offsets_[1]) > data_bytes_) return stop("places tensor " + name + " beyond the end of the file.");
    header_.tensors.push_back(std::move(tensor_));
    return true;
  }

  FileHeader& header_;
  double data_bytes_;
  FileTensor tensor_;
  std::vector<std::uint64_t> shape_, offsets_;
  std::string field_;
  int depth_ = 0;
  bool in_list_ = false, in_metadata_ = false;
};

}  // namespace

double safetensors_bits(const std::string& name) {
  for (const Dtype& d : dtypes) {
    if (name == d.name) return d.bits;
  }
  return 0.0;
}

Result<HeaderRead> read_safetensors_header(std::string_view bytes, std::uint64_t file_bytes) {
  ByteReader in(bytes, false);
  const std::uint64_t length = in.number(8);
  if (in.ended() && file_bytes > 0 && file_bytes < 8) return bad("is missing: the file has fewer than 8 bytes.");
  if (in.ended()) return HeaderRead{std::nullopt, in.needed()};
  if (length < 2 || length > largest_json) return bad("claims a length of " + std::to_string(length) + " bytes; between 2 and 100000000 are allowed. The file may not be a safetensors file.");
  if (file_bytes > 0 && 8 + length > file_bytes) return bad("is longer than the file: the file is cut off.");
  const std::string_view text = in.take(length);
  if (in.ended()) return HeaderRead{std::nullopt, in.needed()};
  if (text.front() != '{') return bad("does not begin with \"{\".");
  FileHeader header;
  header.format = "safetensors", header.version = 1, header.header_bytes = 8 + length;
  Sink sink(header, file_bytes > 0 ? static_cast<double>(file_bytes - 8 - length) : -1.0);
  const bool whole = nlohmann::json::sax_parse(text.begin(), text.end(), &sink);
  if (sink.problem) return *sink.problem;
  if (!whole) return bad("is not valid JSON.");
  return HeaderRead{std::move(header), 0};
}

}  // namespace gpuplan
