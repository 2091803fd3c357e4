#include "core/compute/serving.hpp"

#include <algorithm>
#include <cmath>

#include "core/compute/serving_apart.hpp"
#include "core/compute/serving_explain.hpp"
#include "core/compute/serving_load.hpp"

namespace gpuplan {
namespace {

double coefficient(const Job& job, const char* field) {
  const std::string own = "engine." + (job.software ? job.software->id : std::string("other")) + "." + field;
  const Coefficient* found = job.calibration->find(own);
  return found ? found->value : job.calibration->value(std::string("engine.other.") + field);
}

/// Passes of a steady cycle in which every running sequence generates its output once.
struct Cycle {
  double seconds = 0.0;   ///< per cycle of one micro-batch (all of them overlap)
  double steps = 0.0;     ///< passes that a sequence decodes through
  double step = 0.0;      ///< one pass without prompts
  double mixed = 0.0;     ///< one pass with a chunk of a prompt
};

Cycle cycle_of(const PassPlace& place, const PreparedServing& prepared, const Load& load, double step, double prefill) {
  Cycle c;
  c.step = step;
  c.steps = load.output / load.gain;
  const double chunks = load.sequences * load.chunks * load.waits;
  if (load.fresh <= 0.0) { c.seconds = c.steps * step; return c; }
  const double decoding = chunks <= c.steps ? load.sequences : load.sequences * c.steps / chunks;  // prompts starve decoding
  if (load.sequences <= 1.0) { c.mixed = prefill / std::max(1.0, load.chunks); c.seconds = c.steps * step + prefill; return c; }
  Batch mixed = decode_batch(load, decoding);
  add_prompt(mixed, load, load.chunk);
  c.mixed = pass_time(place, mixed).total().value * load.bubble * (1.0 + prepared.draft_share * (load.rows - 1.0));
  c.seconds = std::max(0.0, c.steps - chunks) * step + chunks * c.mixed;
  return c;
}

void fill_parts(Time& t, const PassTime& pass, double bubble, double draft) {
  const double scale = 1.0 + draft;
  t.parts.compute = pass.kernels.compute * scale;
  t.parts.memory = (pass.kernels.memory + pass.host) * scale;
  t.parts.exposed_comm = pass.comm * scale;
  t.parts.overhead = pass.overhead * scale;
  t.parts.bubble = pass.total() * (scale * (bubble - 1.0));
  t.step = t.parts.total();
}

/// First-token time: the server's part, the request's own passes, the pass it waits for, other prompts before it (at random, and as many as
/// arrive together with it), and the queue for a free slot.
double first_token(const PreparedServing& prepared, const EngineTimes& engine, const Cycle& c, const Load& load, double waiting, double prefill) {
  if (load.sequences <= 1.0) return engine.request + prefill + waiting;
  const double own = load.chunks * c.mixed;
  const double busy = std::min(0.95, load.sequences * own / std::max(1e-12, c.seconds));
  const double before = busy / (2.0 * (1.0 - busy)) + prepared.burst * 0.5 * (load.sequences - 1.0);
  return engine.request + own * (1.0 + std::min(before, load.sequences - 1.0)) + 0.5 * c.step + waiting;
}

/// The dense peak that MFU is counted against: of 8-bit products where the weights are FP8, else of 16-bit ones.
FlopsPerSecond job_peak(const Job& job, const Gpu& gpu) {
  const bool fp8 = job.weights == WeightFormat::fp8 && gpu.has(Arithmetic::fp8);
  const FlopsPerSecond half = max(gpu.rate(Arithmetic::bf16), gpu.rate(Arithmetic::fp16));
  return fp8 ? gpu.rate(Arithmetic::fp8) : half.value > 0.0 ? half : max(gpu.rate(Arithmetic::fp32), FlopsPerSecond{gpu.memory_bandwidth.value});
}

/// `engines` generate, `prompts` compute prompts: the same ones, or engines apart.
void fill_rates(Time& t, const Job& job, const PreparedServing& prepared, const PassPlace& place, const Layout& layout, const Load& load, double engines, double prompts) {
  const double running = load.sequences * load.groups;
  t.running_batch = running;
  t.tokens_per_s = TokensPerSecond{t.requests_per_s * load.output};
  t.decode_tokens_per_s = TokensPerSecond{engines * running * load.gain / t.step.value};
  t.prefill_tokens_per_s = TokensPerSecond{t.prefill.value > 0.0 ? prompts * load.fresh / t.prefill.value : 0.0};
  t.forward_per_token = prepared.per_token;
  t.per_step = t.forward_per_token * (running * load.rows);
  t.achieved_per_gpu = FlopsPerSecond{prepared.per_request.value * t.requests_per_s / static_cast<double>(layout.gpus())};
  t.mfu = t.achieved_per_gpu / job_peak(job, *place.machine->gpu);
  t.hfu = t.mfu;
}

/// Twice as wide (as factors) where nothing of the kind was measured on this generation of GPUs [M-range].
void fill_range(Time& t, const PreparedServing& prepared, const PassPlace& place, const Load& load) {
  const bool single = load.sequences * load.groups <= 1.0;
  const bool prompt_bound = t.prefill > t.tpot * load.output;
  const auto family = single ? (prompt_bound ? ServingFamily::prefill : ServingFamily::single_decode) : prepared.moe ? ServingFamily::batch_moe : ServingFamily::batch;
  Interval r = prepared.ranges[static_cast<std::size_t>(family)];
  if (!place.model->site.known) r = {r.low * r.low, r.high * r.high};
  t.tokens_low = t.tokens_per_s * r.low;
  t.tokens_high = t.tokens_per_s * r.high;
  t.step_low = t.step / r.high;
  t.step_high = t.step / r.low;
}

}  // namespace

namespace {

/// Operations that do not depend on the layout; tokens found in the prefix cache cost none.
void count_flops(const Job& job, PreparedServing& out) {
  const double prompt = static_cast<double>(job.workload.input_tokens), generated = std::max(1.0, static_cast<double>(job.workload.output_tokens));
  out.per_token = forward_flops(out.pass.ops, prompt + 0.5 * generated, true);
  out.per_request = forward_flops(out.pass.ops, 0.5 * prompt, false) * (prompt * (1.0 - job.workload.prefix_hit_rate)) + out.per_token * generated;
}

}  // namespace

PreparedServing prepare_serving(const Job& job) {
  PreparedServing out;
  const Calibration& c = *job.calibration;
  const std::string id = job.software ? job.software->id : std::string();
  out.pass.ops = operators(*job.model, job.weights);
  count_flops(job, out);
  for (const LayerOperators& l : out.pass.ops.kinds) out.moe = out.moe || l.mlp.experts > 0;
  out.pass.surfaces = load_surfaces(c);
  out.pass.engine = load_engine(c, id, job.software_version);
  out.pass.comm = resolve_comm(c);
  out.pass.moe_imbalance = c.value("serving.moe_imbalance");
  out.pass.sampler_bytes = c.value("serving.sampler_bytes_per_logit");
  out.pass.host_bandwidth = c.value("serving.host_memory_bandwidth_GBps") * 1e9;
  out.pass.kv_bytes = bytes_per_element(job.kv_cache);
  out.pass.score_bytes = job.workload.flash_attention ? 0.0 : c.value("serving.score_bytes");
  out.pass.gguf = id == "llama.cpp";
  out.ranges = load_ranges(c, id);
  out.draft_share = job.workload.speculative_acceptance ? c.value("serving.draft_share") : 0.0;
  out.misaligned = c.value("serving.misaligned_prompts");
  out.burst = c.value("serving.burst");
  out.reserved_output = coefficient(job, "reserved_output");
  out.default_sequences = coefficient(job, "sequences");
  return out;
}

namespace {

/// One request's prompt alone on one engine.
Seconds prompt_time(const PassPlace& place, const Load& load) {
  if (load.fresh <= 0.0) return {};
  const double chunks = std::ceil(load.fresh / load.chunk);
  Batch prompt;
  prompt.head_rows = 0.0;
  add_prompt(prompt, load, std::min(load.chunk, load.fresh));
  const double devices = place.layer_split ? std::min({place.pp, place.engine.queued, chunks}) : 1.0;  // passes overlap on devices in a row
  const PassTime pass = pass_time(place, prompt);
  // Of cards that differ the slowest sets the pace of the passes in a row.
  if (pass.slowest > pass.total() / devices) return pass.total() + pass.slowest * (chunks - 1.0);
  return pass.total() * ((chunks + devices - 1.0) / devices);
}

/// Prompts and answers on the same engines: prompts go into passes that also decode.
void serve_together(Time& t, const Job& job, const PreparedServing& prepared, const PassPlace& place, const Load& load, double engines) {
  const Cycle c = cycle_of(place, prepared, load, t.step.value, t.prefill.value);
  const double running = load.sequences * load.groups;
  const double waiting = std::max(0.0, static_cast<double>(job.workload.concurrency) / engines / running - 1.0) * c.seconds;
  t.ttft = Seconds{first_token(prepared, place.engine, c, load, waiting, t.prefill.value)};
  const double others = load.sequences <= 1.0 ? 0.0 : (c.seconds - c.steps * c.step) * (load.sequences - 1.0) / load.sequences;
  t.tpot = Seconds{(c.steps * c.step + std::max(0.0, others)) / load.output};
  t.total = t.ttft + t.tpot * (load.output - 1.0);
  t.requests_per_s = engines * running / c.seconds;
}

}  // namespace

Time estimate_serving_time(const Job& job, const PreparedServing& prepared, const Machine& machine, const Layout& layout, const Memory& memory,
                           Explanation* why) {
  Time t;
  const PassPlace place = place_pass(prepared.pass, job, machine, layout);
  const double prompts = static_cast<double>(job.workload.prefill_engines.value_or(0)), engines = std::max(1.0, static_cast<double>(layout.dp) - prompts);
  const double running = running_sequences(job, prepared, place, engines, memory);
  Load load = load_of(job, prepared, place, layout, running);
  const double draft = prepared.draft_share * (load.rows - 1.0);
  t.prefill = prompt_time(place, load);
  if (prompts > 0.0) serve_apart(t, {prompts, engines}, job, prepared, place, layout, load);
  const PassTime decode = pass_time(place, decode_batch(load, load.sequences), &t);
  fill_parts(t, decode, load.bubble, draft);
  if (prompts <= 0.0) serve_together(t, job, prepared, place, load, engines);
  fill_rates(t, job, prepared, place, layout, load, engines, prompts > 0.0 ? prompts : engines);
  fill_range(t, prepared, place, load);
  if (why) explain_serving(*why, job, place, t, decode);
  return t;
}

}  // namespace gpuplan
