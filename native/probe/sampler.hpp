#pragma once
/// Times one piece of work until its spread is small or its time is used.
#include <optional>
#include <vector>

#include "native/probe/context.hpp"

namespace gpuplan::probe {

struct Sampled {
  double seconds = 0.0;  ///< median per run
  double spread = 0.0;   ///< relative
  int samples = 0;
};

/// Prepares, verifies, warms up and times. Takes three to fifty samples of about a millisecond each, within `seconds_allowed` where it can.
Outcome<Sampled> sample(Context&, const Work&, double seconds_allowed);

/// Times a list of work within the measurement's slice. A point that does not fit into memory or cannot run stays empty; a point that is
/// expected to take many times its share (`growth` says how much longer than the point before) too. Fails when the machine fails or no point remains.
Outcome<std::vector<std::optional<Sampled>>> sweep(Context&, const std::vector<Work>&, const std::vector<double>& growth = {});

/// One line that says what the work is, for notes and raw samples.
std::string text(const Work&);

}  // namespace gpuplan::probe
