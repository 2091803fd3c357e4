#include "core/compute/serving_load.hpp"

#include <algorithm>
#include <cmath>

namespace gpuplan {
namespace {

/// Tokens per step when each of `drafted` proposals is accepted with probability `a`: (1 − a^(γ+1)) / (1 − a) (Leviathan et al. 2023).
double tokens_per_step(double a, double drafted) {
  double sum = 1.0, power = 1.0;
  for (int i = 0; i < static_cast<int>(drafted); ++i) { power *= a; sum += power; }
  return sum;
}

}  // namespace

double running_sequences(const Job& job, const PreparedServing& prepared, const PassPlace& place, double engines, const Memory& memory) {
  const Workload& w = job.workload;
  const double asked = std::ceil(static_cast<double>(w.concurrency) / engines);
  const double allowed = w.max_sequences ? static_cast<double>(*w.max_sequences) : prepared.default_sequences;
  const double length = static_cast<double>(w.input_tokens) + prepared.reserved_output * static_cast<double>(w.output_tokens);
  // Cards that differ hold unequal parts: the engines that split so reserve the whole cache beforehand.
  const double each = place.by_device ? 0.0 : sequence_bytes(place, length).value;
  const double held = each > 0.0 && memory.kv.capacity.value > 0.0 ? memory.kv.capacity.value / each : asked;
  return std::max(1.0, std::min({asked, allowed, std::floor(held)}));
}

Load load_of(const Job& job, const PreparedServing& prepared, const PassPlace& place, const Layout& layout, double running) {
  const Workload& w = job.workload;
  Load load;
  load.past = static_cast<double>(w.input_tokens) * w.prefix_hit_rate;
  load.fresh = std::max(w.input_tokens > 0 ? 1.0 : 0.0, static_cast<double>(w.input_tokens) - load.past);
  load.output = std::max(1.0, static_cast<double>(w.output_tokens));
  if (!place.layer_split && layout.pp > 1) {
    load.groups = std::min<double>(layout.pp, running);
    const double layers = prepared.pass.ops.layers;
    if (load.groups >= layout.pp) load.bubble = std::ceil(layers / layout.pp) * layout.pp / layers;
  }
  load.sequences = running / load.groups;
  load.waits = 1.0 + prepared.misaligned * (place.attention_ranks - 1.0);
  load.limit = w.micro_batch_tokens  ? static_cast<double>(*w.micro_batch_tokens)
               : w.max_batched_tokens ? static_cast<double>(*w.max_batched_tokens)
                                      : place.engine.chunk;
  const double arriving = load.sequences * load.fresh / load.output;  // prompt tokens that come due per decode step
  load.chunk = std::max(1.0, std::min(load.limit, std::max(load.fresh, arriving)));
  load.chunks = load.fresh / load.chunk;
  if (load.chunks > 1.0) load.chunk = load.fresh / std::ceil(load.chunks), load.chunks = std::ceil(load.chunks);
  if (w.speculative_acceptance) {
    load.rows = 1.0 + std::floor(place.engine.drafted);
    load.gain = tokens_per_step(*w.speculative_acceptance, place.engine.drafted);
  }
  return load;
}

Batch decode_batch(const Load& load, double sequences) {
  Batch b;
  b.decoding = sequences;
  b.rows_per_sequence = load.rows;
  b.context = load.past + load.fresh + 0.5 * load.output;
  b.head_rows = sequences * load.rows;
  return b;
}

void add_prompt(Batch& b, const Load& load, double rows) {
  b.prompt_tokens = rows;
  b.prompts = std::max(1.0, rows / std::max(1.0, load.fresh));
  b.prompt_past = load.past + 0.5 * std::max(0.0, load.fresh - rows);
  b.head_rows += b.prompts;
}

}  // namespace gpuplan
