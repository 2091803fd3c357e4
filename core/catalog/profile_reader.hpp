#pragma once
/// The archive that reads one JSON object of a profile by the description in profile_fields.hpp. For profile_read.cpp alone.
#include <cctype>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "core/catalog/profile.hpp"
#include "core/catalog/profile_fields.hpp"

namespace gpuplan::profile_fields {

using nlohmann::json;

/// What to do about a file that is not what the probe wrote.
inline const char* const again = "; measure again with gpuplan-probe";

inline std::string shown(double v) {
  const std::string text = json(v).dump();
  return text.size() > 2 && text.compare(text.size() - 2, 2, ".0") == 0 ? text.substr(0, text.size() - 2) : text;
}
inline std::string escaped(const std::string& key) {
  std::string out;
  for (char c : key.substr(0, 80)) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}
inline bool printable(const std::string& text) {
  for (unsigned char c : text) {
    if (c < 0x20 || c == 0x7f) return false;
  }
  return true;
}
inline bool iso_date(const std::string& d) {
  if (d.size() != 10) return false;
  for (std::size_t i = 0; i < 10; ++i) {
    if ((i == 4 || i == 7) ? d[i] != '-' : std::isdigit(static_cast<unsigned char>(d[i])) == 0) return false;
  }
  const std::string month = d.substr(5, 2), day = d.substr(8, 2);
  return month >= "01" && month <= "12" && day >= "01" && day <= "31";
}

/// Walks one object; the first problem is kept in `problem`, later fields are then skipped.
class Reader {
 public:
  Reader(const json& in, std::string pointer, std::optional<Problem>& problem) : in_(in), pointer_(std::move(pointer)), problem_(problem) {
    if (!in_.is_object()) fail_at(pointer_, ProblemCode::wrong_type, "must be an object");
  }

  void text(const char* key, std::string& v, int most, Need need) {
    if (const json* j = find(key, need, json::value_t::string, "a text")) take_text(*j, at(key), v, most);
  }
  void date(const char* key, std::string& v) {
    text(key, v, 10, Need::required);
    if (!problem_ && !iso_date(v)) fail(key, ProblemCode::out_of_range, "must be a date such as 2026-12-01");
  }
  void number(const char* key, double& v, double lo, double hi, Need need) {
    if (const json* j = find(key, need, json::value_t::number_float, "a number")) take_number(*j, at(key), v, lo, hi);
  }
  void whole(const char* key, std::int64_t& v, std::int64_t lo, std::int64_t hi, Need need) {
    double d = 0.0;
    const json* j = find(key, need, json::value_t::number_float, "a whole number");
    if (j != nullptr && take_number(*j, at(key), d, static_cast<double>(lo), static_cast<double>(hi))) take_whole(d, at(key), v);
  }
  void flag(const char* key, bool& v) {
    if (const json* j = find(key, Need::required, json::value_t::boolean, "true or false")) v = j->get<bool>();
  }
  void maybe_flag(const char* key, int& v) {
    if (const json* j = find(key, Need::optional, json::value_t::boolean, "true or false")) v = j->get<bool>() ? 1 : 0;
  }
  void version(const char* key, int& major, int& minor) {
    std::string v;
    text(key, v, 5, Need::required);
    if (problem_) return;
    const std::size_t dot = v.find('.');
    const bool good = dot != std::string::npos && dot >= 1 && dot <= 2 && v.size() - dot >= 2 && v.size() - dot <= 3 &&
                      v.find_first_not_of("0123456789.") == std::string::npos && v.find('.', dot + 1) == std::string::npos;
    if (!good) return fail(key, ProblemCode::out_of_range, "must be a version such as 9.0");
    major = std::stoi(v.substr(0, dot));
    minor = std::stoi(v.substr(dot + 1));
  }
  bool present(const char* key, bool& there) { return there = in_.is_object() && in_.contains(key); }

