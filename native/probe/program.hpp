#pragma once
/// gpuplan-probe from arguments to exit status, over whichever machine the opener gives.
#include <atomic>
#include <functional>
#include <memory>

#include "native/probe/machine.hpp"
#include "native/probe/world.hpp"

namespace gpuplan::probe {

struct OpenRequest {
  int device = -1;  ///< −1 = choose
  World world;
};
using MachineOpener = std::function<Outcome<std::unique_ptr<Machine>>(const OpenRequest&)>;

enum ExitStatus { exit_whole = 0, exit_internal = 1, exit_arguments = 2, exit_partial = 3, exit_no_gpu = 4, exit_not_uploaded = 5 };

/// Runs the program; `stop` is raised by Ctrl-C.
int run_program(int argc, const char* const* argv, const MachineOpener&, const std::atomic<bool>& stop);

/// Raises the flag on SIGINT and SIGTERM; a second signal ends the process at once with 130.
std::atomic<bool>& stop_on_signals();

}  // namespace gpuplan::probe
