#include "core/memory/coefficients.hpp"

#include <limits>
#include <string>

namespace gpuplan::memory {
namespace {

constexpr const char* training_families[] = {"train.eager", "train.swift2", "train.deepspeed", "train.fused", "train.torch", "train.titan", "train.torchtune", "train.fsdp", "train.megatron", "train.paddle"};
constexpr const char* training_suffixes[] = {".bytes_per_logit", ".floor_bytes", ".working_share", ".fragmentation", ".used_low", ".used_high"};
constexpr const char* engine_families[] = {"vllm", "vllm2", "sglang", "trtllm", "lmdeploy", "fastdeploy", "llamacpp", "transformers"};
constexpr const char* engine_suffixes[] = {".bytes_per_logit",    ".prefill_factor", ".floor_bytes", ".communicator_bytes", ".peer_bytes",
                                           ".used_low", ".used_high", ".tokens_low",  ".tokens_high"};
constexpr const char* graphs[] = {"vllm.v0_graph_bytes_per_layer", "vllm.v1_graph_bytes_per_layer", "vllm.graph_bytes_per_layer", "sglang.graph_bytes_per_layer",
                                  "trtllm.graph_bytes_per_layer", "lmdeploy.graph_bytes_per_layer", "fastdeploy.graph_bytes_per_layer",
                                  "llamacpp.graph_bytes_per_layer", "transformers.graph_bytes_per_layer"};
constexpr const char* shared[] = {"reserve.context_bytes",   "train.communicator_bytes", "train.peer_bytes",
                                  "train.host_factor", "train.galore_rank",        "train.fused_loss_bytes_per_hidden", "train.classic_copies", "train.context_bytes", "serve.image_tiles", "serve.image_copies", "serve.classic_share"};

class Lookup {
 public:
  Lookup(const Calibration* calibration, std::string family) : calibration_(calibration), family_(std::move(family)) {}
  double own(const char* suffix) const { return named(family_ + suffix); }
  double named(const std::string& name) const {
    return calibration_ ? calibration_->value(name) : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  const Calibration* calibration_;
  std::string family_;
};

void resolve_training(Coefficients& c, const Lookup& look) {
  c.logit_bytes = look.own(".bytes_per_logit");
  c.floor_bytes = look.own(".floor_bytes");
  c.working_share = look.own(".working_share");
  c.fragmentation = look.own(".fragmentation");
  c.communicator_bytes = look.named("train.communicator_bytes");
  c.peer_bytes = look.named("train.peer_bytes");
  c.host_factor = look.named("train.host_factor");
  c.galore_rank = look.named("train.galore_rank");
  c.fused_loss_bytes = look.named("train.fused_loss_bytes_per_hidden");
  c.classic_copies = look.named("train.classic_copies");
}

void resolve_serving(Coefficients& c, const Lookup& look, const char* graph) {
  c.logit_bytes = look.own(".bytes_per_logit");
  c.prefill_factor = look.own(".prefill_factor");
  c.floor_bytes = look.own(".floor_bytes");
  c.communicator_bytes = look.own(".communicator_bytes");
  c.peer_bytes = look.own(".peer_bytes");
  c.graph_bytes = look.named(graph);
  c.image_tiles = look.named("serve.image_tiles");
  c.classic_share = look.named("serve.classic_share");
  c.image_copies = look.named("serve.image_copies");
  c.tokens_low = look.own(".tokens_low");
  c.tokens_high = look.own(".tokens_high");
}

void resolve_shared(Coefficients& c, const Lookup& look, bool trains) {
  c.context_bytes = look.named(trains ? "train.context_bytes" : "reserve.context_bytes");
  c.used_low = look.own(".used_low");
  c.used_high = look.own(".used_high");
}

}  // namespace

Coefficients resolve_coefficients(const Job& job, const PreparedMemory& p) {
  Coefficients c;
  const Lookup look(job.calibration, p.trains ? p.training->family : p.engine->family);
  if (p.trains) resolve_training(c, look);
  else resolve_serving(c, look, p.engine->graph_coefficient);
  resolve_shared(c, look, p.trains);
  return c;
}

Coefficients resolve_sharded(const Job& job, const PreparedMemory& p) {
  Coefficients c;
  const Lookup look(job.calibration, p.sharded_training->family);
  resolve_training(c, look);
  resolve_shared(c, look, true);
  return c;
}

std::vector<std::string> coefficient_names() {
  std::vector<std::string> out(std::begin(shared), std::end(shared));
  for (const char* family : training_families) {
    for (const char* suffix : training_suffixes) out.push_back(std::string(family) + suffix);
  }
  for (const char* family : engine_families) {
    for (const char* suffix : engine_suffixes) out.push_back(std::string(family) + suffix);
  }
  out.insert(out.end(), std::begin(graphs), std::end(graphs));
  return out;
}

}  // namespace gpuplan::memory
