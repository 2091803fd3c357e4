#include "core/model/huggingface/module_pattern.hpp"

#include <algorithm>

namespace gpuplan {
namespace {

constexpr std::size_t most_general = 256;           ///< entries that every module is compared with
constexpr std::int64_t most_work = 50'000'000;      ///< characters looked at for one list; more is hostile
constexpr int most_steps = 20000;          ///< of one search; longer ones are hostile

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// A backtracking matcher over the pattern's text: each step matches one atom with its quantifier, then the rest.
class Regex {
 public:
  Regex(std::string_view pattern, std::string_view text) : p_(pattern), t_(text) {}
  bool run() { return alternatives(0, p_.size(), 0, [](std::size_t) { return true; }); }
  int steps() const { return steps_; }

 private:
  template <class Next>
  bool alternatives(std::size_t from, std::size_t to, std::size_t at, const Next& next) {
    std::size_t begin = from;
    for (std::size_t i = from; i <= to; i = i < to ? after_atom(i, to) : i + 1) {
      if (i < to && p_[i] != '|') continue;
      if (sequence(begin, i, at, next)) return true;
      begin = i + 1;
    }
    return false;
  }

  /// End of the atom that begins at `i`: an escape, a class, a group or one character.
  std::size_t after_atom(std::size_t i, std::size_t to) const {
    if (p_[i] == '\\') return std::min(i + 2, to);
    const char close = p_[i] == '(' ? ')' : p_[i] == '[' ? ']' : '\0';
    if (close == '\0') return i + 1;
    int depth = 0;
    for (std::size_t k = i; k < to; ++k) {
      if (p_[k] == '\\') ++k;
      else if (p_[k] == p_[i] && (close == ')' || k == i)) ++depth;
      else if (p_[k] == close && --depth == 0) return k + 1;
    }
    return to;
  }

  using Then = bool (*)(void*, std::size_t);
  struct Rest {
    void* self;
    Then call;
    bool operator()(std::size_t at) const { return call(self, at); }
  };

  template <class Next>
  bool sequence(std::size_t from, std::size_t to, std::size_t at, const Next& next) {
    if (++steps_ > most_steps || ++depth_ > 400) return false;
    const bool matched = sequence_from(from, to, at, next);
    --depth_;
    return matched;
  }

  template <class Next>
  bool sequence_from(std::size_t from, std::size_t to, std::size_t at, const Next& next) {
    if (from >= to) return next(at);
    if (p_[from] == '^') return at == 0 && sequence(from + 1, to, at, next);
    if (p_[from] == '$') return at == t_.size() && sequence(from + 1, to, at, next);
    const std::size_t end = after_atom(from, to);
    const char quantifier = end < to ? p_[end] : '\0';
    const bool repeats = quantifier == '*' || quantifier == '+', optional = quantifier == '*' || quantifier == '?';
    std::size_t rest = end + (repeats || optional ? 1 : 0);
    if (rest > end && rest < to && p_[rest] == '?') ++rest;  // lazy: the same matches in another order
    return repeat(from, end, rest, to, at, repeats, optional, next);
  }

  template <class Next>
  bool repeat(std::size_t from, std::size_t end, std::size_t rest, std::size_t to, std::size_t at, bool repeats, bool optional, const Next& next) {
    struct Frame {
      Regex* self;
      std::size_t from, end, rest, to, at;
      bool repeats;
      const Next* next;
    } frame{this, from, end, rest, to, at, repeats, &next};
    const Rest then{&frame, [](void* p, std::size_t reached) {
                      const Frame& f = *static_cast<Frame*>(p);
                      if (f.repeats && reached > f.at && f.self->again(f.from, f.end, f.rest, f.to, reached, *f.next)) return true;
                      return f.self->sequence(f.rest, f.to, reached, *f.next);
                    }};
    if (atom(from, end, at, then)) return true;
    return optional && sequence(rest, to, at, next);
  }

  template <class Next>
  bool again(std::size_t from, std::size_t end, std::size_t rest, std::size_t to, std::size_t at, const Next& next) {
    if (++steps_ > most_steps || ++depth_ > 400) return false;
    const bool matched = repeat(from, end, rest, to, at, true, false, next);
    --depth_;
    return matched;
  }

  bool atom(std::size_t from, std::size_t end, std::size_t at, const Rest& then) {
    if (p_[from] == '(') {
      const bool plain = p_.substr(from + 1, 2) == "?:";
      if (!plain && from + 1 < end && p_[from + 1] == '?') return false;  // looks ahead or behind
      return alternatives(from + (plain ? 3 : 1), end - 1, at, then);
    }
    return at < t_.size() && one(from, end, t_[at]) && then(at + 1);
  }

  bool one(std::size_t from, std::size_t end, char c) const {
    if (p_[from] == '.') return true;
    if (p_[from] == '\\') return from + 1 < end && escaped(p_[from + 1], c);
    if (p_[from] != '[') return p_[from] == c;
    std::size_t i = from + 1;
    const bool inverted = i < end && p_[i] == '^';
    bool found = false;
    for (i += inverted ? 1 : 0; i + 1 < end; ++i) {
      if (p_[i] == '\\') found = found || escaped(p_[++i], c);
      else if (i + 2 < end - 1 && p_[i + 1] == '-') found = found || (c >= p_[i] && c <= p_[i + 2]), i += 2;
      else found = found || p_[i] == c;
    }
    return found != inverted;
  }

