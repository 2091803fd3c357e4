/// Small and classic models: by their outputs, not by transformer layers.
#include <catch2/catch.hpp>

#include "tests/unit/memory/memory_fixture.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;

TEST_CASE("ResNet-50 trains with 8 bytes per parameter and all layer outputs of its batch") {
  Job job = job_for("timm/resnet50", "transformers", Task::full_finetune);
  Layout l = degrees(1, 1, 1);
  l.micro_batch = 64;
  const MemoryParts p = memory_of(job, machine_of("nvidia-t4", 1), l).parts;
  CHECK(p.weights.value == 2.0 * 25557032);
  CHECK(p.gradients.value + p.optimizer.value + p.weights.value <= 8.0 * 25557032);
  CHECK(p.activations.value == 64.0 * 11110000 * 2 * 2);  // of each convolution its output and the activation after it
}

TEST_CASE("a vision transformer has the tokens of its image, whatever the context says") {
  Job job = job_for("google/vit-base-patch16-224", "transformers", Task::full_finetune);
  const Machine machine = machine_of("nvidia-t4", 1);
  job.workload.sequence = 128;
  const Bytes few = memory_of(job, machine, degrees(1, 1, 1)).used;
  job.workload.sequence = 4096;
  CHECK(memory_of(job, machine, degrees(1, 1, 1)).used == few);
}

TEST_CASE("an encoder caches nothing") {
  const Job job = job_for("google-bert/bert-base-uncased", "transformers", Task::inference);
  CHECK(memory_of(job, machine_of("nvidia-t4", 1), degrees(1, 1, 1)).parts.kv_cache.value == 0.0);
}
