#include "core/compute/training_explain.hpp"

namespace gpuplan {
namespace {

void explain_run(const Job& job, const Time& t, Explanation& why) {
  const Workload& w = job.workload;
  why.terms.push_back({"checkpoint", "trained parameters × (weight + master + moments)", {}, t.checkpoint.value, "B", "[M-step-failures]"});
  if (t.checkpoint_write.value > 0.0) {
    why.terms.push_back({"checkpoint_write", "checkpoint ÷ storage bandwidth", {{"checkpoint", t.checkpoint.value, "B"}}, t.checkpoint_write.value, "s", "[M-step-failures]"});
  }
  if (!w.node_mtbf_hours) return;
  why.terms.push_back({"checkpoint_interval", "sqrt(2 × write × mean time between failures of the job) − write",
                       {{"write", t.checkpoint_write.value, "s"}, {"node_mtbf", *w.node_mtbf_hours * 3600.0, "s"}}, t.checkpoint_interval.value, "s", "[M-step-failures]"});
  why.terms.push_back({"goodput", "interval ÷ (interval + write) × (1 − ((interval + write) ÷ 2 + restart) ÷ mean)",
                       {{"restart", w.restart_minutes * 60.0, "s"}}, t.goodput, "", "[M-step-failures]"});
}

}  // namespace

void explain_training(const Job& job, const PreparedTraining& p, const Layout& l, const TrainingPlace& at, const StageWork& w, const StepShape& shape, const Time& t,
                      Explanation& why) {
  const double micro = shape.micro_batches;
  why.terms.push_back({"micro_batches", "ceil(global_batch ÷ (dp × micro_batch))",
                       {{"global_batch", static_cast<double>(job.workload.global_batch), "sequences"}, {"dp", static_cast<double>(l.dp), ""},
                        {"micro_batch", static_cast<double>(l.micro_batch), "sequences"}},
                       micro, "", "[M-step]"});
  why.terms.push_back({"forward", "sum of products, attention and element-wise passes of one micro-batch on one stage",
                       {{"tokens", at.tokens, "tokens"}, {"layers", w.layers, ""}, {"tp", at.tp, ""}}, w.times.forward.total().value, "s", "[M-step-layer]"});
  why.terms.push_back({"backward", "gradients of inputs and, where trained, of weights", {{"layers", w.layers, ""}}, w.times.backward.total().value, "s", "[M-step-layer]"});
  if (w.recompute.total().value > 0.0) {
    why.terms.push_back({"recompute", "forward work done again before backward", {}, w.recompute.total().value, "s", "[M-step-layer]"});
  }
  if (w.dequantize.total().value > 0.0) {
    why.terms.push_back({"dequantize", "(stored bytes + 16-bit bytes) ÷ stream rate, each pass", {{"stored_bytes", w.stored_bytes, "B"}},
                         w.dequantize.total().value, "s", "[M-step-layer]"});
  }
  why.terms.push_back({"bubble", "(pp − 1) ÷ virtual_stages × micro-batch time",
                       {{"pp", static_cast<double>(l.pp), ""}, {"virtual_stages", static_cast<double>(l.virtual_stages), ""}}, t.parts.bubble.value, "s", "[M-step]"});
  why.terms.push_back({"step", "compute + memory + exposed communication + bubble + overhead",
                       {{"compute", t.parts.compute.value, "s"}, {"memory", t.parts.memory.value, "s"}, {"exposed_comm", t.parts.exposed_comm.value, "s"},
                        {"bubble", t.parts.bubble.value, "s"}, {"overhead", t.parts.overhead.value, "s"}},
                       t.step.value, "s", "[M-step]"});
  why.terms.push_back({"mfu", "model flops ÷ (step × GPUs × dense peak); causal attention counted once, no recomputation",
                       {{"flops", t.per_step.value, "flop"}, {"gpus", static_cast<double>(l.gpus()), ""},
                        {"peak", at.rates.peak[static_cast<std::size_t>(at.products)].value, "flop/s"}},
                       t.mfu, "", p.adapters ? "[M-step-flops] (frozen weights need no weight gradients)" : "[M-step-flops]"});
  explain_run(job, t, why);
}

}  // namespace gpuplan
