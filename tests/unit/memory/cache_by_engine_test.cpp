/// What a sequence keeps, by kind of layer, division and engine version [M-kv].
#include <catch2/catch.hpp>

#include "memory_fixture.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;

namespace {

/// Bytes of one sequence of `context` tokens on one card, cache and state together.
double sequence(const char* id, const char* software, const char* version, std::int64_t context) {
  Job job = job_for(id, software, Task::inference);
  job.software_version = version;
  job.workload.context = context, job.workload.concurrency = 1;
  job.workload.input_tokens = context - 1, job.workload.output_tokens = 1;
  const MemoryParts parts = memory_of(job, machine_of("nvidia-h200-sxm-141gb", 8), degrees(1, 1, 1)).parts;
  return parts.kv_cache.value + parts.state_cache.value;
}

BytesPerToken per_token(const char* id, const char* software, const char* version, int tp) {
  Job job = job_for(id, software, Task::inference);
  job.software_version = version;
  return memory_of(job, machine_of("nvidia-h200-sxm-141gb", 8, 2), degrees(tp, 1, 1)).kv.bytes_per_token;
}

}  // namespace

TEST_CASE("llama.cpp caches whole sequences in window layers until b5427, and only their window from then on") {
  const double before = sequence("google/gemma-3-27b-it", "llama.cpp", "b5000", 32768), after = sequence("google/gemma-3-27b-it", "llama.cpp", "b5500", 32768);
  const double token = 2.0 * 16 * 128 * 2;  // key and value, 16 heads of 128, fp16
  CHECK(before == 62.0 * token * 32768);
  CHECK(after < before / 4.0);
  CHECK(after >= 10.0 * token * 32768 + 52.0 * token * 1024);
}

TEST_CASE("llama.cpp expands latent attention to full heads until b5131, and caches the latent from then on") {
  CHECK(per_token("deepseek-ai/DeepSeek-V2-Lite", "llama.cpp", "b5000", 1).value == 27.0 * 16 * (192 + 128) * 2);
  CHECK(per_token("deepseek-ai/DeepSeek-V2-Lite", "llama.cpp", "b5500", 1).value == 27.0 * 576 * 2);
}

TEST_CASE("vLLM stops window layers at their window") {
  const double short_one = sequence("openai/gpt-oss-20b", "vllm", "0.11.0", 4096), long_one = sequence("openai/gpt-oss-20b", "vllm", "0.11.0", 131072);
  const double full_layers = 12.0 * 2 * 8 * 64 * 2;
  CHECK(long_one - short_one == Approx(full_layers * (131072 - 4096)));
}

TEST_CASE("key/value heads are divided by tp and copied beyond, a latent never is, a recurrent state always is") {
  CHECK(per_token("Qwen/Qwen2.5-7B", "vllm", "0.11.0", 4).value == per_token("Qwen/Qwen2.5-7B", "vllm", "0.11.0", 1).value / 4.0);
  CHECK(per_token("Qwen/Qwen2.5-7B", "vllm", "0.11.0", 7).value == per_token("Qwen/Qwen2.5-7B", "vllm", "0.11.0", 4).value);  // 4 heads: no finer
  CHECK(per_token("deepseek-ai/DeepSeek-V2-Lite", "vllm", "0.11.0", 8).value == per_token("deepseek-ai/DeepSeek-V2-Lite", "vllm", "0.11.0", 1).value);
  Job job = job_for("state-spaces/mamba-1.4b-hf", "vllm", Task::inference);
  const Machine machine = machine_of("nvidia-h200-sxm-141gb", 8);
  const double one = memory_of(job, machine, degrees(1, 1, 1)).kv.bytes_per_sequence.value, four = memory_of(job, machine, degrees(4, 1, 1)).kv.bytes_per_sequence.value;
  CHECK(one == 48.0 * (4096.0 * 16 * 4 + 3.0 * 4096 * 2));
  CHECK(four == one / 4.0);
}

TEST_CASE("a state does not grow with the sequence") {
  CHECK(sequence("state-spaces/mamba-1.4b-hf", "vllm", "0.11.0", 2048) == sequence("state-spaces/mamba-1.4b-hf", "vllm", "0.11.0", 131072));
}

TEST_CASE("llama.cpp with flash attention reads the mask in fp32 and fp16: long contexts enlarge its compute buffer") {
  Job job = job_for("meta-llama/Llama-3.2-3B", "llama.cpp", Task::inference);
  job.workload.context = 131072, job.workload.concurrency = 1, job.workload.flash_attention = true, job.workload.micro_batch_tokens = 512;
  const double buffer = memory_of(job, machine_of("nvidia-h200-sxm-141gb", 1), degrees(1, 1, 1)).parts.workspace.value;
  CHECK(buffer == (1.5 * 131072 + 4.0 * 3072) * 512 * 4);  // 408 MiB, as a log prints (N041)
}

TEST_CASE("vLLM keeps sines and cosines of every position beside the weights, none for learned positions") {
  const auto workspace = [](const char* id) {
    return memory_of(job_for(id, "vllm", Task::inference), machine_of("nvidia-h200-sxm-141gb", 1), degrees(1, 1, 1)).parts.workspace.value;
  };
  CHECK(workspace("meta-llama/Llama-3.1-8B") - workspace("facebook/opt-125m") == Approx(131072.0 * 128 * 2));
}

TEST_CASE("Turing cards of vLLM 0.8 take a whole prompt in one step, Ampere cards cut it") {
  Job job = job_for("Qwen/Qwen3-4B", "vllm", Task::inference);
  job.software_version = "0.8.5", job.workload.context = 10000, job.workload.max_sequences = 1;
  const double turing = memory_of(job, machine_of("nvidia-t4", 1), degrees(1, 1, 1)).parts.activations.value;
  const double ampere = memory_of(job, machine_of("nvidia-a10", 1), degrees(1, 1, 1)).parts.activations.value;
  CHECK(turing == Approx(ampere * 10000.0 / 2048.0));
}

TEST_CASE("cards without NVLink keep no buffers per peer") {
  Job job = job_for("Qwen/QwQ-32B", "sglang", Task::inference);
  CHECK(memory_of(job, machine_of("nvidia-l4", 4), degrees(4, 1, 1)).parts.communication < memory_of(job, machine_of("nvidia-h200-sxm-141gb", 4), degrees(4, 1, 1)).parts.communication);
}

TEST_CASE("an FP8 cache of sparse latent attention keeps its rotary part in 16 bits and scales beside the rest") {
  Job job = job_for("deepseek-ai/DeepSeek-V3.2", "sglang", Task::inference);
  job.kv_cache = KvFormat::fp8;
  const double each = memory_of(job, machine_of("nvidia-b200-sxm-180gb", 8, 1), degrees(8, 1, 1)).kv.bytes_per_token.value;
  CHECK(each == 61.0 * (656 + 132));
  CHECK(each == Approx(43.67 * 1073741824.0 / 975424.0).epsilon(0.001));  // logged by sglang on 8 x B200 (pull 11309)
}
