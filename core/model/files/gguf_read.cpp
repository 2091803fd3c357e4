/// GGUF versions 1 to 3, both byte orders (ggml docs/gguf.md).
#include "core/model/files/byte_reader.hpp"
#include "core/model/files/header.hpp"
#include "core/model/ggml_types.hpp"

namespace gpuplan {
namespace {

constexpr std::uint64_t longest_key = 65535, longest_name = 1024, longest_kept_text = 4096, most_kept_numbers = 4096;
constexpr int deepest_array = 4;

/// Value types of metadata; sizes of the fixed ones.
enum ValueType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, array, u64, i64, f64, value_types };
constexpr int value_sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

Problem bad(const std::string& what) { return {"", ProblemCode::syntax, "The GGUF header " + what, {}}; }

/// IEEE 754 single precision from its bits.
double single(std::uint32_t bits) {
  const double sign = bits >> 31 ? -1.0 : 1.0;
  const int exponent = static_cast<int>(bits >> 23 & 0xFF);
  double value = static_cast<double>(bits & 0x7FFFFF) / 8388608.0;
  if (exponent == 255) return 0.0;  // infinities and NaN mean nothing here
  if (exponent > 0) value += 1.0;
  for (int e = exponent > 0 ? exponent : 1; e > 127; --e) value *= 2.0;
  for (int e = exponent > 0 ? exponent : 1; e < 127; ++e) value /= 2.0;
  return sign * value;
}

double as_number(std::uint32_t type, std::uint64_t raw) {
  switch (type) {
    case i8: return static_cast<double>(static_cast<std::int8_t>(raw));
    case i16: return static_cast<double>(static_cast<std::int16_t>(raw));
    case i32: return static_cast<double>(static_cast<std::int32_t>(raw));
    case i64: return static_cast<double>(static_cast<std::int64_t>(raw));
    case f32: return single(static_cast<std::uint32_t>(raw));
    case f64: return 0.0;  // no key that is needed is one
    default: return static_cast<double>(raw);
  }
}

class GgufReader {
 public:
  GgufReader(std::string_view bytes, std::uint64_t file_bytes, bool big_endian, int version)
      : in_(bytes, big_endian), file_bytes_(file_bytes), size_width_(version == 1 ? 4 : 8) {
    header_.format = "gguf", header_.version = version, header_.big_endian = big_endian;
    in_.skip(8);
  }

  Result<HeaderRead> read() {
    const std::uint64_t tensors = in_.number(size_width_), entries = in_.number(size_width_);
    if (!in_.ended() && tensors > most_tensors) return bad("claims " + std::to_string(tensors) + " tensors; at most " + std::to_string(most_tensors) + " are read.");
    if (!in_.ended() && entries > most_metadata) return bad("claims " + std::to_string(entries) + " metadata entries; at most " + std::to_string(most_metadata) + " are read.");
    for (std::uint64_t i = 0; i < entries && going(); ++i) read_entry();
    for (std::uint64_t i = 0; i < tensors && going(); ++i) read_tensor();
    if (problem_) return *problem_;
    if (in_.ended()) return more();
    finish();
    if (problem_) return *problem_;
    return HeaderRead{std::move(header_), 0};
  }

 private:
  bool going() const { return !in_.ended() && !problem_; }
  void fail(const std::string& what) {
    if (!problem_) problem_ = bad(what);
  }

  Result<HeaderRead> more() const {
    if (file_bytes_ > 0 && in_.needed() > file_bytes_) return bad("ends in the middle of an entry: the file is cut off or its lengths are wrong.");
    if (in_.needed() > largest_header) return bad("is longer than " + std::to_string(largest_header >> 20) + " MiB.");
    return HeaderRead{std::nullopt, in_.needed()};
  }

  std::string_view text(std::uint64_t longest, const char* what) {
    const std::uint64_t length = in_.number(size_width_);
    if (going() && length > longest) fail(std::string("has ") + what + " of " + std::to_string(length) + " bytes; at most " + std::to_string(longest) + " are allowed.");
    return going() ? in_.take(length) : std::string_view{};
  }

  void read_entry() {
    MetaEntry entry;
    entry.key = std::string(text(longest_key, "a key"));
    const auto type = static_cast<std::uint32_t>(in_.number(4));
    if (!going()) return;
    read_value(type, entry, 0);
    if (!going() || !keeps(entry.key)) return;
    if (header_.metadata.size() < 4096) header_.metadata.push_back(std::move(entry));
  }

  /// Everything but the tokenizer's contents; of those only how many there are.
  static bool keeps(const std::string& key) { return key.rfind("tokenizer.", 0) != 0 || key == "tokenizer.ggml.tokens"; }

  void read_value(std::uint32_t type, MetaEntry& entry, int depth) {
    if (type == string) {
      const std::string_view t = text(largest_header, "a text");
      entry.is_text = true;
      entry.text = std::string(t.substr(0, longest_kept_text));
    } else if (type == array) {
      read_array(entry, depth);
    } else if (type < value_types) {
      const std::uint64_t raw = in_.number(value_sizes[type]);
      if (going() && entry.numbers.size() < most_kept_numbers) entry.numbers.push_back(as_number(type, raw));
    } else {
      fail("has a value of the unknown type " + std::to_string(type) + " at key \"" + entry.key.substr(0, 60) + "\".");
    }
  }

