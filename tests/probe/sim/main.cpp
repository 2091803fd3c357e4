// gpuplan-probe-sim: the probe's program over the simulated machine, for tests of the command line. GPUPLAN_SIM is a list of words:
// "no-gpu" (none is found), "hang" (attention never returns), "fail" (matrix products come out wrong), "real-time" (each piece of work takes 10 ms).
#include <chrono>
#include <cstdlib>
#include <thread>

#include "native/probe/program.hpp"
#include "tests/probe/sim/simulated_machine.hpp"

using namespace gpuplan::probe;

namespace {

bool asked(const std::string& word) {
  const char* words = std::getenv("GPUPLAN_SIM");
  return words != nullptr && std::string(words).find(word) != std::string::npos;
}

/// Takes real time, so that a signal can arrive in the middle.
class PatientMachine : public SimulatedMachine {
 public:
  using SimulatedMachine::SimulatedMachine;
  Outcome<std::unique_ptr<Prepared>> prepare(const Work& work) override {
    if (asked("real-time")) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return SimulatedMachine::prepare(work);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const auto open = [](const OpenRequest& request) -> Outcome<std::unique_ptr<Machine>> {
    if (asked("no-gpu")) return Failure{Fault::failed, "no NVIDIA GPU was found"};
    SimulatedTruth truth = example_truth();
    if (request.device >= truth.facts.machine.gpus_per_node.n) return Failure{Fault::failed, "there is no device " + std::to_string(request.device)};
    if (asked("hang")) truth.hangs = [](const Work& w) { return std::holds_alternative<AttentionWork>(w); };
    if (asked("fail")) truth.wrong = [](const Work& w) { return std::holds_alternative<GemmWork>(w); };
    return std::unique_ptr<Machine>(std::make_unique<PatientMachine>(std::move(truth)));
  };
  return run_program(argc, argv, open, stop_on_signals());
}
