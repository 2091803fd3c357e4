#pragma once
/// A value or the reason why there is none. Nothing in the core throws at its callers.
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gpuplan {

/// What is wrong with an input, in one line of meaning each.
enum class ProblemCode {
  syntax,         ///< the text is not JSON (or not the file that it claims to be)
  unknown_field,  ///< a field that no version knows
  missing_field,  ///< a field that is required
  wrong_type,     ///< another JSON type is expected
  out_of_range,   ///< a number outside what is allowed
  unknown_id,     ///< no such model, GPU, instance, software or option
  conflict,       ///< two fields contradict each other
  unsupported,    ///< known, but not possible here; the message says what is
  elsewhere,      ///< left out of this module to keep it small; core-full.wasm answers it
  too_large,      ///< the input is over a size limit
  internal,       ///< a fault of ours
};

/// The name of a code in the protocol, for example "unknown-id".
const char* name(ProblemCode code);

/// One clear sentence about one field of the input.
struct Problem {
  std::string pointer;               ///< RFC 6901 JSON pointer of the field, "" for the whole input
  ProblemCode code = ProblemCode::internal;
  std::string message;               ///< names the field, says what is allowed and what to do
  std::vector<std::string> nearest;  ///< nearest known ids, best first
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Problem problem) : state_(std::in_place_index<1>, std::move(problem)) {}

  explicit operator bool() const { return state_.index() == 0; }
  const T& operator*() const& { return std::get<0>(state_); }
  T& operator*() & { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  const T* operator->() const { return &std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const Problem& problem() const& { return std::get<1>(state_); }
  Problem&& problem() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Problem> state_;
};

}  // namespace gpuplan
