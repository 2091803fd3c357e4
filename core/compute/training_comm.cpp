#include "core/compute/training_comm.hpp"

#include <algorithm>
#include <cmath>

namespace gpuplan {
namespace {

constexpr double half_bytes = 2.0;

/// Everything that the parallelisms' functions share.
struct Context {
  const PreparedTraining& p;
  const TrainingPlace& at;
  const Fabric& fabric;
  const StageWork& work;
  const StepShape& shape;
  Time* time;  ///< where messages are listed; null: nowhere
  CommTime out{};

  const Layout& layout() const { return *shape.layout; }
  double forward_compute() const { return work.times.forward.total().value + work.dequantize.total().value; }
  double backward_compute() const { return work.times.backward.total().value + work.recompute.total().value + work.dequantize.total().value; }

  /// One collective's time; adds a message of `count` of them per step with the share that stays exposed.
  double once(CollectiveKind kind, const GroupPlacement& place, double bytes) const { return collective_time(fabric, kind, place, Bytes{bytes}).value; }
  void list(CollectiveKind kind, ParallelGroup group, const GroupPlacement& place, double count, double bytes, double each, double exposed) {
    if (count <= 0.0 || bytes <= 0.0 || !time) return;
    time->messages.add({kind, group, link_kind(fabric, place), place.ranks, count, Bytes{bytes}, Seconds{each * count}, Seconds{exposed}});
  }
};

/// Two sums per layer and pass; sequence parallelism splits each into a gather and a scatter, and gathers once more in backward
/// (Korthikanti et al. 2022, arXiv:2205.05198).
void tensor_messages(Context& c) {
  if (c.at.tp <= 1.0 || c.work.reductions <= 0.0) return;
  const GroupPlacement place = place_group(c.fabric, c.layout().tp, 1);
  const double bytes = c.at.tokens * c.p.hidden * half_bytes, share = c.at.coefficients->tensor_exposed;
  const double passes = c.shape.recompute_forward ? 3.0 : 2.0, sums = c.work.reductions, micro = c.shape.micro_batches;
  double each = 0.0, forward = 0.0, backward = 0.0;
  if (c.at.sequence_parallel) {
    const double gather = c.once(CollectiveKind::all_gather, place, bytes), scatter = c.once(CollectiveKind::reduce_scatter, place, bytes);
    c.list(CollectiveKind::all_gather, ParallelGroup::tp, place, sums * (passes + 1.0) * micro, bytes, gather, gather * sums * (passes + 1.0) * micro * share);
    c.list(CollectiveKind::reduce_scatter, ParallelGroup::tp, place, sums * passes * micro, bytes, scatter, scatter * sums * passes * micro * share);
    each = gather + scatter;
    forward = each * sums, backward = each * sums * (passes - 1.0) + gather * sums;
  } else {
    each = c.once(CollectiveKind::all_reduce, place, bytes);
    c.list(CollectiveKind::all_reduce, ParallelGroup::tp, place, sums * passes * micro, bytes, each, each * sums * passes * micro * share);
    forward = each * sums, backward = each * sums * (passes - 1.0);
  }
  c.out.forward += forward * share;
  c.out.backward += backward * share;
}

/// Keys and values travel round the ring behind the attention of the block before, or heads are exchanged before and after it.
void context_messages(Context& c) {
  if (c.at.cp <= 1.0 || c.work.attention_layers <= 0.0) return;
  const GroupPlacement place = place_group(c.fabric, c.layout().cp, c.layout().tp);
  const double micro = c.shape.micro_batches, passes = c.shape.recompute_forward ? 2.0 : 1.0;
  if (c.p.behaviour->heads_for_context) {
    const double bytes = (2.0 * c.at.tokens * c.p.hidden / c.at.tp * half_bytes * c.work.attention_layers + c.work.kv_bytes) / c.work.attention_layers;
    const double each = c.once(CollectiveKind::all_to_all, place, bytes), per_pass = each * c.work.attention_layers;
    c.list(CollectiveKind::all_to_all, ParallelGroup::cp, place, c.work.attention_layers * (passes + 1.0) * micro, bytes, each, per_pass * (passes + 1.0) * micro);
    c.out.forward += per_pass;
    c.out.backward += per_pass * passes;
    return;
  }
  const double bytes = c.work.kv_bytes / c.work.attention_layers, hops = c.at.cp - 1.0;
  GroupPlacement step = place;
  if (place.ranks <= place.per_node) step.ranks = 2, step.per_node = 2;
  const double each = c.once(CollectiveKind::send_recv, step, bytes), per_pass = each * hops * c.work.attention_layers;
  const double attention = c.work.times.attention.total().value, k = c.at.coefficients->contention;
  const double forward = exposed_time(per_pass, attention, k);
  const double backward = exposed_time(2.0 * per_pass, attention * c.at.coefficients->attention_backward, k) + (passes - 1.0) * forward;
  c.list(CollectiveKind::send_recv, ParallelGroup::cp, place, hops * c.work.attention_layers * (passes + 2.0) * micro, bytes, each, (forward + backward) * micro);
  c.out.forward += forward;
  c.out.backward += backward;
}

/// Dispatch and combine of routed tokens, forward and backward. A token goes once to each rank, and once to each domain, that holds any of
/// its experts [M-step-experts].
void expert_messages(Context& c) {
  if (c.at.ep <= 1.0 || c.work.expert_layers <= 0.0) return;
  const std::int64_t stride = c.at.expert_tp > 1.0 ? c.layout().tp : 1;
  const GroupPlacement place = place_group(c.fabric, c.layout().ep, stride);
  const double passes = c.shape.recompute_forward ? 3.0 : 2.0, micro = c.shape.micro_batches;
  const double token = c.at.tokens * c.p.hidden * half_bytes, domains = place.nodes();
  const double bytes = token * distinct_experts(c.at.ep, 1.0, c.work.experts_per_token);
  const double away = domains > 1.0 ? token * distinct_experts(domains, 1.0, c.work.experts_per_token) : 0.0;
  const double each = exchange_time(c.fabric, place, Bytes{bytes}, Bytes{away}).value, layers = c.work.expert_layers, share = c.at.coefficients->expert_exposed;
  c.list(CollectiveKind::all_to_all, ParallelGroup::ep, place, 2.0 * layers * passes * micro, bytes, each, 2.0 * layers * passes * micro * each * share);
  c.out.forward += 2.0 * layers * each * share;
  c.out.backward += 2.0 * layers * (passes - 1.0) * each * share;
}

/// What one stage hands to the next at once.
struct Handover {
  GroupPlacement place;
  double bytes, each, chunks, share;
  double exposed() const { return chunks * each * share; }
};
Handover handover(const PreparedTraining& p, const TrainingPlace& at, const Fabric& fabric, const Layout& l) {
  const std::int64_t stride = std::int64_t{l.tp} * l.cp * l.dp;
  Handover h{place_group(fabric, 2, stride), 0.0, 0.0, static_cast<double>(std::max(1, l.virtual_stages)), 0.0};
  h.bytes = at.tokens * p.hidden * half_bytes / (at.sequence_parallel ? at.tp : 1.0);
  h.each = collective_time(fabric, CollectiveKind::send_recv, h.place, Bytes{h.bytes}).value;
  h.share = l.virtual_stages > 1 ? at.coefficients->contention : 1.0;
  return h;
}

/// Activations forward, their gradients back. Interleaved schedules send more often and hide what they send.
void pipeline_messages(Context& c) {
  const Layout& l = c.layout();
  if (l.pp <= 1) return;
  const Handover h = handover(c.p, c.at, c.fabric, l);
  const double count = 2.0 * h.chunks * c.shape.micro_batches;
  c.list(CollectiveKind::send_recv, ParallelGroup::pp, h.place, count, h.bytes, h.each, count * h.each * h.share);
  c.out.forward += h.exposed();
  c.out.backward += h.exposed();
}

constexpr double bucket_bytes = 1e8;  // frameworks flatten what they reduce into buckets of 25 to 200 MB

/// One reduction or gather of the parameters of a group: layer by layer where layers are gathered, else in buckets.
struct Bulk {
  CollectiveKind kind;
  GroupPlacement place;
  double bytes = 0.0, messages = 1.0, each = 0.0;
  double total() const { return each * messages; }
};
Bulk bulk(const Context& c, CollectiveKind kind, const GroupPlacement& place, double bytes) {
  const double layers = std::max(1.0, c.work.layers), buckets = std::ceil(bytes / bucket_bytes);
  Bulk b{kind, place, 0.0, c.layout().zero >= 3 ? layers : std::max(1.0, std::min(layers, buckets)), 0.0};
  b.bytes = bytes / b.messages;
  b.each = c.once(kind, place, b.bytes);
  return b;
}

/// Gradients, and parameters that ZeRO or FSDP shards: what is sent, how often, behind what [M-step-data].
void data_messages(Context& c, const GroupPlacement& place, double elements, double trained, double share_of_compute) {
  if (place.ranks <= 1 || elements <= 0.0) return;
  const Layout& l = c.layout();
  const TrainingBehaviour& b = *c.p.behaviour;
  const double micro = c.shape.micro_batches, k = c.at.coefficients->contention;
  const double forward = c.forward_compute() * share_of_compute, backward = c.backward_compute() * share_of_compute;
  const bool sharded = l.zero >= 1, each_micro = l.zero >= 2 && b.reduce_each_micro && l.pp <= 1;  // a pipeline keeps its parameters gathered
  const Bulk reduce = bulk(c, sharded ? CollectiveKind::reduce_scatter : CollectiveKind::all_reduce, place, trained * c.p.gradient_bytes);
  double gather_backward = 0.0;
  if (l.zero >= 3) {
    const Bulk gather = bulk(c, CollectiveKind::all_gather, place, elements * c.work.stored_bytes);
    const double exposed = b.overlap_gather ? exposed_time(gather.total(), forward, k) : gather.total();
    gather_backward = gather.total();
    c.out.behind_forward += l.pp <= 1 ? gather.total() : 0.0;
    if (l.pp > 1) {
      c.list(gather.kind, ParallelGroup::dp, place, gather.messages, gather.bytes, gather.each, exposed);
      c.out.step += exposed;
      gather_backward = 0.0;
    }
    const double behind = exposed_time(gather_backward + (each_micro ? reduce.total() : 0.0), backward, k);
    if (l.pp <= 1) {
      c.list(gather.kind, ParallelGroup::dp, place, 2.0 * gather.messages * micro, gather.bytes, gather.each, (exposed + std::min(behind, gather_backward)) * micro);
      c.out.forward += exposed;
    }
  }
  c.out.behind_backward += gather_backward + (each_micro ? reduce.total() : 0.0);
  if (each_micro) {
    const double both = gather_backward + reduce.total();
    const double exposed = b.overlap_gradients ? exposed_time(both, backward, k) : both;
    c.list(reduce.kind, ParallelGroup::dp, place, reduce.messages * micro, reduce.bytes, reduce.each, std::max(0.0, exposed - gather_backward) * micro);
    c.out.backward += exposed;
  } else {
    c.out.backward += gather_backward > 0.0 ? exposed_time(gather_backward, backward, k) : 0.0;
    const bool overlaps = b.overlap_gradients && (l.pp <= 1 || b.overlap_in_pipeline);
    const double exposed = overlaps ? exposed_time(reduce.total(), backward, k) : reduce.total();
    c.list(reduce.kind, ParallelGroup::dp, place, reduce.messages, reduce.bytes, reduce.each, exposed);
    c.out.step += exposed;
  }
  if (l.zero == 1 || l.zero == 2) {  // updated parameters come back once per step
    const Bulk gather = bulk(c, CollectiveKind::all_gather, place, trained * half_bytes);
    const double exposed = b.overlap_gather ? exposed_time(gather.total(), forward, k) : gather.total();
    c.list(gather.kind, ParallelGroup::dp, place, gather.messages, gather.bytes, gather.each, exposed);
    c.out.step += exposed;
  }
}

/// Hybrid sharding: the groups that hold the same shards add their gradients up, in the room that the other messages leave behind the backward pass.
void copy_messages(Context& c, const GroupPlacement& place, double trained, double share_of_compute) {
  if (place.ranks <= 1 || trained <= 0.0) return;
  const Layout& l = c.layout();
  const TrainingBehaviour& b = *c.p.behaviour;
  const Bulk reduce = bulk(c, CollectiveKind::all_reduce, place, trained * c.p.gradient_bytes);
  const double room = std::max(0.0, c.backward_compute() * share_of_compute - c.out.behind_backward);
  const double exposed = b.overlap_gradients ? exposed_time(reduce.total(), room, c.at.coefficients->contention) : reduce.total();
  const bool each_micro = l.zero >= 2 && b.reduce_each_micro && l.pp <= 1;
  const double times = each_micro ? c.shape.micro_batches : 1.0;
  c.list(reduce.kind, ParallelGroup::dp, place, reduce.messages * times, reduce.bytes, reduce.each, exposed * times);
  (each_micro ? c.out.backward : c.out.step) += exposed;
}

/// All messages of one group of parameters over `replicas` ranks, `stride` apart.
void parameter_messages(Context& c, std::int64_t replicas, std::int64_t stride, double elements, double trained, double share_of_compute) {
  const std::int64_t limit = c.layout().shard_group, group = limit > 0 ? std::min(replicas, limit) : replicas;
  data_messages(c, place_group(c.fabric, group, stride), elements, trained, share_of_compute);
  if (group < replicas) copy_messages(c, place_group(c.fabric, replicas / group, stride * group), trained / static_cast<double>(group), share_of_compute);
}

}  // namespace

StageWork operator*(StageWork w, double n) {
  w.times = w.times * n, w.recompute = w.recompute * n, w.dequantize = w.dequantize * n;
  w.layers *= n, w.reductions *= n, w.expert_layers *= n, w.kv_bytes *= n, w.attention_layers *= n;
  w.dense_elements *= n, w.expert_elements *= n, w.adapter_elements *= n;
  return w;
}

double exposed_time(double message, double compute, double contention) {
  return std::max(0.0, message - compute) + contention * std::min(message, compute);
}

double layer_messages(const PreparedTraining& p, const TrainingPlace& at, const Fabric& fabric, const StageWork& work, const Layout& layout) {
  const StepShape shape{&layout, 1.0, false};
  Context c{p, at, fabric, work, shape, nullptr};
  tensor_messages(c);
  context_messages(c);
  expert_messages(c);
  return c.out.forward + c.out.backward;
}

double stage_handover(const PreparedTraining& p, const TrainingPlace& at, const Fabric& fabric, const Layout& layout) {
  return layout.pp > 1 ? handover(p, at, fabric, layout).exposed() : 0.0;
}

CommTime training_messages(const PreparedTraining& p, const TrainingPlace& at, const Fabric& fabric, const StageWork& work, const StepShape& shape, Time& time) {
  Context c{p, at, fabric, work, shape, &time};
  const Layout& l = *shape.layout;
  tensor_messages(c);
  context_messages(c);
  expert_messages(c);
  pipeline_messages(c);
  const std::int64_t replicas = std::int64_t{l.dp} * l.cp;  // context ranks hold the same parameters
  const bool split = l.split == ModelSplit::tensor;
  const double dense_trained = p.adapters ? work.adapter_elements : work.dense_elements;
  const double all = std::max(1.0, work.dense_elements + work.expert_elements);
  parameter_messages(c, replicas, split ? l.tp : 1, work.dense_elements, dense_trained, work.dense_elements / all);
  if (work.expert_elements > 0.0) {
    const std::int64_t spread = at.expert_tp > 1.0 ? replicas / std::max<std::int64_t>(1, l.ep) : replicas * l.tp / std::max<std::int64_t>(1, l.ep);
    const std::int64_t stride = std::int64_t{l.ep} * (at.expert_tp > 1.0 ? l.tp : 1);
    parameter_messages(c, std::max<std::int64_t>(1, spread), stride, work.expert_elements, p.adapters ? 0.0 : work.expert_elements, work.expert_elements / all);
  }
  return c.out;
}

}  // namespace gpuplan
