#pragma once
/// How training frameworks move data and what they launch, as rows of a table: the formulas read columns and know no framework by name [M-step-frameworks].
#include <array>
#include <string>
#include <string_view>

#include "core/calibration.hpp"
#include "core/compute/generation.hpp"

namespace gpuplan {

struct TrainingBehaviour {
  const char* software;
  const char* like;            ///< framework whose coefficients hold where this one has none of its own, "" = none
  double gradient_bytes;       ///< of one gradient element when it is reduced
  bool reduce_each_micro;      ///< sharded gradients (ZeRO ≥ 2) are reduced after every micro-batch, not once per step
  bool overlap_gradients;      ///< the reduction hides behind the backward pass
  bool overlap_in_pipeline;    ///< … also when there is a pipeline
  bool overlap_gather;         ///< updated or sharded parameters arrive behind the forward pass
  bool heads_for_context;      ///< context parallelism exchanges heads (all-to-all) instead of passing keys round
  bool experts_apart;          ///< routed experts run one after the other, each with launches of its own
  double selective_forward;    ///< share of the forward products that selective recomputation repeats, beside the attention core
};
/// The row of a training framework (the first row when unknown).
const TrainingBehaviour& training_behaviour(std::string_view software);

/// Releases of a framework that share coefficients: "26_06"; "" where the version tells none apart or is unknown.
std::string_view training_era(std::string_view software, std::string_view version);

/// Fitted coefficients of one framework release on one generation; each is the first that exists of "train.<software>.<era>.<generation>.<field>",
/// "….<era>.<field>", "….<generation>.<field>", "train.<software>.<field>", the same of the framework that it is like, "train.other.<generation>.<field>",
/// "train.other.<field>", times "train.generation.<generation>.<field>" where that exists [M-step-coefficients].
struct TrainingCoefficients {
  double compute = 1.0;        ///< time of 16-bit products ÷ time that the surfaces give
  double wave = 0.0;           ///< outputs of a product that the last, partly filled wave of tiles loses
  double fp8 = 1.0;            ///< the same of 8-bit products: training scales whole tensors, late
  double fp4 = 1.0;            ///< the same of 4-bit products
  double fp8_gradient = 1.0;   ///< time of an 8- or 4-bit weight gradient ÷ that of the forward product: its operands are transposed and scaled again
  double cast = 1.0;           ///< traffic of casting and transposing the operands of 8-bit products ÷ reading 16-bit and writing 8-bit ones once
  double stream = 1.0;         ///< element-wise traffic ÷ that of fused kernels
  double launch = 0.0;         ///< s of host time per kernel that the list of operators counts; a layer takes at least its launches
  double gather_layer = 0.0;   ///< s of host time per layer and pass where parameters are gathered layer by layer: hooks, bookkeeping
  double contention = 0.0;     ///< share of a hidden message that still costs time: its kernels take compute units
  double step = 0.0;           ///< s per optimizer step: data, scalars to the host, logging
  double attention = 1.0;      ///< time of attention kernels ÷ time that the surfaces give
  double attention_backward = 2.5;  ///< backward of fused attention ÷ forward, from 2.5 times the flops up
  double score_bytes = 12.0;   ///< traffic per score of attention without fusion, forward
  double loss_bytes = 12.0;    ///< traffic per logit of the loss, forward and backward
  double scan = 1.0;           ///< time of recurrent mixers' scans ÷ that of attention kernels with so many flops
  double dequantize = 1.0;     ///< time to expand NF4 weights ÷ reading them and writing 16-bit ones at stream rate
  double dequantize_packed = 1.0;  ///< the same of GPTQ, AWQ and plain integers
  double tensor_exposed = 1.0; ///< share of tensor-parallel messages that does not hide behind their products
  double expert_exposed = 1.0; ///< the same of dispatch and combine
  double imbalance = 1.0;      ///< rows of the busiest expert rank ÷ mean
  double expert = 1.0;         ///< time of routed experts' products ÷ that of dense ones: grouping, small pieces
  double expert_stream = 1.0;  ///< traffic of routed tokens (gather, activation, casts, scatter) ÷ that of fused kernels
  double expert_layer = 0.0;   ///< s of host time per layer with routed experts and pass: routing, counts to the host
  double cpu_adam = 1e9;       ///< parameters per second that one node's processors update
  double pcie = 0.8;           ///< share of the host link's rate that offloading reaches
  double energy = 0.0;         ///< J per 16-bit flop of a product at full rate; a card whose power limit is below peak × energy runs slower in proportion
  double image_bytes = 40.0;   ///< traffic per kept output of a convolutional model, forward and backward together
  double optimizer = 0.8;      ///< share of memory bandwidth that the update reaches
  double range_low = 0.8, range_high = 1.25;                ///< step time ÷ estimate, central 90 %, models without routed experts
  double expert_range_low = 0.6, expert_range_high = 1.6;   ///< the same with routed experts
};
using TrainingTable = std::array<TrainingCoefficients, generation_count>;
TrainingTable training_table(const Calibration&, const std::string& software, std::string_view version = {});

/// Calls `f(name, field)` for every field of the coefficients.
template <class C, class F>
void each_training_field(C& c, F f) {
  f("compute", c.compute), f("wave", c.wave), f("fp8", c.fp8), f("fp4", c.fp4), f("fp8_gradient", c.fp8_gradient), f("cast", c.cast), f("gather_layer", c.gather_layer), f("stream", c.stream), f("launch", c.launch), f("contention", c.contention), f("step", c.step);
  f("attention", c.attention), f("attention_backward", c.attention_backward), f("score_bytes", c.score_bytes), f("loss_bytes", c.loss_bytes);
  f("scan", c.scan), f("dequantize", c.dequantize), f("dequantize_packed", c.dequantize_packed), f("tensor_exposed", c.tensor_exposed), f("expert_exposed", c.expert_exposed);
  f("imbalance", c.imbalance), f("expert", c.expert), f("expert_stream", c.expert_stream), f("expert_layer", c.expert_layer), f("cpu_adam", c.cpu_adam);
  f("pcie", c.pcie), f("energy", c.energy), f("image_bytes", c.image_bytes), f("optimizer", c.optimizer), f("range_low", c.range_low), f("range_high", c.range_high);
  f("expert_range_low", c.expert_range_low), f("expert_range_high", c.expert_range_high);
}

}  // namespace gpuplan
