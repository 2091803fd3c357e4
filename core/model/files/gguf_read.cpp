/// GGUF versions 1 to 3, both byte orders (ggml docs/gguf.md).
#include "core/model/files/byte_reader.hpp"
#include "core/model/files/gguf_header.hpp"
#include "core/model/ggml_types.hpp"

namespace gpuplan {
namespace {

constexpr std::uint64_t longest_key = 65535, longest_name = 1024, longest_kept_text = 4096, most_kept_numbers = 4096, most_kept_entries = 4096;
constexpr std::size_t deepest_array = 4;

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

/// Everything but the tokenizer's contents; of those only how many there are.
bool keeps(const std::string& key) { return key.rfind("tokenizer.", 0) != 0 || key == "tokenizer.ggml.tokens"; }

std::string quoted(const std::string& name) { return "\"" + name.substr(0, 60) + "\""; }

}  // namespace

/// One item at a time: it is read whole or not at all; `skip` bytes behind it need not be shown.
class GgufHeaderReader::Item {
 public:
  Item(std::string_view bytes, bool big_endian, int size_width) : in(bytes, big_endian), width(size_width) {}
  std::uint64_t size() { return in.number(width); }
  ByteReader in;
  int width;
  std::uint64_t skip = 0;
};

std::optional<Problem> GgufHeaderReader::feed(std::string_view bytes) {
  std::uint64_t used = 0;
  while (phase_ != Phase::done) {
    Item item(bytes.substr(static_cast<std::size_t>(used)), header_.big_endian, header_.version == 1 ? 4 : 8);
    if (auto problem = step(item)) return problem;
    if (item.in.ended()) {
      wanted_ = item.in.needed();
      if (wanted_ > largest_header) return bad("is longer than " + std::to_string(largest_header >> 20) + " MiB.");
      break;
    }
    used += item.in.position() + item.skip;
    at_ += item.in.position() + item.skip;
    wanted_ = 1;
    if (at_ > largest_header) return bad("is longer than " + std::to_string(largest_header >> 20) + " MiB.");
    if (auto problem = end_phase()) return problem;
    if (used > bytes.size()) break;
  }
  if (phase_ != Phase::done && file_bytes_ > 0 && at_ + wanted_ > file_bytes_) return bad("ends in the middle of an entry: the file is cut off or its lengths are wrong.");
  return std::nullopt;
}

std::optional<Problem> GgufHeaderReader::step(Item& item) {
  if (phase_ == Phase::preamble) return read_preamble(item);
  if (phase_ == Phase::tensors) return read_tensor(item);
  return open_.empty() ? read_entry(item) : read_element(item);
}

std::optional<Problem> GgufHeaderReader::read_preamble(Item& item) {
  if (!is_gguf_file(item.in.take(4)) && !item.in.ended()) return bad("is missing: the file does not begin with \"GGUF\".");
  const std::uint64_t word = item.in.number(4);
  if (item.in.ended()) return std::nullopt;
  const bool big_endian = (word & 0xFFFF) == 0 && word != 0;
  const std::uint64_t version = big_endian ? (word >> 24 | (word >> 8 & 0xFF00)) : word;
  if (version < 1 || version > 3) return bad("has version " + std::to_string(version) + "; versions 1 to 3 are read.");
  item.in.set_big_endian(big_endian);
  item.width = version == 1 ? 4 : 8;
  const std::uint64_t tensors = item.size(), entries = item.size();
  if (item.in.ended()) return std::nullopt;
  if (tensors > most_tensors) return bad("claims " + std::to_string(tensors) + " tensors; at most " + std::to_string(most_tensors) + " are read.");
  if (entries > most_metadata) return bad("claims " + std::to_string(entries) + " metadata entries; at most " + std::to_string(most_metadata) + " are read.");
  header_.format = "gguf", header_.version = static_cast<int>(version), header_.big_endian = big_endian;
  tensors_left_ = tensors, entries_left_ = entries;
  phase_ = Phase::entries;
  return std::nullopt;
}

std::optional<Problem> GgufHeaderReader::read_entry(Item& item) {
  const std::uint64_t length = item.size();
  if (!item.in.ended() && length > longest_key) return bad("has a key of " + std::to_string(length) + " bytes; at most " + std::to_string(longest_key) + " are allowed.");
  MetaEntry entry;
  entry.key = std::string(item.in.take(length));
  const auto type = static_cast<std::uint32_t>(item.in.number(4));
  if (item.in.ended()) return std::nullopt;
  entry_ = std::move(entry);
  if (auto problem = read_value(item, type)) return problem;
  if (item.in.ended()) {
    entry_.reset(), open_.clear();  // the whole entry again, with more bytes
  } else if (open_.empty()) {
    close_entry();
  }
  return std::nullopt;
}

void GgufHeaderReader::close_entry() {
  if (entry_ && keeps(entry_->key) && header_.metadata.size() < most_kept_entries) header_.metadata.push_back(*std::move(entry_));
  entry_.reset();
  --entries_left_;
}

std::optional<Problem> GgufHeaderReader::read_value(Item& item, std::uint32_t type) {
  if (type == string) return read_text_value(item, true);
  if (type == array) return open_array(item);
  if (type >= value_types) return bad("has a value of the unknown type " + std::to_string(type) + " at key " + quoted(entry_->key) + ".");
  const std::uint64_t raw = item.in.number(value_sizes[type]);
  if (!item.in.ended() && entry_->numbers.size() < most_kept_numbers) entry_->numbers.push_back(as_number(type, raw));
  return std::nullopt;
}

std::optional<Problem> GgufHeaderReader::read_text_value(Item& item, bool kept) {
  const std::uint64_t length = item.size();
  if (item.in.ended()) return std::nullopt;
  if (length > largest_header) return bad("has a text of " + std::to_string(length) + " bytes; at most " + std::to_string(largest_header) + " are allowed.");
  const std::uint64_t shown = !kept ? 0 : length < longest_kept_text ? length : longest_kept_text;
  const std::string_view text = item.in.take(shown);
  item.skip = length - shown;
  if (kept && !item.in.ended()) entry_->is_text = true, entry_->text = std::string(text);
  return std::nullopt;
}

std::optional<Problem> GgufHeaderReader::open_array(Item& item) {
  const auto type = static_cast<std::uint32_t>(item.in.number(4));
  const std::uint64_t length = item.size();
  if (item.in.ended()) return std::nullopt;
  if (open_.size() >= deepest_array) return bad("nests arrays more than " + std::to_string(deepest_array) + " levels deep.");
  if (type >= value_types) return bad("has an array of the unknown type " + std::to_string(type) + ".");
  if (open_.empty()) entry_->length = length;
  const auto size = static_cast<std::uint64_t>(value_sizes[type]);
  const std::uint64_t least = size > 0 ? size : type == string ? 4 : 8;
  if (length > largest_header / least) return bad("has an array of " + std::to_string(length) + " entries, more than a header can hold.");
  if (size > 0 && length > most_kept_numbers) item.skip = length * size;
  else if (length > 0) open_.push_back({type, length});
  return std::nullopt;
}

std::optional<Problem> GgufHeaderReader::read_element(Item& item) {
  const std::size_t level = open_.size() - 1;
  const std::uint32_t type = open_[level].type;
  const std::size_t depth = open_.size();
  std::optional<Problem> problem;
  if (type == string) problem = read_text_value(item, false);
  else problem = read_value(item, type);
  if (problem || item.in.ended()) return problem;
  if (open_.size() > depth) {
    --open_[level].left;  // the inner array counts as read; it is closed before this one goes on
    return std::nullopt;
  }
  --open_[level].left;
  while (!open_.empty() && open_.back().left == 0) open_.pop_back();
  if (open_.empty()) close_entry();
  return std::nullopt;
}

std::optional<Problem> GgufHeaderReader::read_tensor(Item& item) {
  const std::uint64_t length = item.size();
  if (!item.in.ended() && length > longest_name) return bad("has a tensor name of " + std::to_string(length) + " bytes; at most " + std::to_string(longest_name) + " are allowed.");
  FileTensor t;
  t.name = std::string(item.in.take(length));
  const std::uint64_t dimensions = item.in.number(4);
  if (!item.in.ended() && dimensions > 4) return bad("gives tensor " + quoted(t.name) + " " + std::to_string(dimensions) + " dimensions; at most 4 are allowed.");
  t.elements = 1.0;
  for (std::uint64_t i = 0; i < dimensions && !item.in.ended(); ++i) {
    const std::uint64_t size = item.size();
    if (!item.in.ended() && (size == 0 || size > std::uint64_t{1} << 40)) return bad("gives tensor " + quoted(t.name) + " a dimension of " + std::to_string(size) + ".");
    t.shape.insert(t.shape.begin(), static_cast<std::int64_t>(size));
    t.elements *= static_cast<double>(size);
  }
  const auto type = static_cast<std::uint32_t>(item.in.number(4));
  const std::uint64_t offset = item.in.number(8);
  if (item.in.ended()) return std::nullopt;
  --tensors_left_;
  return place(std::move(t), type, offset);
}

std::optional<Problem> GgufHeaderReader::place(FileTensor t, std::uint32_t type, std::uint64_t offset) {
  const GgmlBlock* block = ggml_block(type);
  if (!block) return bad("gives tensor " + quoted(t.name) + " the unknown type " + std::to_string(type) + ".");
  if (t.elements > 9e15) return bad("gives tensor " + quoted(t.name) + " more elements than any file can hold.");
  const std::int64_t row = t.shape.empty() ? 1 : t.shape.back();
  if (row % block->elements != 0) return bad("gives tensor " + quoted(t.name) + " rows of " + std::to_string(row) + " elements, which blocks of " + block->name + " do not divide.");
  t.type = block->name;
  t.bytes = t.elements / static_cast<double>(block->elements) * static_cast<double>(block->bytes);
  last_byte_ = last_byte_ < static_cast<double>(offset) + t.bytes ? static_cast<double>(offset) + t.bytes : last_byte_;
  header_.tensors.push_back(std::move(t));
  return std::nullopt;
}

std::optional<Problem> GgufHeaderReader::end_phase() {
  if (phase_ == Phase::entries && entries_left_ == 0 && !entry_) phase_ = Phase::tensors;
  if (phase_ != Phase::tensors || tensors_left_ > 0) return std::nullopt;
  phase_ = Phase::done;
  return finish();
}

std::optional<Problem> GgufHeaderReader::finish() {
  const MetaEntry* alignment = header_.find("general.alignment");
  const double step = alignment && !alignment->numbers.empty() ? alignment->numbers[0] : 32.0;
  if (!(step >= 1.0 && step <= 1048576.0)) return bad("has an alignment that is not between 1 and 1048576.");
  const auto align = static_cast<std::uint64_t>(step);
  header_.header_bytes = (at_ + align - 1) / align * align;
  if (file_bytes_ > 0 && !header_.tensors.empty() && static_cast<double>(header_.header_bytes) + last_byte_ > static_cast<double>(file_bytes_)) {
    return bad("places tensors beyond the end of the file: the file is cut off or its offsets are wrong.");
  }
  const MetaEntry *part = header_.find("split.no"), *parts = header_.find("split.count");
  if (parts && !parts->numbers.empty() && parts->numbers[0] >= 1.0 && parts->numbers[0] <= 10000.0) header_.parts = static_cast<std::int64_t>(parts->numbers[0]);
  if (part && !part->numbers.empty() && part->numbers[0] >= 0.0 && part->numbers[0] < 10000.0) header_.part = static_cast<std::int64_t>(part->numbers[0]);
  return std::nullopt;
}

Result<HeaderRead> read_gguf_header(std::string_view bytes, std::uint64_t file_bytes) {
  GgufHeaderReader reader(file_bytes);
  if (auto problem = reader.feed(bytes)) return *problem;
  if (reader.done()) return HeaderRead{reader.header(), 0};
  return HeaderRead{std::nullopt, reader.next_byte() + reader.wanted_bytes()};
}

}  // namespace gpuplan