  template <class E, std::size_t N> void choice(const char* key, E& v, const std::array<const char*, N>& names) {
    std::string given;
    text(key, given, 32, Need::required);
    if (problem_) return;
    std::string allowed;
    for (std::size_t i = 0; i < N; ++i) {
      if (given == names[i]) return void(v = static_cast<E>(i));
      allowed += (i == 0 ? "" : ", ") + std::string(names[i]);
    }
    fail(key, ProblemCode::out_of_range, "must be one of " + allowed);
  }
  template <class R> void rates(const char* key, std::vector<R>& v, int least, int most, double hi) {
    each(key, Need::required, least, most, [&](const json& item, const std::string& where) {
      R rate;
      if (take_number(item, where, rate.value, 0, hi)) v.push_back(rate);
    });
  }
  void wholes(const char* key, std::vector<std::int64_t>& v, int most, std::int64_t lo, std::int64_t hi) {
    each(key, Need::optional, 0, most, [&](const json& item, const std::string& where) {
      double d = 0.0;
      std::int64_t w = 0;
      if (take_number(item, where, d, static_cast<double>(lo), static_cast<double>(hi)) && take_whole(d, where, w)) v.push_back(w);
    });
  }
  void texts(const char* key, std::vector<std::string>& v, int most, int longest) {
    each(key, Need::optional, 0, most, [&](const json& item, const std::string& where) {
      if (!item.is_string()) return fail_at(where, ProblemCode::wrong_type, "must be a text");
      v.emplace_back();
      take_text(item, where, v.back(), longest);
    });
  }
  void pairs(const char* key, std::vector<std::pair<int, int>>& v, int least, int most, int lo, int hi) {
    each(key, Need::required, least, most, [&](const json& item, const std::string& where) {
      if (!item.is_array() || item.size() != 2) return fail_at(where, ProblemCode::wrong_type, "must be a pair of device numbers");
      double from = 0.0, to = 0.0;
      std::int64_t f = 0, t = 0;
      if (take_number(item[0], where + "/0", from, lo, hi) && take_whole(from, where + "/0", f) &&
          take_number(item[1], where + "/1", to, lo, hi) && take_whole(to, where + "/1", t)) {
        v.emplace_back(static_cast<int>(f), static_cast<int>(t));
      }
    });
  }
  template <class T> void object(const char* key, Need need, T& v) {
    const json* j = find(key, need, json::value_t::object, "an object");
    if (j == nullptr) return;
    Reader inner(*j, at(key), problem_);
    describe(inner, v);
    inner.finish();
  }
  template <class T, class F> void list(const char* key, std::vector<T>& v, int least, int most, Need need, F describe_item) {
    each(key, need, least, most, [&](const json& item, const std::string& where) {
      Reader inner(item, where, problem_);
      v.emplace_back();
      describe_item(inner, v.back());
      inner.finish();
    });
  }

  void knows(const char* key) { known_.insert(key); }
  /// Every member must be one that the description names.
  void finish() {
    if (problem_) return;
    for (const auto& [key, value] : in_.items()) {
      if (known_.count(key) == 0) return fail_at(pointer_ + "/" + escaped(key), ProblemCode::unknown_field, "is not a field of a profile");
    }
  }
  void fail(const char* key, ProblemCode code, const std::string& what) { fail_at(at(key), code, what); }

 private:
  std::string at(const char* key) const { return pointer_ + "/" + key; }
  void fail_at(const std::string& where, ProblemCode code, const std::string& what) {
    if (!problem_) problem_ = Problem{where, code, (where.empty() ? "the profile" : where) + " " + what + again, {}};
  }
  /// The member, or nullptr when it is absent or a problem was found. Every kind of number passes as number_float.
  const json* find(const char* key, Need need, json::value_t type, const char* what) {
    known_.insert(key);
    if (problem_) return nullptr;
    const auto it = in_.find(key);
    if (it == in_.end()) {
      if (need == Need::required) fail(key, ProblemCode::missing_field, "is missing");
      return nullptr;
    }
    const bool right = type == json::value_t::number_float ? it->is_number() : it->type() == type;
    if (!right) fail(key, ProblemCode::wrong_type, std::string("must be ") + what);
    return right ? &*it : nullptr;
  }
  template <class F> void each(const char* key, Need need, int least, int most, F take) {
    const json* j = find(key, need, json::value_t::array, "a list");
    if (j == nullptr) return;
    if (static_cast<int>(j->size()) < least || j->size() > static_cast<std::size_t>(most)) {
      return fail(key, ProblemCode::out_of_range, "must have " + std::to_string(least) + " to " + std::to_string(most) + " entries");
    }
    for (std::size_t i = 0; i < j->size() && !problem_; ++i) take((*j)[i], at(key) + "/" + std::to_string(i));
  }
  void take_text(const json& j, const std::string& where, std::string& v, int most) {
    v = j.get<std::string>();
    if (v.size() > static_cast<std::size_t>(most)) fail_at(where, ProblemCode::too_large, "must be at most " + std::to_string(most) + " bytes long");
    else if (!printable(v)) fail_at(where, ProblemCode::out_of_range, "must not contain control characters");
  }
  bool take_number(const json& j, const std::string& where, double& v, double lo, double hi) {
    if (!j.is_number()) return fail_at(where, ProblemCode::wrong_type, "must be a number"), false;
    v = j.get<double>();
    if (v >= lo && v <= hi) return true;
    return fail_at(where, ProblemCode::out_of_range, "must be from " + shown(lo) + " to " + shown(hi)), false;
  }
  bool take_whole(double d, const std::string& where, std::int64_t& v) {
    v = static_cast<std::int64_t>(d);
    if (static_cast<double>(v) == d) return true;
    return fail_at(where, ProblemCode::wrong_type, "must be a whole number"), false;
  }

  const json& in_;
  std::string pointer_;
  std::optional<Problem>& problem_;
  std::set<std::string> known_;
};

}  // namespace gpuplan::profile_fields