  static bool escaped(char kind, char c) {
    if (kind == 'd') return is_digit(c);
    if (kind == 'w') return is_word(c);
    return kind == c;
  }

  std::string_view p_, t_;
  int steps_ = 0, depth_ = 0;
};

/// Whether `run` stands in `name` between dots or ends: "mlp.gate" is no part of "mlp.gate_proj".
bool holds_run(std::string_view name, std::string_view run) {
  if (run.empty()) return false;
  for (std::size_t at = name.find(run); at != std::string_view::npos; at = name.find(run, at + 1)) {
    const std::size_t end = at + run.size();
    if ((at == 0 || name[at - 1] == '.') && (end == name.size() || name[end] == '.')) return true;
  }
  return false;
}

/// Whether a glob matches the name or a module that holds it.
bool glob_holds(std::string_view glob, std::string_view name) {
  for (std::size_t end = name.find('.'); end != std::string_view::npos; end = name.find('.', end + 1)) {
    if (glob_matches(glob, name.substr(0, end))) return true;
  }
  return glob_matches(glob, name);
}

bool is_glob(std::string_view entry) { return entry.find('*') != std::string_view::npos; }
bool is_regex(std::string_view entry) { return entry.substr(0, 3) == "re:" || entry.find('\\') != std::string_view::npos || entry.find('|') != std::string_view::npos; }

/// "model.layers.3.mlp" → layer 3 and "mlp"; false when the entry names no layer.
bool split_entry(std::string_view entry, std::int64_t& layer, std::string& rest) {
  const std::size_t at = entry.find("layers.");
  if (at == std::string_view::npos) return false;
  std::size_t i = at + 7;
  std::int64_t number = 0;
  while (i < entry.size() && is_digit(entry[i]) && number < 100000) number = number * 10 + (entry[i++] - '0');
  if (i == at + 7 || (i < entry.size() && entry[i] != '.')) return false;
  layer = number;
  rest = std::string(i < entry.size() ? entry.substr(i + 1) : std::string_view{});
  return true;
}

bool entry_names(std::string_view entry, std::string_view module) {
  if (is_glob(entry)) return glob_holds(entry, module);
  return entry.empty() || module == entry || (module.size() > entry.size() && module.substr(0, entry.size()) == entry && module[entry.size()] == '.');
}

constexpr std::string_view prefixes[] = {"model.", "", "model.language_model.", "language_model.model."};

bool match_regex(std::string_view pattern, std::string_view text, std::int64_t& work) {
  if (pattern.size() > 1000) return false;
  Regex regex(pattern, text);
  const bool matched = regex.run();
  work += regex.steps();
  return matched;
}

bool anywhere_names(std::string_view entry, std::string_view name, std::int64_t& work) {
  if ((work += static_cast<std::int64_t>(name.size())) > most_work) return false;
  if (!is_regex(entry) && !is_glob(entry)) return holds_run(name, entry);
  const bool anchored = entry.substr(0, 3) == "re:";
  const std::string pattern = !is_regex(entry) ? std::string(entry) : anchored ? std::string(entry.substr(3)) : ".*(" + std::string(entry) + ")";
  for (const std::string_view prefix : prefixes) {
    const std::string full = std::string(prefix) + std::string(name);
    if (is_regex(entry) ? match_regex(pattern, full, work) : glob_holds(pattern, full)) return true;
    if (pattern[0] == '*' || pattern.substr(0, 2) == ".*") return false;  // whatever stands in front
  }
  return false;
}

}  // namespace

bool regex_matches(std::string_view pattern, std::string_view text) {
  std::int64_t work = 0;
  return match_regex(pattern, text, work);
}

bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') star = p++, mark = t;
    else if (p < pattern.size() && pattern[p] == text[t]) ++p, ++t;
    else if (star != std::string_view::npos) p = star + 1, t = ++mark;
    else return false;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

ModulePatterns::ModulePatterns(const std::vector<std::string>& entries) {
  for (const std::string& entry : entries) {
    std::int64_t layer = 0;
    std::string rest;
    if (!is_regex(entry) && split_entry(entry, layer, rest)) by_layer_[layer].push_back(rest);
    else if (anywhere_.size() < most_general && !entry.empty()) anywhere_.push_back(entry);
  }
}

bool ModulePatterns::names(std::int64_t layer, std::string_view module) const {
  const auto own = by_layer_.find(layer);
  if (own != by_layer_.end() && std::any_of(own->second.begin(), own->second.end(), [&](const std::string& e) { return entry_names(e, module); })) return true;
  if (anywhere_.empty()) return false;
  const std::string name = "layers." + std::to_string(layer) + "." + std::string(module);
  return std::any_of(anywhere_.begin(), anywhere_.end(), [&](const std::string& e) { return anywhere_names(e, name, work_); });
}

bool ModulePatterns::names_outside(std::string_view module) const {
  return std::any_of(anywhere_.begin(), anywhere_.end(), [&](const std::string& e) { return anywhere_names(e, module, work_); });
}

}  // namespace gpuplan
