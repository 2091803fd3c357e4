#pragma once
/// Who this process is among those that a launcher started: Open MPI, MPICH, Slurm or torchrun-style variables.
#include <functional>
#include <optional>
#include <string>

#include "core/result.hpp"

namespace gpuplan::probe {

struct World {
  std::string launcher;  ///< "" when started alone
  int rank = 0, size = 1, local_rank = 0, local_size = 1;
  std::string master;    ///< address of rank 0's host for NCCL's own bootstrap, "" when only MPI can tell
  int port = 0;
  int nodes() const { return size / local_size; }
};

using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// Reads the variables. A problem's pointer is the name of the variable that is wrong or missing.
Result<World> read_world(const Environment&);

/// First host of a Slurm node list: "gpu[07-09,12],x" gives "gpu07".
std::string first_slurm_host(const std::string& list);

}  // namespace gpuplan::probe
