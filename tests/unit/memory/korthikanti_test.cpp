/// The closed forms of Korthikanti et al. 2022 (arXiv:2205.05198) from the tensor lists: GPT-530B as in their figure 1, first stage.
#include <catch2/catch.hpp>

#include "core/memory/stages.hpp"
#include "core/memory/training.hpp"
#include "tests/unit/memory/memory_fixture.hpp"

using namespace gpuplan;
using namespace gpuplan::memory;
using namespace gpuplan::testing;

namespace {

constexpr double gib = 1073741824.0;

/// Tensor parallel 8, 35 stages of 3 layers in three chunks each, 280 samples of 2048 tokens.
Layout figure_1(Recompute recompute, bool sequence_parallel) {
  Layout l = degrees(8, 35, 1);
  l.virtual_stages = 3;
  l.recompute = recompute;
  l.sequence_parallel = sequence_parallel;
  return l;
}

/// The model with the dropout masks that the paper counts.
const Architecture& gpt() {
  static const Architecture with_dropout = [] {
    Architecture m = model("nvidia/megatron-turing-nlg-530b");
    m.dropout = 0.1;
    return m;
  }();
  return with_dropout;
}

double saved(const Layout& l, std::optional<std::int64_t> recompute_layers = std::nullopt) {
  Job job = job_for("nvidia/megatron-turing-nlg-530b", "megatron", Task::pretraining);
  job.model = &gpt();
  job.workload.sequence = 2048;
  job.workload.global_batch = 280;
  job.workload.flash_attention = false;
  job.workload.recompute_layers = recompute_layers;
  const PreparedMemoryPtr p = prepare_memory(job);
  return training_peak(job, *p, l, 0).saved;
}

}  // namespace

TEST_CASE("GPT-530B keeps 114 GiB of activations per GPU with tensor parallelism alone") {
  CHECK(saved(figure_1(Recompute::none, false)) / gib == Approx(114.0234).epsilon(1e-6));
}

TEST_CASE("sequence parallelism and selective recomputation leave 34 s b h / t: 23 GiB") {
  CHECK(saved(figure_1(Recompute::selective, true)) / gib == Approx(23.0762).epsilon(1e-5));
}

TEST_CASE("full recomputation keeps 2 s b h per layer") {
  const double layers = 105.0 * (1.0 + 34.0 / 105.0);
  CHECK(saved(figure_1(Recompute::full, false)) == Approx(layers * 2.0 * 2048 * 20480).epsilon(1e-9));
}

TEST_CASE("an interleaved schedule holds 1 + (p - 1)/(p m) of 1F1B's layers on the first stage") {
  for (std::int32_t p : {4, 8, 16}) {
    for (std::int32_t m : {2, 4}) {
      Layout l = degrees(1, p, 1);
      CHECK(in_flight(l, 0, 1e6) == p);
      CHECK(in_flight(l, p - 1, 1e6) == 1.0);
      l.virtual_stages = m;
      CHECK(in_flight(l, 0, 1e6) == Approx(p * (1.0 + (p - 1.0) / (p * static_cast<double>(m)))));
    }
  }
}

TEST_CASE("recomputing one layer of a stage keeps its input and the others whole") {
  const double none = saved(figure_1(Recompute::none, false)), full = saved(figure_1(Recompute::full, false));
  CHECK(saved(figure_1(Recompute::full, false), 1) == Approx(none * 2.0 / 3.0 + full / 3.0));
  CHECK(saved(figure_1(Recompute::full, false), 3) == Approx(full));
}
