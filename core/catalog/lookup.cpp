#include <string>

#include "core/catalog/catalog.hpp"
#include "core/catalog/names.hpp"
#include "core/json/text.hpp"

namespace gpuplan {

bool same_name(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0, counted = 0;
  while (true) {
    while (i < a.size() && plain(a[i]) == '\0') ++i;
    while (j < b.size() && plain(b[j]) == '\0') ++j;
    if (i == a.size() || j == b.size()) return i == a.size() && j == b.size() && counted > 0;
    if (plain(a[i++]) != plain(b[j++])) return false;
    ++counted;
  }
}

bool same_text(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  if (a.size() != b.size()) return false;
  for (std::size_t at = 0; at < a.size(); ++at) {
    if (lower(a[at]) != lower(b[at])) return false;
  }
  return true;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find(' ', at);
    if (end != at) words.emplace_back(text.substr(at, end - at));
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  return words;
}

std::string_view without_vendor(std::string_view name, std::string_view vendor) {
  std::size_t at = 0;
  for (const char letter : vendor) {
    if (plain(letter) == '\0') continue;
    while (at < name.size() && plain(name[at]) == '\0') ++at;
    if (at == name.size() || plain(name[at++]) != plain(letter)) return {};
  }
  return name.substr(at);
}

namespace {

bool is_called(const Gpu& gpu, std::string_view name) {
  if (same_name(gpu.name, name)) return true;
  for (const std::string& alias : gpu.aliases) {
    if (same_name(alias, name)) return true;
  }
  return false;
}

/// A name with a size behind it: "A10G 24GB" is "A10G" with 24; no size is 0.
struct SizedName {
  std::string_view base;
  double gigabytes = 0.0;
};

SizedName without_size(std::string_view name) {
  constexpr std::size_t most_digits = 4;
  if (name.size() < 4 || !same_text(name.substr(name.size() - 2), "gb")) return {name};
  std::size_t at = name.size() - 2;
  double value = 0.0, place = 1.0;
  while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9' && name.size() - at < 2 + most_digits) {
    value += place * (name[--at] - '0');
    place *= 10.0;
  }
  return value > 0.0 ? SizedName{name.substr(0, at), value} : SizedName{name};
}

bool has_size(const Gpu& gpu, double gigabytes) {
  const double off = gpu.memory_advertised.value / 1e9 - gigabytes;
  return off > -0.5 && off < 0.5;
}

/// The rungs of a GPU's names, most exact first.
bool matches(const Gpu& gpu, std::string_view name, int rung) {
  switch (rung) {
    case 0: return same_name(gpu.id, name);
    case 1: return same_name(without_vendor(gpu.id, gpu.vendor), name);
    case 2: return is_called(gpu, name) || is_called(gpu, without_vendor(name, gpu.vendor));
    default: {
      const SizedName sized = without_size(name);
      return sized.gigabytes > 0.0 && has_size(gpu, sized.gigabytes) && matches(gpu, sized.base, 2);
    }
  }
}

template <class Row>
Problem unknown(const char* what, std::string_view name, std::string_view pointer, const std::vector<Row>& rows) {
  std::vector<std::string_view> known;
  known.reserve(rows.size());
  for (const Row& row : rows) known.push_back(row.id);
  Problem p{std::string(pointer), ProblemCode::unknown_id, std::string(pointer) + ": no " + what + " is called \"" + excerpt(name) + "\".", nearest_ids(name, known)};
  p.message += nearest_sentence(p.nearest);
  return p;
}

}  // namespace

Result<int> find_gpu(const Catalog& catalog, std::string_view name, std::string_view pointer) {
  for (int rung = 0; rung < 4; ++rung) {
    for (std::size_t at = 0; at < catalog.gpus.size(); ++at) {
      if (matches(catalog.gpus[at], name, rung)) return static_cast<int>(at);
    }
  }
  return unknown("GPU", name, pointer, catalog.gpus);
}

Result<int> find_instance(const Catalog& catalog, std::string_view id, std::string_view pointer) {
  for (std::size_t at = 0; at < catalog.instances.size(); ++at) {
    if (same_text(catalog.instances[at].id, id)) return static_cast<int>(at);
  }
  return unknown("instance", id, pointer, catalog.instances);
}

Result<int> find_software(const Catalog& catalog, std::string_view id, std::string_view pointer) {
  for (std::size_t at = 0; at < catalog.software.size(); ++at) {
    if (same_name(catalog.software[at].id, id)) return static_cast<int>(at);
  }
  return unknown("software", id, pointer, catalog.software);
}

}  // namespace gpuplan
