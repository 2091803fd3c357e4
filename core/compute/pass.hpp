#pragma once
/// Time of one forward pass of a serving engine: some prompt tokens and some sequences that decode, in one launch [M-time-decode, M-time-prefill].
#include <array>
#include <vector>

#include "core/comm/fabric.hpp"
#include "core/compute/engine_times.hpp"
#include "core/compute/operators.hpp"
#include "core/compute/roofline.hpp"
#include "core/compute/time.hpp"

namespace gpuplan {

/// What a pass works on, per model replica (with data-parallel attention: per attention rank).
struct Batch {
  double prompt_tokens = 0.0;    ///< new prompt tokens in this pass
  double prompts = 1.0;          ///< … of so many requests
  double prompt_past = 0.0;      ///< tokens of the same prompts already cached
  double decoding = 0.0;         ///< sequences that decode
  double rows_per_sequence = 1.0;  ///< tokens verified per decoding sequence (more than one under speculative decoding)
  double context = 0.0;          ///< mean cached tokens of a decoding sequence
  double head_rows = 1.0;        ///< positions that need logits

  double rows() const { return prompt_tokens + decoding * rows_per_sequence; }
};

/// The machine that passes were timed on last, as this job sees it: a search asks for many layouts of one machine in a row. Belongs to one job,
/// so to one thread.
struct PassSite {
  Machine machine;
  Rates rates;                    ///< with what the engine reaches of them
  Fabric fabric;
  EngineTimes engine;
  Kernel quantized = Kernel::half, plain = Kernel::half;
  bool known = false;             ///< its kernels or this engine were measured on this generation of GPUs
  std::vector<PassSite> devices;  ///< the same of each card where they differ
};

/// What does not change from layout to layout: read once per job.
struct PassModel {
  Operators ops;
  Surfaces surfaces;
  EngineTable engine;
  CommCoefficients comm;
  double moe_imbalance = 1.0;     ///< rows of the busiest expert rank over the mean
  double sampler_bytes = 8.0;     ///< traffic per logit when sampling
  double host_bandwidth = 0.0;    ///< B/s that layers in host memory are read with
  double kv_bytes = 2.0;          ///< per cached element
  double score_bytes = 0.0;       ///< memory traffic per query-key pair and head; 0 when attention is fused
  bool gguf = false;              ///< llama.cpp's own kernels
  mutable PassSite site;
};

/// The same for one machine and layout.
struct PassPlace {
  const PassModel* model = nullptr;
  const Job* job = nullptr;
  const Machine* machine = nullptr;
  const Rates& rates;
  const Fabric& fabric;
  const EngineTimes& engine;
  Kernel quantized = Kernel::half, plain = Kernel::half;
  double tp = 1.0, pp = 1.0, ep = 1.0;
  double attention_ranks = 1.0;   ///< data-parallel attention ranks that share the experts
  double moe_tp = 1.0;            ///< ranks that divide one expert
  double gpu_share = 1.0;         ///< layers on the GPU
  bool layer_split = false;
  bool by_device = false;         ///< cards differ: device_share holds
  std::array<double, most_devices> device_share{};  ///< of all layers, on each card where they differ
};
/// Valid until the model is asked for another machine.
PassPlace place_pass(const PassModel&, const Job&, const Machine&, const Layout&);

/// Cache and state that one sequence of `tokens` occupies on one GPU: growing layers, windows up to their size, constant states.
Bytes sequence_bytes(const PassPlace&, double tokens);

struct PassTime {
  KernelTime kernels;             ///< of all layers and the head
  Seconds comm;                   ///< exposed
  Seconds overhead;
  Seconds host;                   ///< layers that run from host memory
  Seconds slowest;                ///< the longest that one card takes, where cards differ
  Seconds total() const { return kernels.total() + comm + overhead + host; }
};
/// The time of one pass through all layers. With `time`, its messages are listed there.
PassTime pass_time(const PassPlace&, const Batch&, Time* messages = nullptr);

}  // namespace gpuplan
