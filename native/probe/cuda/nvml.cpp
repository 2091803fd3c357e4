#include "native/probe/cuda/nvml.hpp"

#include <dlfcn.h>

namespace gpuplan::probe {
namespace {

// Values of nvml.h, which is not part of every toolkit.
constexpr int clock_sm = 1, ecc_uncorrected = 1, ecc_since_driver_load = 0;
constexpr unsigned long long reason_application_clocks = 0x2, reason_power_cap = 0x4, reason_hw_slowdown = 0x8, reason_sw_thermal = 0x20,
                             reason_hw_thermal = 0x40, reason_power_brake = 0x80;
struct ProcessInfo { unsigned pid; unsigned long long used_bytes; unsigned gpu_instance, compute_instance; };

}  // namespace

template <class... A> bool Nvml::call(const char* function, A... arguments) const {
  if (library_ == nullptr) return false;
  void* found = dlsym(library_, function);
  return found != nullptr && reinterpret_cast<int (*)(A...)>(found)(arguments...) == 0;
}

Nvml::Nvml(const std::string& pci_bus_id) {
  library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  ready_ = call("nvmlInit_v2") && call("nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(), &device_);
}
Nvml::~Nvml() {
  if (ready_) call("nvmlShutdown");
  if (library_ != nullptr) dlclose(library_);
}

/// Inside a container the own process has another number outside: then it is taken to be one of those listed.
int Nvml::processes() const {
  ProcessInfo list[64];
  unsigned count = 64;
  if (!call("nvmlDeviceGetComputeRunningProcesses_v3", device_, &count, list)) return 0;
  return count > 0 ? static_cast<int>(count) - 1 : 0;
}

void Nvml::look_around() const {
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_ < std::chrono::seconds(1)) return;
  looked_ = now;
  around_.other_processes = processes();
  unsigned long long errors = 0;
  if (call("nvmlDeviceGetTotalEccErrors", device_, ecc_uncorrected, ecc_since_driver_load, &errors)) around_.uncorrected_ecc_errors = static_cast<std::int64_t>(errors);
}

Health Nvml::health() const {
  if (ready_) look_around();
  Health h = around_;
  unsigned long long reasons = 0;
  h.known = ready_ && (call("nvmlDeviceGetCurrentClocksEventReasons", device_, &reasons) || call("nvmlDeviceGetCurrentClocksThrottleReasons", device_, &reasons));
  if (!h.known) return h;
  h.power_throttled = (reasons & (reason_power_cap | reason_power_brake)) != 0;
  h.thermal_throttled = (reasons & (reason_sw_thermal | reason_hw_thermal)) != 0;
  h.hardware_slowdown = (reasons & reason_hw_slowdown) != 0;
  unsigned megahertz = 0;
  if ((reasons & reason_application_clocks) != 0 && call("nvmlDeviceGetApplicationsClock", device_, clock_sm, &megahertz)) h.clock_limit_hz = megahertz * 1e6;
  return h;
}

void Nvml::describe(Facts& f) const {
  if (!ready_) return;
  char driver[96] = "";
  if (call("nvmlSystemGetDriverVersion", static_cast<char*>(driver), 96u)) f.machine.driver = driver;
  unsigned value = 0, pending = 0;
  int now = 0, later = 0, display = 0;
  if (call("nvmlDeviceGetPowerManagementLimit", device_, &value)) f.gpu.power_limit_watts = value * 1e-3;
  if (call("nvmlDeviceGetMaxClockInfo", device_, clock_sm, &value)) f.gpu.sm_clock_max_hz = value * 1e6;
  if (call("nvmlDeviceGetEccMode", device_, &now, &later)) f.gpu.ecc = now != 0 ? 1 : 0;
  if (call("nvmlDeviceGetMigMode", device_, &value, &pending)) f.gpu.mig = value != 0 ? 1 : 0;
  if (call("nvmlDeviceGetMaxPcieLinkGeneration", device_, &value)) f.machine.pcie_generation = value;
  if (call("nvmlDeviceGetMaxPcieLinkWidth", device_, &value)) f.machine.pcie_lanes = value;
  if (call("nvmlDeviceGetDisplayActive", device_, &display)) f.display_attached = display != 0;
}

std::string Nvml::uuid() const {
  char text[96] = "";
  return ready_ && call("nvmlDeviceGetUUID", device_, static_cast<char*>(text), 96u) ? text : "";
}
std::string Nvml::serial() const {
  char text[96] = "";
  return ready_ && call("nvmlDeviceGetSerial", device_, static_cast<char*>(text), 96u) ? text : "";
}

}  // namespace gpuplan::probe
