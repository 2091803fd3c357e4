#pragma once
/// NVIDIA's management library, loaded at run time: clocks, throttling, ECC, MIG, processes. Everything is "unknown" where it is missing.
#include <chrono>
#include <string>

#include "native/probe/machine.hpp"

namespace gpuplan::probe {

class Nvml {
 public:
  /// `pci_bus_id` as the runtime says it, "0000:1b:00.0".
  explicit Nvml(const std::string& pci_bus_id);
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml();

  Health health() const;
  /// Fills in driver, power limit, maximum clock, ECC, MIG, PCIe and display.
  void describe(Facts&) const;
  std::string uuid() const;
  std::string serial() const;

 private:
  template <class... A> bool call(const char* function, A... arguments) const;
  int processes() const;
  void look_around() const;
  void* library_ = nullptr;
  void* device_ = nullptr;
  bool ready_ = false;
  mutable std::chrono::steady_clock::time_point looked_{};
  mutable Health around_;  ///< processes and memory errors, asked for once a second: the driver takes milliseconds to answer
};

}  // namespace gpuplan::probe
