/// From a name to an architecture: the id itself, then the same words, then a fine-tune that carries the name of its base.
#include <algorithm>

#include "core/catalog/catalog.hpp"
#include "core/model/model_name.hpp"
#include "core/json/text.hpp"
#include "core/model/models.hpp"

namespace gpuplan {
namespace {

constexpr std::size_t longest_id = 200;

using Words = std::vector<std::string>;

struct Known {
  std::string_view name;
  int index;
};

std::vector<Known> known_names(const Models& models) {
  std::vector<Known> known;
  for (std::size_t i = 0; i < models.all.size(); ++i) known.push_back({models.all[i].id, static_cast<int>(i)});
  for (const ModelAlias& alias : models.aliases) known.push_back({alias.name, alias.index});
  return known;
}

bool same_text(std::string_view a, std::string_view b) {
  const auto low = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [&](char x, char y) { return low(x) == low(y); });
}

std::string_view without_organisation(std::string_view id) {
  const std::size_t slash = id.rfind('/');
  return slash == std::string_view::npos ? id : id.substr(slash + 1);
}

/// The catalog's own name in another case or without its organisation.
int find_exact(const std::vector<Known>& known, std::string_view id) {
  for (const Known& k : known) {
    if (same_text(k.name, id)) return k.index;
  }
  if (id.find('/') != std::string_view::npos) return -1;
  for (const Known& k : known) {
    if (same_text(without_organisation(k.name), id)) return k.index;
  }
  return -1;
}

/// Words that pin an architecture down: a family with a version, and a size.
bool is_specific(const Words& words) {
  const auto has_digit = [](const std::string& w) { return std::any_of(w.begin(), w.end(), [](char c) { return c >= '0' && c <= '9'; }); };
  return std::count_if(words.begin(), words.end(), has_digit) >= 2;
}

bool is_revision(const std::string& word) { return word.size() >= 2 && word[0] == 'v' && word[1] >= '0' && word[1] <= '9'; }

/// "mistral 7b" stands for "mistral 7b v0.1".
bool is_prefix_but_revision(const Words& shorter, const Words& longer) {
  return shorter.size() >= 2 && shorter.size() < longer.size() && std::equal(shorter.begin(), shorter.end(), longer.begin()) &&
         std::all_of(longer.begin() + static_cast<std::ptrdiff_t>(shorter.size()), longer.end(), is_revision);
}

/// Models trained further for code or mathematics keep the architecture of their base.
Words without_specialty(Words words) {
  words.erase(std::remove_if(words.begin(), words.end(), [](const std::string& w) { return w == "coder" || w == "math" || w == "code"; }), words.end());
  return words;
}

int find_same_words(const std::vector<Known>& known, const Words& wanted) {
  if (wanted.empty()) return -1;
  int revision = -1;
  for (const Known& k : known) {
    const Words words = parse_model_name(k.name).core;
    if (words == wanted) return k.index;
    if (revision < 0 && is_prefix_but_revision(wanted, words)) revision = k.index;
  }
  return revision;
}

/// The longest catalog name inside the given one: "hermes 3 llama 3.1 8b" is a Llama-3.1-8B. A distilled model keeps its own rule (aliases),
/// because "r1 distill qwen 14b" names a Qwen2.5, not the first Qwen.
int find_base_inside(const std::vector<Known>& known, const Words& given) {
  if (std::find(given.begin(), given.end(), "distill") != given.end()) return -1;
  int best = -1;
  std::size_t length = 0;
  for (const Known& k : known) {
    const Words words = parse_model_name(k.name).core;
    if (words.size() <= length || !is_specific(words)) continue;
    if (std::search(given.begin(), given.end(), words.begin(), words.end()) == given.end()) continue;
    best = k.index, length = words.size();
  }
  return best;
}

Problem unknown(std::string_view id, std::string_view pointer, const std::vector<Known>& known) {
  std::vector<std::string_view> names;
  for (const Known& k : known) names.push_back(k.name);
  Problem p{std::string(pointer), ProblemCode::unknown_id, "", nearest_ids(id, names)};
  p.message = p.pointer + " names no known model: \"" + excerpt(id) + "\"." + nearest_sentence(p.nearest) + " Another model can be given by its config.json, as hf_config.";
  return p;
}

}  // namespace

Result<ModelMatch> find_model(const Models& models, std::string_view id, std::string_view pointer) {
  if (id.empty() || id.size() > longest_id) {
    return Problem{std::string(pointer), ProblemCode::out_of_range, "The field " + std::string(pointer) + " must be a model id of 1 to 200 bytes.", {}};
  }
  const std::vector<Known> known = known_names(models);
  const ModelName name = parse_model_name(id);
  ModelMatch match;
  match.weights = name.weights;
  match.index = find_exact(known, id);
  if (match.index >= 0) return match;
  match.variant = true;
  match.index = find_same_words(known, name.core);
  if (match.index < 0) match.index = find_same_words(known, without_specialty(name.core));
  if (match.index < 0) match.index = find_base_inside(known, name.core);
  if (match.index < 0) return unknown(id, pointer, known);
  return match;
}

}  // namespace gpuplan
