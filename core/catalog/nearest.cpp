#include <algorithm>
#include <string>

#include "core/catalog/catalog.hpp"
#include "core/catalog/names.hpp"

namespace gpuplan {

namespace {

/// Longer names are cut: work stays below longest² per known id whatever comes in.
constexpr std::size_t longest = 48;

std::string plain_name(std::string_view name) {
  std::string made;
  for (const char letter : name.substr(0, 4 * longest)) {
    if (plain(letter) != '\0') made += plain(letter);
    if (made.size() == longest) break;
  }
  return made;
}

/// Edits that turn `name` into some part of `known` (Sellers 1980): what stands before and after the part costs nothing.
int distance_inside(const std::string& name, const std::string& known) {
  std::vector<int> row(known.size() + 1, 0);
  for (std::size_t i = 0; i < name.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i) + 1;
    for (std::size_t j = 0; j < known.size(); ++j) {
      const int replaced = diagonal + (name[i] == known[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return *std::min_element(row.begin(), row.end());
}

int shared_prefix(const std::string& a, const std::string& b) {
  std::size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
  return static_cast<int>(at);
}

/// Lower is nearer: an edit outweighs any difference of length, a shared beginning decides between equals.
int remoteness(const std::string& name, const std::string& known) {
  const int longer = static_cast<int>(known.size()) - static_cast<int>(name.size());
  return 8 * distance_inside(name, known) + (longer < 0 ? -longer : longer) - std::min(shared_prefix(name, known), 7);
}

}  // namespace

std::vector<std::string> nearest_ids(std::string_view name, const std::vector<std::string_view>& known, int count) {
  const std::string wanted = plain_name(name);
  std::vector<std::pair<int, std::size_t>> ranked;
  ranked.reserve(known.size());
  for (std::size_t at = 0; at < known.size(); ++at) ranked.emplace_back(remoteness(wanted, plain_name(known[at])), at);
  const std::size_t kept = std::min(ranked.size(), static_cast<std::size_t>(std::max(count, 0)));
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(kept), ranked.end());
  std::vector<std::string> best;
  for (std::size_t at = 0; at < kept; ++at) best.emplace_back(known[ranked[at].second]);
  return best;
}

}  // namespace gpuplan
