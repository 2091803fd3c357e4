#include "native/probe/world.hpp"

#include <map>

#include <catch2/catch.hpp>

using namespace gpuplan;
using namespace gpuplan::probe;

namespace {
using Variables = std::map<std::string, std::string>;
Result<World> world(const Variables& variables) {
  return read_world([&](const std::string& name) {
    const auto it = variables.find(name);
    return it == variables.end() ? std::nullopt : std::optional<std::string>(it->second);
  });
}
}  // namespace

TEST_CASE("without a launcher the process is alone") {
  const Result<World> w = world({{"HOME", "/home/x"}});
  REQUIRE(w);
  CHECK(w->size == 1);
  CHECK(w->launcher.empty());
}

TEST_CASE("torchrun says all; its own store keeps the port, so NCCL takes the next") {
  const Result<World> w = world({{"RANK", "9"}, {"WORLD_SIZE", "16"}, {"LOCAL_RANK", "1"}, {"LOCAL_WORLD_SIZE", "8"}, {"MASTER_ADDR", "10.0.0.1"},
                                 {"MASTER_PORT", "29500"}, {"TORCHELASTIC_RUN_ID", "x"}});
  REQUIRE(w);
  CHECK(w->rank == 9);
  CHECK(w->nodes() == 2);
  CHECK(w->local_rank == 1);
  CHECK(w->master == "10.0.0.1");
  CHECK(w->port == 29501);
}

TEST_CASE("Open MPI on one node needs no address; over nodes only MPI can tell it") {
  Variables v{{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "3"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}};
  CHECK(world(v)->master == "127.0.0.1");
  v["OMPI_COMM_WORLD_LOCAL_SIZE"] = "2";
  v["OMPI_COMM_WORLD_LOCAL_RANK"] = "1";
  CHECK(world(v)->master.empty());
  v["MASTER_ADDR"] = "head";
  CHECK(world(v)->master == "head");
  CHECK(world(v)->port == 29400);
}

TEST_CASE("MPICH and Intel MPI") {
  const Result<World> w = world({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "2"}});
  REQUIRE(w);
  CHECK(w->launcher == "MPICH");
  CHECK(w->local_rank == 1);
}

TEST_CASE("a Slurm step finds the first host of its list and a port of its job") {
  const Result<World> w = world({{"SLURM_PROCID", "8"}, {"SLURM_STEP_NUM_TASKS", "16"}, {"SLURM_LOCALID", "0"}, {"SLURM_STEP_TASKS_PER_NODE", "8(x2)"},
                                 {"SLURM_STEP_NODELIST", "gpu[07-08]"}, {"SLURM_JOB_ID", "1234567"}});
  REQUIRE(w);
  CHECK(w->nodes() == 2);
  CHECK(w->master == "gpu07");
  CHECK(w->port == 20000 + 4567);
}

TEST_CASE("a plain batch script of Slurm runs alone, whatever the allocation holds") {
  const Result<World> w = world({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "16"}, {"SLURM_LOCALID", "0"}, {"SLURM_JOB_ID", "7"}});
  REQUIRE(w);
  CHECK(w->size == 1);
}

TEST_CASE("host lists of Slurm") {
  CHECK(first_slurm_host("a1") == "a1");
  CHECK(first_slurm_host("a1,b2") == "a1");
  CHECK(first_slurm_host("gpu[007-009,012]") == "gpu007");
  CHECK(first_slurm_host("gpu[3,5]-ib,x1") == "gpu3-ib");
  CHECK(first_slurm_host("x1,gpu[1-2]") == "x1");
  CHECK(first_slurm_host("") == "");
  CHECK(first_slurm_host("broken[") == "broken");
}

TEST_CASE("a wrong variable is named, with what it must be") {
  const Variables good{{"RANK", "0"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "0"}, {"LOCAL_WORLD_SIZE", "4"}};
  REQUIRE(world(good));
  struct Row { const char *variable, *value; };
  for (const Row& row : {Row{"RANK", "4"}, Row{"RANK", "-1"}, Row{"RANK", "x"}, Row{"RANK", "99999999999"}, Row{"WORLD_SIZE", "0"}, Row{"WORLD_SIZE", ""},
                         Row{"LOCAL_RANK", "4"}, Row{"LOCAL_WORLD_SIZE", "3"}, Row{"MASTER_PORT", "65535"}, Row{"MASTER_PORT", "http"}}) {
    Variables v = good;
    v[row.variable] = row.value;
    const Result<World> w = world(v);
    INFO(row.variable << "=" << row.value);
    REQUIRE_FALSE(w);
    CHECK(w.problem().pointer == row.variable);
    CHECK(w.problem().message.find("--alone") != std::string::npos);
  }
  Variables uneven{{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "12"}, {"SLURM_LOCALID", "0"}, {"SLURM_STEP_TASKS_PER_NODE", "4(x2),2(x2)"}};
  CHECK_FALSE(world(uneven));
  Variables missing = good;
  missing.erase("LOCAL_RANK");
  CHECK_FALSE(world(missing));
}
