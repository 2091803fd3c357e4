/// From a name to an architecture: the id itself, then the same words, then a fine-tune that carries the name of its base.
#include <algorithm>
#include <iterator>

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
  bool alias = false;
};

std::vector<Known> known_names(const Models& models) {
  std::vector<Known> known;
  for (std::size_t i = 0; i < models.all.size(); ++i) known.push_back({models.all[i].id, static_cast<int>(i)});
  for (const ModelAlias& alias : models.aliases) known.push_back({alias.name, alias.index, true});
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
const Known* find_exact(const std::vector<Known>& known, std::string_view id) {
  for (const Known& k : known) {
    if (same_text(k.name, id)) return &k;
  }
  if (id.find('/') != std::string_view::npos) return nullptr;
  for (const Known& k : known) {
    if (same_text(without_organisation(k.name), id)) return &k;
  }
  return nullptr;
}

bool has_digit(const std::string& w) {
  return std::any_of(w.begin(), w.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "7b", "1.1b", "135m", "8x7b", "a3b".
bool is_size(const std::string& w) { return w.size() >= 2 && has_digit(w) && (w.back() == 'b' || w.back() == 'm'); }

/// Words that pin an architecture down: a family, its version where it has one, and a size.
bool is_specific(const Words& words) { return words.size() >= 2 && !has_digit(words[0]) && words[0].size() >= 3 && std::any_of(words.begin(), words.end(), is_size); }

/// Words of models that put something around their base, or something else in its place.
bool changes_architecture(const std::string& w) {
  static constexpr const char* words[] = {"distill", "llava", "vl", "vlm", "vision", "audio", "omni", "video", "ocr", "moe", "embed", "embedding", "reward", "reranker", "eagle", "eagle3", "medusa", "speculator", "draft", "mtp", "nemotron"};
  return std::find(std::begin(words), std::end(words), w) != std::end(words);
}

bool is_revision(const std::string& word) { return word.size() >= 2 && word[0] == 'v' && word[1] >= '0' && word[1] <= '9'; }

/// Without its revision, "mistral 7b" stands for the first one, "mistral 7b v0.1": later ones carry theirs. `longer` is `shorter` and revisions.
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
  int first = -1;
  Words revision;
  for (const Known& k : known) {
    const Words words = parse_model_name(k.name).core;
    if (words == wanted) return k.index;
    if (!is_prefix_but_revision(wanted, words) || (first >= 0 && !(words < revision))) continue;
    first = k.index, revision = words;
  }
  return first;
}

/// "NVFP4 v2" is a second quantisation, not another model: only where the name says how the weights are stored.
Words without_last_revision(Words words) {
  if (words.size() >= 3 && is_revision(words.back())) words.pop_back();
  return words;
}

/// The catalog name of a base as others spell it: "mixtral 8x7b" without its "v0.1".
Words base_words(const Known& k) {
  Words words = parse_model_name(k.name).core;
  while (words.size() >= 3 && is_revision(words.back())) words.pop_back();
  return words;
}

/// The longest catalog name inside the given one: "hermes 3 llama 3.1 8b" is a Llama-3.1-8B. Whole names count before those that lack a revision,
/// and of these the first revision.
/// A model that changes the architecture keeps its own rule (aliases): "r1 distill qwen 14b" names a Qwen2.5, not the first Qwen.
int find_base_inside(const std::vector<Known>& known, const Words& given) {
  for (const std::string& w : given) {
    if (changes_architecture(w)) return -1;
  }
  int best = -1;
  Words longest, revision;
  for (const bool whole : {true, false}) {
    for (const Known& k : known) {
      const Words all = parse_model_name(k.name).core, words = whole ? all : base_words(k);
      const bool earlier = words == longest && words.size() < revision.size() && all < revision;
      if ((words.size() <= longest.size() && !earlier) || !is_specific(words)) continue;
      if (std::search(given.begin(), given.end(), words.begin(), words.end()) == given.end()) continue;
      best = k.index, longest = words, revision = all;
    }
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
  if (const Known* exact = find_exact(known, id)) {
    match.index = exact->index, match.variant = exact->alias;
    return match;
  }
  match.variant = true;
  match.index = find_same_words(known, name.core);
  if (match.index < 0) match.index = find_same_words(known, without_specialty(name.core));
  if (match.index < 0 && name.weights) match.index = find_same_words(known, without_last_revision(name.core));
  if (match.index < 0) match.index = find_base_inside(known, name.core);
  if (match.index < 0) return unknown(id, pointer, known);
  return match;
}

}  // namespace gpuplan
