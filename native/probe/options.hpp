#pragma once
/// The command line of gpuplan-probe.
#include <string>
#include <variant>
#include <vector>

#include "native/probe/context.hpp"

namespace gpuplan::probe {

struct Options {
  bool list = false, json = false, identify = false, link = false, no_qr = false, alone = false;
  Effort effort = Effort::normal;
  double budget_seconds = 0.0;       ///< 0 = the effort's own
  int device = -1;                   ///< −1 = the first, or the process' own under a launcher
  std::vector<std::string> only;
  std::string output = "gpuplan-profile.json", samples, gpu_id, send, page;
  std::string upload, method = "put", token_env, token_file, ca_file;
};

/// What the process should return at once: help, version or a complaint.
struct EarlyExit { int status; std::string text; };

std::variant<Options, EarlyExit> parse_options(int argc, const char* const* argv);

/// The specs whose key is in `only`, or whose family ("gemm", "host") is; all for an empty list. Names an unknown key.
Result<std::vector<MeasurementSpec>> chosen(const std::vector<MeasurementSpec>& specs, const std::vector<std::string>& only);

}  // namespace gpuplan::probe
