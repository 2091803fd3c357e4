#include "core/memory/engine_pool.hpp"

#include <cmath>
#include <string>

#include "core/memory/compute_buffer.hpp"
#include "core/memory/kv_cache.hpp"

namespace gpuplan::memory {
namespace {

double d(std::int64_t n) { return static_cast<double>(n); }
double larger(double a, double b) { return a < b ? b : a; }
double smaller(double a, double b) { return a < b ? a : b; }

/// vLLM's larger defaults hold on cards of at least 70 GiB, of any vendor, that are not called A100.
bool large_card(const Machine& m) {
  return m.memory_usable.value >= 70.0 * 1073741824.0 && m.gpu && m.gpu->id.find("a100") == std::string::npos;
}

/// Turing and Volta stayed on the engine before while both were shipped.
bool chunks(const EngineRecipe& e, const Machine& m) {
  const int capability = m.gpu ? m.gpu->compute_capability_major : 0;
  return e.chunked && (capability == 0 || capability >= e.chunks_from);
}

double cache_element(const Job& job) { return bytes_per_element(job.kv_cache); }

/// Tokens that a sliding window holds beside itself: the batch that is being written.
double window_extra(const PreparedMemory& p, const EngineSettings& s) { return p.engine->pool == Pool::upfront ? s.step_tokens : 0.0; }

/// Tokens of one request when it is as long as the workload says.
double request_tokens(const Workload& w) { return smaller(d(w.context), d(w.input_tokens + w.output_tokens)); }

}  // namespace

EngineSettings engine_settings(const Job& job, const PreparedMemory& p, const Machine& machine, const Layout& layout) {
  const EngineRecipe& e = *p.engine;
  const Workload& w = job.workload;
  const bool large = large_card(machine);
  EngineSettings s;
  s.share = w.memory_utilization ? *w.memory_utilization : e.share;
  s.sequences = w.max_sequences ? d(*w.max_sequences) : d(large ? e.large_sequences : e.sequences);
  const double context = d(w.context);
  double batched = w.max_batched_tokens ? d(*w.max_batched_tokens) : d(large ? e.large_batched_tokens : e.batched_tokens);
  if (e.pool == Pool::upfront && w.micro_batch_tokens) batched = d(*w.micro_batch_tokens);
  const bool chunked = chunks(e, machine), cut = chunked || (e.long_context > 0 && w.context > e.long_context);
  if (!chunked && cut && !w.max_batched_tokens) batched = d(e.long_step);
  if (!cut && e.pool == Pool::total_share && !w.max_batched_tokens) batched = larger(batched, context);
  if (e.pool == Pool::growing) batched = (p.item_tokens > 0.0 ? p.item_tokens : d(w.input_tokens)) * std::ceil(d(w.concurrency) / layout.dp);
  s.step_tokens = e.pool == Pool::upfront ? smaller(batched, context) : batched;
  s.replica_sequences = std::ceil(d(w.concurrency) / layout.dp);
  if (e.pool == Pool::growing) s.sequences = s.replica_sequences;
  return s;
}

StepMemory step_memory(const Job& job, const PreparedMemory& p, const Sums& stage, const Ranks& ranks, const Layout& layout, const EngineSettings& s) {
  StepMemory out;
  const EngineRecipe& e = *p.engine;
  out.workspace = p.coefficient.floor_bytes + p.rotation_bytes;
  if (e.pool == Pool::upfront) {
    out.workspace += compute_buffer_bytes(job, p, layout, s.step_tokens);
    return out;
  }
  // With tensor parallelism the sums over ranks come out of place: two more copies of the residual stream.
  const double summed = layout.tp > 1 ? 2.0 * p.hidden * p.element : 0.0;
  const double width = (share(p.largest, width_at, ranks) + summed) * p.coefficient.prefill_factor;
  const double prefill = s.step_tokens * width;
  const double logit_rows = e.full_logits ? s.step_tokens : s.sequences;
  const double logits = logit_rows * p.vocab * p.coefficient.logit_bytes;
  (prefill < logits ? out.logits : out.activations) = larger(prefill, logits);
  // Engines try out the worst case at start: every sequence with an image, whose tower keeps the states of several of its layers.
  out.activations += s.sequences * p.image_bytes;
  // A forward pass of a classic model keeps only what its widest layers read and write.
  out.activations += s.replica_sequences * p.activation_elements_per_item * p.element * p.coefficient.classic_share;
  out.workspace += s.sequences * d(job.workload.context) * d(e.request_row);
  if (!job.workload.eager) out.graphs = p.coefficient.graph_bytes * stage[layers_at];
  return out;
}

double pool_bytes(const PreparedMemory& p, const Machine& machine, const EngineSettings& s, double weights, const StepMemory& step, double context,
                  double communication, double needed) {
  const EngineRecipe& e = *p.engine;
  const double usable = machine.memory_usable.value;
  const double peak = step.activations + step.logits + step.workspace;
  const double graphs = e.graphs_in_budget ? step.graphs : 0.0, outside = e.context_in_budget ? context : 0.0;
  switch (e.pool) {
    case Pool::total_share: return usable * s.share - weights - peak - communication - graphs - outside;
    case Pool::static_share: return (usable - context - communication) * s.share - weights - p.rotation_bytes;
    case Pool::free_share: return (usable - weights - peak - communication - context) * s.share;
    case Pool::upfront: return needed;
    case Pool::growing: return usable - weights - peak - communication - context;
  }
  return 0.0;
}

KvCapacity pool_capacity(const Job& job, const PreparedMemory& p, const Sums& stage, const Layout& layout, const EngineSettings& s, double pool) {
  const EngineRecipe& e = *p.engine;
  const double bytes = cache_element(job), context = d(job.workload.context), block = d(e.block);
  const CacheRates rates = cache_rates(p, stage, layout, bytes, e.sliding_saves);
  KvCapacity out;
  out.block_size = e.block;
  out.bytes_per_token = BytesPerToken{rates.windows ? rates.per_token : rates.per_token_all};
  out.bytes_per_sequence = Bytes{rates.state};
  out.capacity = Bytes{larger(pool, 0.0)};
  const double one = sequence_bytes(p, stage, layout, bytes, context, block, window_extra(p, s), e.sliding_saves);
  if (one <= 0.0) return out;
  if (rates.windows || rates.state > 0.0 || rates.per_token_all <= 0.0) {
    out.max_concurrency = out.capacity.value / one;
    out.tokens = Tokens{std::floor(out.max_concurrency * context)};
    return out;
  }
  out.blocks = static_cast<std::int64_t>(std::floor(out.capacity.value / (rates.per_token_all * block)));
  out.tokens = Tokens{d(out.blocks) * block};
  out.max_concurrency = out.tokens.value / larger(context, 1.0);
  return out;
}

double needed_cache(const Job& job, const PreparedMemory& p, const Sums& stage, const Layout& layout, const EngineSettings& s) {
  const EngineRecipe& e = *p.engine;
  const double bytes = cache_element(job), block = d(e.block), extra = window_extra(p, s);
  const double longest = sequence_bytes(p, stage, layout, bytes, d(job.workload.context), block, extra, e.sliding_saves);
  if (e.pool == Pool::upfront) return longest * s.replica_sequences;
  const double usual = sequence_bytes(p, stage, layout, bytes, request_tokens(job.workload), block, extra, e.sliding_saves);
  const double together = smaller(s.replica_sequences, s.sequences);
  return larger(longest, usual * together);
}

}  // namespace gpuplan::memory
