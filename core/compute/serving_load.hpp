#pragma once
/// What one serving engine has to do, as rates of tokens, and the batches of its passes [M-time-serving].
#include "core/compute/serving.hpp"

namespace gpuplan {

/// The load of one engine, as rates of tokens.
struct Load {
  double fresh = 0.0, past = 0.0, output = 0.0;  ///< prompt tokens to compute, prompt tokens found in the prefix cache, tokens to generate
  double sequences = 1.0;                        ///< per pipeline micro-batch
  double groups = 1.0;                           ///< micro-batches in flight
  double limit = 1.0;                            ///< most prompt tokens of a pass
  double chunk = 1.0;                            ///< prompt tokens per pass
  double chunks = 0.0;                           ///< passes of one prompt
  double rows = 1.0, gain = 1.0;                 ///< speculative decoding: tokens verified and tokens won per step
  double bubble = 1.0;                           ///< unequal pipeline stages
  double waits = 1.0;                            ///< passes with a prompt over those of one attention rank: ranks wait for each other's prompts
};

/// Sequences of one of `engines` (or attention ranks) that run together: asked for, allowed by the engine, and held by the KV pool.
double running_sequences(const Job&, const PreparedServing&, const PassPlace&, double engines, const Memory&);

/// The load of one engine that runs so many sequences.
Load load_of(const Job&, const PreparedServing&, const PassPlace&, const Layout&, double running);

/// A pass in which so many sequences decode.
Batch decode_batch(const Load&, double sequences);
/// Puts `rows` prompt tokens into a pass.
void add_prompt(Batch&, const Load&, double rows);

}  // namespace gpuplan
