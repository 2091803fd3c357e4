#pragma once
/// What a serving engine adds to the kernels: host time, launch gaps, chunking, as data by engine, era and hardware generation [M-time-serving].
#include <array>
#include <string>

#include "core/calibration.hpp"
#include "core/compute/generation.hpp"
#include "core/layout/job.hpp"

namespace gpuplan {

/// Coefficients of one engine era on one generation; times in seconds.
struct EngineTimes {
  double layer = 0.0;         ///< per layer and pass: gaps between kernels, small kernels
  double tp_layer = 0.0;      ///< more of it when tp > 1
  double peer_layer = 0.0;    ///< … and for each other rank: engines that copy between devices from the host
  double moe_layer = 0.0;     ///< more of it in a layer with routed experts
  double prompt_layer = 0.0;  ///< more of it in a pass with prompt tokens: launched kernel by kernel, not as a graph
  double request = 0.0;       ///< per request before its first pass: server, tokeniser, scheduler
  double step = 0.0;          ///< per pass: scheduling, sampling, launch of the graph
  double sequence = 0.0;      ///< per sequence and pass: bookkeeping, detokenising
  double hop = 0.0;           ///< per layer-split boundary between devices
  double prefill_flops = 1.0; ///< share of the surface's ceiling that this engine's large products reach
  double bandwidth = 1.0;     ///< share of the surface's bandwidth that its narrow products reach
  double attention_decode = 1.0;   ///< share of the rate at which decode attention reads the cache
  double attention_prefill = 1.0;  ///< share of the rate of prefill attention
  double chunk = 2048.0;      ///< prompt tokens per pass, when the scenario does not say
  double dequantise_rows = 1e18;  ///< from so many rows on, block-quantised weights are expanded to 16 bits first
  double low_bit_ops = 0.0;   ///< operations to unpack one weight of two or three bits
  double queued = 1.0;        ///< passes of a prompt in flight over layer-split devices
  double drafted = 3.0;       ///< tokens proposed per step under speculative decoding
};
inline constexpr int engine_field_count = 18;

/// "2024", "v1": versions of an engine that share coefficients; "" for an engine with one era.
const char* era_of(const std::string& software, const std::string& version);

struct EngineTable {
  std::array<EngineTimes, generation_count> by_generation{};
  std::array<bool, generation_count> measured{};  ///< coefficients of that generation's own are among them
};
/// Each field is the first that exists of "engine.<id>.<era>.<generation>.<field>", "engine.<id>.<era>.<field>", "engine.<id>.<generation>.<field>",
/// "engine.<id>.<field>", "engine.other.<field>"; times are in µs there.
EngineTable load_engine(const Calibration&, const std::string& software, const std::string& version);

}  // namespace gpuplan
