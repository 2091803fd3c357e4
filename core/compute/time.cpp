#include "core/compute/time.hpp"

#include "core/compute/prepared_time.hpp"
#include "core/compute/training_step.hpp"

namespace gpuplan {

const char* name(CollectiveKind k) {
  constexpr const char* names[] = {"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "send-recv"};
  return names[static_cast<int>(k)];
}

const char* name(ParallelGroup g) {
  constexpr const char* names[] = {"tp", "pp", "dp", "cp", "ep"};
  return names[static_cast<int>(g)];
}

const char* name(LinkKind k) {
  constexpr const char* names[] = {"none", "nvlink", "pcie", "network", "mixed"};
  return names[static_cast<int>(k)];
}

void PreparedTimeDeleter::operator()(PreparedTime* p) const { delete p; }

PreparedTimePtr prepare_time(const Job& job) {
  PreparedTimePtr out(new PreparedTime);
  if (is_training(job.task)) out->training = prepare_training(job);
  else out->serving = std::make_unique<PreparedServing>(prepare_serving(job));
  return out;
}

Time estimate_time(const Job& job, const PreparedTime& prepared, const Machine& machine, const Layout& layout, const Memory& memory, Explanation* why) {
  if (prepared.training) return estimate_training_time(job, *prepared.training, machine, layout, memory, why);
  return estimate_serving_time(job, *prepared.serving, machine, layout, memory, why);
}

}  // namespace gpuplan
