#include "native/probe/world.hpp"

#include <algorithm>
#include <vector>

namespace gpuplan::probe {
namespace {

constexpr int most_ranks = 65536, default_port = 29400, slurm_ports = 20000;

/// The variables that say the same thing under one launcher; empty names are asked nowhere.
struct Launcher {
  const char *name, *rank, *size, *local_rank, *local_size;
};
constexpr Launcher launchers[] = {
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"},
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
    // SLURM_STEP_NUM_TASKS exists in srun steps only: a plain sbatch script has SLURM_NTASKS, but runs alone
    {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE"},
};

std::optional<int> number(const std::string& text, int least, int most) {
  if (text.empty() || text.size() > 7 || text.find_first_not_of("0123456789") != std::string::npos) return {};
  const int v = std::stoi(text);
  return v >= least && v <= most ? std::optional<int>(v) : std::nullopt;
}

Problem bad(const std::string& variable, const std::string& what) {
  return {variable, ProblemCode::out_of_range, "environment variable " + variable + " " + what + "; start with --alone to ignore the launcher", {}};
}

class WorldReader {
 public:
  WorldReader(const Environment& env, const Launcher& l) : env_(env), l_(l) { world_.launcher = l.name; }

  Result<World> read() {
    take(l_.size, 1, most_ranks, world_.size);
    take(l_.rank, 0, world_.size - 1, world_.rank);
    read_local_size();
    take(l_.local_rank, 0, world_.local_size - 1, world_.local_rank);
    if (!problem_ && world_.size % world_.local_size != 0) {
      problem_ = bad(l_.local_size, "is " + std::to_string(world_.local_size) + ", which does not divide the " + std::to_string(world_.size) + " processes evenly over nodes");
    }
    if (!problem_) find_master();
    if (problem_) return *problem_;
    return world_;
  }

 private:
  void take(const char* variable, int least, int most, int& v) {
    if (problem_) return;
    const std::optional<std::string> text = env_(variable);
    const std::optional<int> read = text ? number(*text, least, most) : std::nullopt;
    if (read) v = *read;
    else problem_ = bad(variable, (text ? "is '" + text->substr(0, 40) + "', but must be" : "is missing; it must be") + std::string(" a whole number from ") +
                                      std::to_string(least) + " to " + std::to_string(most));
  }
  /// Slurm writes "8(x2)" for eight tasks on each of two nodes.
  void read_local_size() {
    if (problem_) return;
    const std::string text = env_(l_.local_size).value_or("");
    const bool uneven = text.find(',') != std::string::npos;
    const std::optional<int> read = uneven ? std::nullopt : number(text.substr(0, text.find('(')), 1, world_.size);
    if (read) world_.local_size = *read;
    else problem_ = bad(l_.local_size, "must say how many processes run on each node, from 1 to " + std::to_string(world_.size) + ", the same on all nodes");
  }
  void find_master() {
    const std::string hosts = env_("SLURM_STEP_NODELIST").value_or(env_("SLURM_JOB_NODELIST").value_or(""));
    if (const auto given = env_("MASTER_ADDR")) world_.master = *given;
    else if (world_.nodes() == 1) world_.master = "127.0.0.1";
    else if (!hosts.empty()) world_.master = first_slurm_host(hosts);
    find_port();
  }
  void find_port() {
    world_.port = default_port;
    if (const auto job = env_("SLURM_JOB_ID")) {
      const std::string tail = job->substr(job->size() > 6 ? job->size() - 6 : 0);
      world_.port = slurm_ports + number(tail, 0, 999999).value_or(0) % 10000;
    }
    if (!env_("MASTER_PORT")) return;
    take("MASTER_PORT", 1, 65534, world_.port);
    if (env_("TORCHELASTIC_RUN_ID")) ++world_.port;  // torchrun's own store listens on MASTER_PORT
  }

  const Environment& env_;
  const Launcher& l_;
  World world_;
  std::optional<Problem> problem_;
};

}  // namespace

std::string first_slurm_host(const std::string& list) {
  const std::size_t open = list.find('['), comma = list.find(',');
  if (open == std::string::npos || comma < open) return list.substr(0, comma);
  const std::size_t end = list.find_first_of("-,]", open);
  const std::size_t close = list.find(']', open);
  if (end == std::string::npos || close == std::string::npos) return list.substr(0, open);
  const std::size_t next = list.find(',', close);
  return list.substr(0, open) + list.substr(open + 1, end - open - 1) + list.substr(close + 1, next == std::string::npos ? next : next - close - 1);
}

Result<World> read_world(const Environment& env) {
  for (const Launcher& l : launchers) {
    if (env(l.rank) && env(l.size)) return WorldReader(env, l).read();
  }
  return World{};
}

}  // namespace gpuplan::probe
