#include <cstdio>
#include <cstdlib>

#include "native/probe/cuda/cuda_machine.hpp"

int main(int argc, char** argv) {
  using namespace gpuplan::probe;
  const int status = run_program(argc, argv, open_cuda_machine, stop_on_signals());
  // no destructors of libraries: a device that hangs would hold them for ever
  std::fflush(nullptr);
  std::_Exit(status);
}
