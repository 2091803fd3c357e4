#pragma once
/// The jobs that a scenario leaves open: software and number formats, each prepared once for all machines and layouts.
#include <memory>
#include <vector>

#include "core/compute/time.hpp"
#include "core/memory/memory.hpp"
#include "core/scenario/resolve.hpp"

namespace gpuplan {

/// A job with the sums that no layout changes; candidates_for makes them where a GPU runs the job.
struct Candidate {
  Job job;
  int software = -1;  ///< index into the catalog
  PreparedMemoryPtr memory;
  PreparedTimePtr time;
};

/// All candidates of a scenario; the first that a GPU can run is the one that is taken there.
struct Candidates {
  ResolvedModel model;
  std::vector<std::unique_ptr<Candidate>> all;
};
Result<Candidates> make_candidates(const Knowledge&, const Scenario&);

/// The first candidate that runs on this GPU (on each, where they differ), prepared; none when no software or number format does; `refusals[Refusal]` counts those that do not.
std::vector<const Candidate*> candidates_for(const Candidates&, const Machine&, std::int64_t* refusals);

}  // namespace gpuplan
