#include "native/probe/context.hpp"

#include <algorithm>

namespace gpuplan::probe {

const char* name(Effort e) { return e == Effort::quick ? "quick" : e == Effort::thorough ? "thorough" : "default"; }
double default_budget(Effort e) { return e == Effort::quick ? 30.0 : e == Effort::thorough ? 600.0 : 100.0; }

void Context::watch() {
  const Health h = machine.health();
  if (!h.known) return;
  seen.known = true;
  seen.power_throttled = seen.power_throttled || h.power_throttled;
  seen.thermal_throttled = seen.thermal_throttled || h.thermal_throttled;
  seen.hardware_slowdown = seen.hardware_slowdown || h.hardware_slowdown;
  seen.other_processes = std::max(seen.other_processes, h.other_processes);
  seen.clock_limit_hz = std::max(seen.clock_limit_hz, h.clock_limit_hz);
  seen.uncorrected_ecc_errors = std::max(seen.uncorrected_ecc_errors, h.uncorrected_ecc_errors);
}

void Context::note(const std::string& code, const std::string& detail) {
  const std::string kept = detail.substr(0, 200);
  const bool there = std::any_of(profile.notes.begin(), profile.notes.end(),
                                 [&](const ProfileNote& n) { return n.code == code && n.detail == kept; });
  if (!there && profile.notes.size() < 32) profile.notes.push_back({code, kept});
}

}  // namespace gpuplan::probe
