#pragma once
/// What every measurement works with: the machine, the profile that it fills, its share of the time, and the person's wish to stop.
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "native/probe/machine.hpp"

namespace gpuplan::probe {

enum class Effort { quick, normal, thorough };
const char* name(Effort);           ///< "quick", "default", "thorough", as in the profile
double default_budget(Effort);      ///< seconds: 30, 100, 600

/// Repeated timings of one piece of work, kept for --samples.
struct RawSample { std::string key, work; std::vector<double> seconds; };

struct Settings {
  Effort effort = Effort::normal;
  double budget_seconds = 100.0;
  double call_timeout_seconds = 20.0;  ///< longest wait for one timed call
  double target_error = 0.005;         ///< stop when the median's relative standard error is below
};

class Context {
 public:
  Context(Machine& machine_in, Profile& profile_in, const Settings& settings_in, const std::atomic<bool>& stop_in)
      : machine(machine_in), profile(profile_in), settings(settings_in), stop_(stop_in) {}

  Machine& machine;
  Profile& profile;
  const Settings& settings;
  Facts facts;
  std::string key;                    ///< of the running measurement
  bool together = false;              ///< several processes measure together: clocks and wishes are agreed on
  double slice_end = 0.0;             ///< the running measurement should be done by then
  double hard_end = 0.0;              ///< nothing new starts after this
  std::vector<RawSample>* raw = nullptr;
  std::function<void(double)> progress = [](double) {};  ///< share of the running measurement that is done

  double now() { return together ? machine.agree(machine.now()) : machine.now(); }
  bool stopped() { return together ? machine.agree(stop_ ? 1.0 : 0.0) > 0.0 : stop_.load(); }
  /// Looks at the machine's health and keeps what it complains about until the measurement ends.
  void watch();
  Health seen;                        ///< everything that `watch` saw during the running measurement
  void note(const std::string& code, const std::string& detail);  ///< once per code and detail, at most 32 in all
  bool quick() const { return settings.effort == Effort::quick; }

 private:
  const std::atomic<bool>& stop_;
};

/// One row of --list.
struct MeasurementSpec {
  std::string key, description;
  double weight = 1.0;                                    ///< share of the time budget
  bool collective = false;                                ///< all processes take part
  std::function<std::string(Context&)> cannot;            ///< why it cannot run here, "" when it can
  std::function<Outcome<Done>(Context&)> run;             ///< measures, fits and writes into context.profile
};

}  // namespace gpuplan::probe
