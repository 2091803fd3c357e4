#include "core/compute/serving_explain.hpp"

namespace gpuplan {
namespace {

void term(Explanation& why, const char* name, const char* formula, std::vector<Input> inputs, double value, const char* unit, const char* source) {
  why.terms.push_back({name, formula, std::move(inputs), value, unit, source});
}

}  // namespace

void explain_serving(Explanation& why, const Job& job, const PassPlace& place, const Time& t, const PassTime& decode) {
  const Workload& w = job.workload;
  const double rows = t.running_batch;
  const KernelSurface& s = place.rates.gemm[static_cast<std::size_t>(place.quantized)];
  term(why, "compute", "sum over kernels bound by arithmetic: 2 n k (m + ramp) ÷ (peak × share)",
       {{"m", rows, "rows"}, {"peak", place.rates.peak[static_cast<std::size_t>(place.quantized)].value, "FLOP/s"}, {"share", s.flops, ""}}, t.parts.compute.value, "s",
       "[M-time-operator]");
  term(why, "memory", "sum over kernels bound by memory: bytes ÷ (bandwidth × share)",
       {{"bandwidth", place.rates.bandwidth.value, "B/s"}, {"share", s.bandwidth, ""}, {"m", rows, "rows"}}, t.parts.memory.value, "s", "[M-time-operator]");
  term(why, "exposed_comm", "sum over messages", {{"tp", place.tp, ""}, {"pp", place.pp, ""}, {"ep", place.ep, ""}}, t.parts.exposed_comm.value, "s", "[M-comm-traffic]");
  term(why, "overhead", "step + sequences × sequence + layers × (layer + tp_layer + moe_layer)",
       {{"step", place.engine.step, "s"}, {"sequence", place.engine.sequence, "s"}, {"layers", place.model->ops.layers, ""}, {"layer", place.engine.layer, "s"},
        {"tp_layer", place.engine.tp_layer, "s"}, {"moe_layer", place.engine.moe_layer, "s"}},
       t.parts.overhead.value, "s", "[M-time-serving]");
  term(why, "step", "compute + memory + exposed_comm + bubble + overhead", {{"running_batch", rows, "sequences"}, {"pass", decode.total().value, "s"}}, t.step.value, "s",
       "[M-time-decode]");
  term(why, "prefill", "passes × time of one pass over a chunk of the prompt", {{"input_tokens", static_cast<double>(w.input_tokens), "tokens"}, {"prefix_hit_rate", w.prefix_hit_rate, ""}},
       t.prefill.value, "s", "[M-time-prefill]");
  term(why, "tokens_per_s", "engines × running × output ÷ cycle",
       {{"running_batch", rows, "sequences"}, {"output_tokens", static_cast<double>(w.output_tokens), "tokens"}, {"tpot", t.tpot.value, "s"}, {"ttft", t.ttft.value, "s"}},
       t.tokens_per_s.value, "tokens/s", "[M-time-serving]");
}

}  // namespace gpuplan
