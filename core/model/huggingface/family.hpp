#pragma once
/// What a model_type implies without any key saying so: which norms, biases and gates its layers have.
#include <string_view>

#include "core/model/architecture.hpp"

namespace gpuplan {

/// Which projections a family's `attention_bias` (or its like) gives a bias, and what holds when no key says.
enum class BiasRule : std::uint8_t { none, qkv, all };

/// Where learned positions come from.
enum class Positions : std::uint8_t { rotary, learned, learned_plus_2 };

struct Family {
  const char* model_types;       ///< separated by spaces
  const char* name;              ///< family as the catalog calls it
  NormKind norm = NormKind::rms;
  bool norm_bias = false;
  int norms = 2;                 ///< norm vectors per layer
  int extra_norms = 1;           ///< final norm, embedding norm
  bool gated = true;
  BiasRule bias = BiasRule::none;          ///< without a key
  BiasRule bias_key = BiasRule::all;       ///< when attention_bias or its like is true
  bool mlp_bias = false;
  Mixer::QkNorm qk_norm = Mixer::QkNorm::none;
  bool tied = false;
  bool fused_qkv = false;
  bool lm_head_bias = false;
  Positions positions = Positions::rotary;
  bool ffn_is_4h = false;        ///< feed-forward width is 4 × hidden when no key gives it
  bool router_bias = false;      ///< the router has a bias or a correction per expert
  bool expert_bias = false;
  bool shared_gate = false;      ///< the shared expert has a gate of its own
  bool sinks = false;
};

/// The family of a model_type or of `architectures[0]`, nullptr when none is known.
const Family* find_family(std::string_view model_type);
/// What a configuration of an unknown type is read as: a decoder like Llama.
const Family& generic_family();

}  // namespace gpuplan