  void read_array(MetaEntry& entry, int depth) {
    const auto type = static_cast<std::uint32_t>(in_.number(4));
    const std::uint64_t length = in_.number(size_width_);
    if (!going()) return;
    if (depth >= deepest_array) return fail("nests arrays more than " + std::to_string(deepest_array) + " levels deep.");
    if (type >= value_types) return fail("has an array of the unknown type " + std::to_string(type) + ".");
    entry.length = length;
    const auto size = static_cast<std::uint64_t>(value_sizes[type]);
    if (size > 0 && length > most_kept_numbers) {
      if (length > largest_header / size) return fail("has an array of " + std::to_string(length) + " entries, more than a header can hold.");
      return in_.skip(length * size);
    }
    MetaEntry inner;
    for (std::uint64_t i = 0; i < length && going(); ++i) read_value(type, size > 0 ? entry : inner, depth + 1);
  }

  void read_tensor() {
    FileTensor t;
    t.name = std::string(text(longest_name, "a tensor name"));
    const std::uint64_t dimensions = in_.number(4);
    if (going() && dimensions > 4) return fail("gives tensor \"" + t.name.substr(0, 60) + "\" " + std::to_string(dimensions) + " dimensions; at most 4 are allowed.");
    t.elements = 1.0;
    for (std::uint64_t i = 0; i < dimensions && going(); ++i) {
      const std::uint64_t size = in_.number(size_width_);
      if (going() && (size == 0 || size > std::uint64_t{1} << 40)) return fail("gives tensor \"" + t.name.substr(0, 60) + "\" a dimension of " + std::to_string(size) + ".");
      t.shape.insert(t.shape.begin(), static_cast<std::int64_t>(size));
      t.elements *= static_cast<double>(size);
    }
    const auto type = static_cast<std::uint32_t>(in_.number(4));
    const std::uint64_t offset = in_.number(8);
    if (going()) place(std::move(t), type, offset);
  }

  void place(FileTensor t, std::uint32_t type, std::uint64_t offset) {
    const GgmlBlock* block = ggml_block(type);
    const std::string name = "\"" + t.name.substr(0, 60) + "\"";
    if (!block) return fail("gives tensor " + name + " the unknown type " + std::to_string(type) + ".");
    if (t.elements > 9e15) return fail("gives tensor " + name + " more elements than any file can hold.");
    const std::int64_t row = t.shape.empty() ? 1 : t.shape.back();
    if (row % block->elements != 0) return fail("gives tensor " + name + " rows of " + std::to_string(row) + " elements, which blocks of " + block->name + " do not divide.");
    t.type = block->name;
    t.bytes = t.elements / static_cast<double>(block->elements) * static_cast<double>(block->bytes);
    last_byte_ = last_byte_ < static_cast<double>(offset) + t.bytes ? static_cast<double>(offset) + t.bytes : last_byte_;
    header_.tensors.push_back(std::move(t));
  }

  void finish() {
    const MetaEntry* alignment = header_.find("general.alignment");
    const double step = alignment && !alignment->numbers.empty() ? alignment->numbers[0] : 32.0;
    if (!(step >= 1.0 && step <= 1048576.0)) return fail("has an alignment that is not between 1 and 1048576.");
    const auto align = static_cast<std::uint64_t>(step);
    header_.header_bytes = (in_.position() + align - 1) / align * align;
    if (file_bytes_ > 0 && static_cast<double>(header_.header_bytes) + last_byte_ > static_cast<double>(file_bytes_)) {
      return fail("places tensors beyond the end of the file: the file is cut off or its offsets are wrong.");
    }
    const MetaEntry *part = header_.find("split.no"), *parts = header_.find("split.count");
    if (parts && !parts->numbers.empty() && parts->numbers[0] >= 1.0 && parts->numbers[0] <= 10000.0) header_.parts = static_cast<std::int64_t>(parts->numbers[0]);
    if (part && !part->numbers.empty() && part->numbers[0] >= 0.0 && part->numbers[0] < 10000.0) header_.part = static_cast<std::int64_t>(part->numbers[0]);
  }

  ByteReader in_;
  std::uint64_t file_bytes_;
  int size_width_;
  double last_byte_ = 0.0;
  FileHeader header_;
  std::optional<Problem> problem_;
};

}  // namespace

Result<HeaderRead> read_gguf_header(std::string_view bytes, std::uint64_t file_bytes) {
  if (!is_gguf_file(bytes)) return bad("is missing: the file does not begin with \"GGUF\".");
  ByteReader little(bytes, false);
  little.skip(4);
  const std::uint64_t word = little.number(4);
  if (little.ended()) {
    if (file_bytes > 0 && file_bytes < 8) return bad("ends after its first bytes.");
    return HeaderRead{std::nullopt, little.needed()};
  }
  const bool big_endian = (word & 0xFFFF) == 0 && word != 0;
  const std::uint64_t version = big_endian ? (word >> 24 | (word >> 8 & 0xFF00)) : word;
  if (version < 1 || version > 3) return bad("has version " + std::to_string(version) + "; versions 1 to 3 are read.");
  return GgufReader(bytes, file_bytes, big_endian, static_cast<int>(version)).read();
}

}  // namespace gpuplan
