#pragma once
/// A value or what went wrong on the device. Skipped is not failed: `unsupported` means that the machine lacks what the measurement needs.
#include <string>
#include <utility>
#include <variant>

namespace gpuplan::probe {

enum class Fault {
  unsupported,    ///< this machine cannot do it; no fault of anyone
  out_of_memory,  ///< the buffers do not fit
  timed_out,      ///< the device did not answer in time
  wrong_result,   ///< it answered, but with wrong numbers
  lost,           ///< the device or its context is gone; nothing more can be measured
  failed,         ///< anything else that a library reported
};

struct Failure {
  Fault fault = Fault::failed;
  std::string message;
};

template <class T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Outcome(Failure failure) : state_(std::in_place_index<1>, std::move(failure)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() { return std::get<0>(state_); }
  const T& operator*() const { return std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const Failure& failure() const { return std::get<1>(state_); }

 private:
  std::variant<T, Failure> state_;
};

/// Success without a value.
using Done = std::monostate;

}  // namespace gpuplan::probe
