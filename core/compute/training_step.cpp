#include "core/compute/training_step.hpp"

#include <algorithm>
#include <cmath>

#include "core/compute/training_comm.hpp"
#include "core/compute/training_explain.hpp"
#include "core/compute/training_failures.hpp"
#include "core/compute/training_rollout.hpp"

namespace gpuplan {
namespace {

constexpr double half_bytes = 2.0;

/// Recomputation before backward: everything, or the attention core and what the framework repeats beside it.
void add_recompute(StageWork& w, const PreparedTraining& p, Recompute recompute) {
  if (recompute == Recompute::full) {
    w.recompute = w.times.forward;
    w.dequantize = w.dequantize * 1.5;  // three passes instead of two, spread over forward and backward
  } else if (recompute == Recompute::selective) {
    const double share = p.behaviour->selective_forward;
    w.recompute = w.times.attention * (p.flash ? share : 1.0) + (w.times.forward * share);
  }
}

/// One pipeline stage: so many layers, and the head or not.
StageWork stage_work(const PreparedTraining& p, const TrainingPlace& at, const StageWork& layer, double layers, const PassTimes* head) {
  StageWork w = layer * layers;
  if (head) {
    w.times += *head;
    w.dense_elements += p.outside_elements / at.tp;
  }
  return w;
}

/// Seconds of one micro-batch on one stage, forward and backward, with what the host adds where it is slower than the GPU.
struct MicroTime {
  double compute = 0.0, memory = 0.0, overhead = 0.0, comm = 0.0;
  double total() const { return compute + memory + overhead + comm; }
};
MicroTime micro_time(const TrainingPlace& at, const StageWork& w, const CommTime& comm) {
  const KernelTime forward = w.times.forward + w.dequantize, backward = w.times.backward + w.recompute + w.dequantize;
  const double host = w.times.launches * at.coefficients->launch + w.times.host, again = w.recompute.total().value > 0.0 ? 2.0 : 1.0;
  MicroTime t;
  t.compute = forward.compute.value + backward.compute.value;
  t.memory = forward.memory.value + backward.memory.value;
  t.comm = comm.forward + comm.backward;
  t.overhead = std::max(0.0, host - forward.total().value) + std::max(0.0, host * again - backward.total().value);
  return t;
}

/// Ranks that ZeRO divides equal copies over.
double shards(const Layout& l) {
  const std::int64_t all = std::int64_t{l.dp} * l.cp;
  return static_cast<double>(l.shard_group > 0 ? std::min<std::int64_t>(all, l.shard_group) : all);
}

/// Seconds of the optimizer's update, on the GPU or by the node's processors with the trip over the host link.
struct UpdateTime {
  double memory = 0.0, overhead = 0.0;
};
UpdateTime update_time(const PreparedTraining& p, const TrainingPlace& at, const Machine& machine, const Layout& l, const StageWork& w) {
  const double replicas = l.zero >= 1 ? shards(l) : 1.0;
  const double elements = (p.adapters ? w.adapter_elements : w.dense_elements + w.expert_elements) / replicas;
  if (l.offload == Offload::none) return {elements * p.update_bytes / (machine.gpu->memory_bandwidth.value * at.coefficients->optimizer), 0.0};
  const double per_node = elements * static_cast<double>(std::min(machine.gpus_per_node.n, l.gpus()));
  const double link = elements * (p.gradient_bytes + half_bytes) / std::max(1.0, machine.pcie_each_way.value * at.coefficients->pcie);
  return {0.0, per_node / at.coefficients->cpu_adam + link};
}

/// Parameters that live in host memory cross the host link once per pass; what compute does not hide, after the messages that it hides already, stays.
double fetch_time(const TrainingPlace& at, const Machine& machine, const Layout& l, const StageWork& w, const CommTime& comm) {
  if (l.offload != Offload::parameters) return 0.0;
  const double replicas = l.zero >= 3 ? shards(l) : 1.0;
  const double bytes = (w.dense_elements + w.expert_elements) / replicas * w.stored_bytes;
  const double each = bytes / std::max(1.0, machine.pcie_each_way.value * at.coefficients->pcie);
  const double forward = std::max(0.0, w.times.forward.total().value - comm.behind_forward);
  const double backward = std::max(0.0, w.times.backward.total().value + w.recompute.total().value - comm.behind_backward);
  return exposed_time(each, forward, at.coefficients->contention) + exposed_time(each, backward, at.coefficients->contention);
}

/// Model flops of one sequence: forward, and backward for what trains; the frozen base needs no weight gradients.
struct SequenceFlops {
  double model = 0.0, hardware = 0.0;
};
SequenceFlops sequence_flops(const PreparedTraining& p, Recompute recompute) {
  const double products = p.forward_products.value, attention = p.forward_attention.value;
  SequenceFlops f;
  f.model = products * (p.adapters ? 2.0 : 3.0) + attention * 3.0;
  f.hardware = f.model;
  if (recompute == Recompute::full) f.hardware += products + attention;
  if (recompute == Recompute::selective) f.hardware += p.behaviour->selective_forward * products + (p.flash ? 0.0 : attention);
  return f;
}

void set_throughput(Time& t, const Job& job, const PreparedTraining& p, const Layout& l, const TrainingPlace& at) {
  const double sequences = static_cast<double>(job.workload.global_batch) * p.sequences_per_sample, tokens = sequences * p.sequence * p.useful;
  const double gpus = static_cast<double>(l.gpus()), step = t.step.value;
  const SequenceFlops f = sequence_flops(p, l.recompute);
  t.tokens_per_s = TokensPerSecond{tokens / step};
  t.total = Seconds{step * std::ceil(std::max(1.0, job.workload.tokens * job.workload.epochs / tokens))};
  t.forward_per_token = Flops{(p.forward_products + p.forward_attention).value / std::max(1.0, p.sequence)};
  t.per_step = Flops{f.model * sequences};
  t.achieved_per_gpu = FlopsPerSecond{f.model * sequences / (step * gpus)};
  const double peak = at.rates.peak[static_cast<std::size_t>(at.products)].value;
  t.mfu = t.achieved_per_gpu.value / peak;
  t.hfu = f.hardware * sequences / (step * gpus) / peak;
  t.step_low = t.step * (p.routed ? at.coefficients->expert_range_low : at.coefficients->range_low);
  t.step_high = t.step * (p.routed ? at.coefficients->expert_range_high : at.coefficients->range_high);
  t.tokens_low = TokensPerSecond{tokens / t.step_high.value};
  t.tokens_high = TokensPerSecond{tokens / t.step_low.value};
}

constexpr double storage_per_node = 1e9;  // B/s of a shared file system, where nobody says
constexpr double least_goodput = 1e-3;    // a job that fails faster than it saves does not end; its length stays a number

/// Checkpoints and failures make the run longer [M-step-failures].
void set_run(Time& t, const Workload& w, const PreparedTraining& p, const Machine& machine, const Layout& l) {
  t.checkpoint = p.checkpoint;
  if (!w.checkpoint_GBps && !w.node_mtbf_hours) return;
  const std::int64_t per_node = std::max<std::int64_t>(1, machine.gpus_per_node.n), nodes = (l.gpus() + per_node - 1) / per_node;
  const BytesPerSecond storage{w.checkpoint_GBps ? *w.checkpoint_GBps * 1e9 : storage_per_node * static_cast<double>(nodes)};
  const Reliability reliability{Seconds{w.node_mtbf_hours.value_or(0.0) * 3600.0}, Seconds{w.restart_minutes * 60.0}};
  const CheckpointPlan plan = plan_checkpoints(t.checkpoint, storage, Nodes{nodes}, reliability);
  t.checkpoint_write = plan.write;
  t.checkpoint_interval = plan.interval;
  t.goodput = plan.goodput;
  t.total = Seconds{t.total.value / std::max(least_goodput, plan.goodput)};
}

}  // namespace

double training_micro_batches(const Job& job, const Layout& l) {
  const double per_step = static_cast<double>(std::int64_t{l.dp} * std::max(1, l.micro_batch));
  return std::max(1.0, std::ceil(static_cast<double>(job.workload.global_batch) / per_step));
}

Time estimate_training_time(const Job& job, const PreparedTraining& p, const Machine& machine, const Layout& l, const Memory&, Explanation* why) {
  Time t;
  const RankWork& rank = p.site.of(p, machine, l);
  const TrainingPlace& at = rank.at;
  const double stages = l.split == ModelSplit::layer ? 1.0 : std::max(1, l.pp), chunks = std::max(1, l.virtual_stages);
  const double layers = std::ceil(p.layers / stages);
  const double last_layers = std::max(0.0, p.layers - layers * (stages - 1.0));
  StageWork layer = rank.layer;
  if (gathers_layers(l)) layer.times.host = layer.times.gathering_host;
  add_recompute(layer, p, l.recompute);
  const StageWork middle = stage_work(p, at, layer, layers, stages > 1.0 ? nullptr : &rank.head);
  const StageWork last = stages > 1.0 ? stage_work(p, at, layer, last_layers, &rank.head) : middle;
  const auto whole = [](const StageWork& w) { return w.times.forward.total().value + w.times.backward.total().value; };
  const bool head_bound = whole(last) > whole(middle);
  const StageWork& slow = head_bound ? last : middle;
  const StepShape shape{&l, training_micro_batches(job, l), l.recompute == Recompute::full};
  const CommTime comm = training_messages(p, at, p.site.fabric(), slow, shape, t);
  const MicroTime micro = micro_time(at, slow, comm);
  const UpdateTime update = update_time(p, at, machine, l, slow);
  const double fetch = fetch_time(at, machine, l, slow, comm) * shape.micro_batches;
  const double reference = p.reference_passes * slow.times.forward.total().value * shape.micro_batches;
  KernelTime rollout;
  if (p.rollout) {
    const double samples = std::max(1.0, static_cast<double>(job.workload.global_batch) / l.dp), most = p.sequence;
    rollout = rollout_time(p, at, samples, std::min(most, static_cast<double>(job.workload.output_tokens)));
  }
  t.parts.compute = Seconds{micro.compute * shape.micro_batches + reference + rollout.compute.value};
  t.parts.memory = Seconds{micro.memory * shape.micro_batches + update.memory + rollout.memory.value};
  t.parts.exposed_comm = Seconds{micro.comm * shape.micro_batches + comm.step};
  const double filled = micro.total() - std::max(0.0, whole(slow) - whole(middle));  // the pipeline fills through the other stages
  const double moved = l.zero_bubble ? 2.0 * middle.times.weights.total().value : 0.0;  // weight gradients wait for the bubble
  t.parts.bubble = Seconds{(stages - 1.0) / chunks * std::max(0.0, filled - moved)};
  t.parts.overhead = Seconds{micro.overhead * shape.micro_batches + update.overhead + fetch + at.coefficients->step};
  t.step = t.parts.total();
  set_throughput(t, job, p, l, at);
  set_run(t, job.workload, p, machine, l);
  if (why) explain_training(job, p, l, at, slow, shape, t, *why);
  return t;
}

}  // namespace gpuplan
