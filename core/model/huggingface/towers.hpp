#pragma once
/// Elements of vision and audio towers: blocks, patch embedding and projector, family by family. Used by read_towers() alone.
#include <string>

#include "core/model/huggingface/dialect.hpp"

namespace gpuplan {

/// What a tower's blocks look like; everything else is its stem and its projector.
struct TowerStyle {
  bool gated = false, linear_bias = true, qkv_bias = true, norm_bias = true;
};

/// Attention, feed-forward part and two norms of one block of width `h` with an inner width `f`.
double tower_block(double h, double f, const TowerStyle&);
/// Elements of a network input → inner → output with biases.
double two_layers(double in, double inner, double out);

struct Vision {
  ConfigView view;
  ConfigView root;    ///< the wrapper's own keys
  std::string type;   ///< of the wrapper
  double text;        ///< width of the language model
  Tower tower;
  double h() const { return static_cast<double>(tower.hidden); }
  double f() const { return static_cast<double>(tower.intermediate); }
  double layers() const { return static_cast<double>(tower.layers); }
  double patch_inputs(double frames) const { return 3.0 * frames * static_cast<double>(tower.patch) * static_cast<double>(tower.patch); }
  double merged() const { return h() * static_cast<double>(tower.merge) * static_cast<double>(tower.merge); }
  double patches() const {
    const double side = static_cast<double>(tower.patch > 0 ? tower.image_size / tower.patch : 0);
    return side * side;
  }
};

/// The image half of CLIP or of SigLIP (with its attention pool), before any projection into the text's space.
std::int64_t image_encoder_elements(const Tower&, bool siglip);
/// Tower and projector together.
double vision_elements(const Vision&);
/// The tower of a configuration whose file names it without sizes (Phi-3-vision, Phi-4-multimodal); false for all others.
bool read_implied_towers(const Dialect&, Architecture&);
void read_audio_tower(const ConfigView& audio, const std::string& type, Architecture&);

}  // namespace gpuplan
