#include <csignal>

#include <unistd.h>

#include "native/probe/program.hpp"

namespace gpuplan::probe {
namespace {

std::atomic<bool> asked_to_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

void on_signal(int) {
  if (asked_to_stop.exchange(true)) _exit(130);
}

}  // namespace

std::atomic<bool>& stop_on_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return asked_to_stop;
}

}  // namespace gpuplan::probe
