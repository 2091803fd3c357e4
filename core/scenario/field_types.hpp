#pragma once
/// Makes one row of the field table from a member of the scenario: the member's C++ type decides how it is read and written.
/// Used by fields.cpp alone.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/scenario/fields.hpp"

namespace gpuplan {

template <class T> struct Unwrapped { using type = T; static constexpr bool optional = false; };
template <class T> struct Unwrapped<std::optional<T>> { using type = T; static constexpr bool optional = true; };

/// The allowed words of an enum, in order of its values. PlainType and KvFormat call their first value "auto".
template <class Enum>
std::vector<std::string_view> enum_words() {
  std::vector<std::string_view> out;
  for (int i = 0; i < word_count(Enum{}); ++i) out.push_back(name(static_cast<Enum>(i)));
  return out;
}
constexpr int word_count(Task) { return 8; }
constexpr int word_count(Recompute) { return 3; }
constexpr int word_count(Offload) { return 3; }
constexpr int word_count(ModelSplit) { return 2; }
constexpr int word_count(LossKernel) { return 4; }
constexpr int word_count(Objective) { return 3; }
constexpr int word_count(Pricing) { return 4; }
constexpr int word_count(TierScheme) { return 2; }
constexpr int word_count(WeightFormat) { return weight_format_count; }
constexpr int word_count(KvFormat) { return 9; }
constexpr int word_count(Optimizer) { return 8; }
constexpr int word_count(PlainType) { return 7; }

template <class Enum>
Enum enum_from(const std::string& word) {
  for (int i = 0; i < word_count(Enum{}); ++i) {
    if (word == name(static_cast<Enum>(i))) return static_cast<Enum>(i);
  }
  return Enum{};
}

inline std::vector<std::string_view> provider_class_words() { return {"hyperscaler", "gpu-cloud", "marketplace", "owned"}; }
inline std::vector<std::string_view> currency_words() { return {"USD", "CNY", "EUR"}; }

template <class T>
void store(T& member, const nlohmann::json& value) {
  using Inner = typename Unwrapped<T>::type;
  if constexpr (Unwrapped<T>::optional) {
    if (value.is_null()) { member.reset(); return; }
  }
  if constexpr (std::is_enum_v<Inner>) member = enum_from<Inner>(value.template get_ref<const std::string&>());
  else if constexpr (std::is_same_v<Inner, std::int64_t>) member = static_cast<std::int64_t>(value.template get<double>());
  else member = value.template get<Inner>();
}

template <class T>
nlohmann::json load(const T& member) {
  if constexpr (Unwrapped<T>::optional) {
    return member ? load(*member) : nlohmann::json(nullptr);
  } else if constexpr (std::is_enum_v<T>) {
    return name(member);
  } else {
    return member;
  }
}

template <auto Section, auto Member>
void set_member(Scenario& s, const nlohmann::json& v) { store(s.*Section.*Member, v); }
template <auto Section, auto Member>
nlohmann::json get_member(const Scenario& s) { return load(s.*Section.*Member); }
template <auto Member>
void set_top(Scenario& s, const nlohmann::json& v) { store(s.*Member, v); }
template <auto Member>
nlohmann::json get_top(const Scenario& s) { return load(s.*Member); }

template <auto Section, auto Member>
using MemberType = std::remove_cv_t<std::remove_reference_t<decltype(std::declval<Scenario&>().*Section.*Member)>>;
template <auto Member>
using TopType = std::remove_cv_t<std::remove_reference_t<decltype(std::declval<Scenario&>().*Member)>>;

/// An integer, a real number or a flag, by the member's type.
template <auto Section, auto Member>
Field number(const char* pointer, const char* key, double minimum, double maximum) {
  using T = MemberType<Section, Member>;
  using Inner = typename Unwrapped<T>::type;
  constexpr FieldKind kind = std::is_same_v<Inner, bool> ? FieldKind::flag : std::is_integral_v<Inner> ? FieldKind::integer : FieldKind::number;
  return {pointer, key, kind, minimum, maximum, nullptr, Unwrapped<T>::optional, set_member<Section, Member>, get_member<Section, Member>};
}
template <auto Section, auto Member>
Field word(const char* pointer, const char* key) {
  using T = MemberType<Section, Member>;
  return {pointer, key, FieldKind::word, 0, 0, enum_words<typename Unwrapped<T>::type>, Unwrapped<T>::optional, set_member<Section, Member>, get_member<Section, Member>};
}
template <auto Section, auto Member>
Field text(const char* pointer, const char* key, std::vector<std::string_view> (*words)() = nullptr) {
  using T = MemberType<Section, Member>;
  return {pointer, key, words ? FieldKind::word : FieldKind::text, 0, 0, words, Unwrapped<T>::optional, set_member<Section, Member>, get_member<Section, Member>};
}
template <auto Section, auto Member>
Field list(const char* pointer, const char* key, std::vector<std::string_view> (*words)()) {
  return {pointer, key, FieldKind::list, 0, 0, words, false, set_member<Section, Member>, get_member<Section, Member>};
}
template <auto Member>
Field top_word(const char* pointer, const char* key) {
  return {pointer, key, FieldKind::word, 0, 0, enum_words<typename Unwrapped<TopType<Member>>::type>, false, set_top<Member>, get_top<Member>};
}
template <auto Member>
Field top_text(const char* pointer, const char* key) {
  return {pointer, key, FieldKind::text, 0, 0, nullptr, true, set_top<Member>, get_top<Member>};
}

}  // namespace gpuplan
