#include "core/layout/rules.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace gpuplan {
namespace {

bool listed(const std::vector<std::string>& all, const std::string& one) { return std::find(all.begin(), all.end(), one) != all.end(); }

/// FP8 and FP4 weights can be kept on older GPUs by weight-only kernels, but the core promises only what runs in the type itself.
bool gpu_computes(const Job& job, const Gpu& gpu) {
  if (job.activations == PlainType::bf16 && !gpu.has(Arithmetic::bf16)) return false;
  if (is_training(job.task) && job.activations == PlainType::fp8 && !gpu.has(Arithmetic::fp8)) return false;
  if (job.activations == PlainType::nvfp4 && !gpu.has(Arithmetic::fp4)) return false;
  // Nothing is promised of a GPU whose rates nobody published.
  if (!gpu.has(Arithmetic::bf16) && !gpu.has(Arithmetic::fp16) && !gpu.has(Arithmetic::fp32)) return false;
  const bool weight_only_fp4 = job.weights == WeightFormat::mxfp4;  // Marlin-style kernels run MXFP4 from Ampere on
  switch (job.weights) {
    case WeightFormat::fp8: return gpu.has(Arithmetic::fp8);
    case WeightFormat::nvfp4: return gpu.has(Arithmetic::fp4);
    case WeightFormat::int8: return gpu.has(Arithmetic::int8);
    default: return !weight_only_fp4 || gpu.vendor != "NVIDIA" || gpu.compute_capability_major >= 8;
  }
}

bool divides(std::int64_t a, std::int64_t b) { return a > 0 && b % a == 0; }

Refusal check_mixer(const Mixer& m, std::int64_t tp) {
  if (m.kind == MixerKind::none || tp == 1) return Refusal::none;
  if (m.heads > 0 && !divides(tp, m.heads)) return Refusal::heads;
  if (m.kv_heads > 0 && m.kind != MixerKind::mla && !divides(tp, m.kv_heads) && !divides(m.kv_heads, tp)) return Refusal::kv_heads;
  return Refusal::none;
}

Refusal check_mlp(const Mlp& m, std::int64_t tp, std::int64_t ep) {
  if (m.kind == MlpKind::dense && !divides(tp, m.intermediate)) return Refusal::width;
  const bool sparse = m.kind == MlpKind::moe || m.kind == MlpKind::dense_and_moe;
  if (sparse && ep == 1 && !divides(tp, m.expert_intermediate)) return Refusal::width;
  if (sparse && ep > 1 && !divides(ep, m.experts)) return Refusal::experts;
  return Refusal::none;
}

bool has_experts(const Architecture& a) {
  return std::any_of(a.kinds.begin(), a.kinds.end(), [](const Layer& l) { return l.mlp.experts > 0; });
}

Refusal check_degrees(const Software& s, const Layout& l) {
  if (l.tp > s.max_tp || l.cp > s.max_cp || l.ep > s.max_ep) return Refusal::degree;
  if (l.pp > 1 && l.split == ModelSplit::tensor && l.pp > s.max_pp) return Refusal::degree;
  if (l.split == ModelSplit::layer && !s.layer_split) return Refusal::split;
  if (l.tp > 1 && !s.tensor_split) return Refusal::split;
  if (l.attention_dp && !s.attention_dp) return Refusal::degree;
  return Refusal::none;
}

Refusal check_training(const Job& job, const Layout& l) {
  const Workload& w = job.workload;
  if (l.zero > (l.pp > 1 ? job.software->max_zero_pp : job.software->max_zero)) return Refusal::zero;
  if (l.zero > 0 && l.dp * l.cp == 1) return Refusal::zero;
  if (l.shard_group > 0 && (l.zero == 0 || !divides(l.shard_group, std::int64_t{l.dp} * l.cp))) return Refusal::zero;
  if (!divides(std::int64_t{l.dp} * l.micro_batch, w.global_batch)) return Refusal::batch;
  if (!divides(l.cp, w.sequence)) return Refusal::sequence;
  return Refusal::none;
}

}  // namespace

Refusal check_savers(const Job& job, const Layout& l) {
  const bool possible = l.offload == Offload::none || (job.software->offload && (l.offload != Offload::parameters || l.zero >= 3));
  return possible ? Refusal::none : Refusal::offload;
}

const char* name(Refusal r) {
  static constexpr const char* names[] = {"none",   "vendor",  "compute-capability", "weight-format", "gpu-type", "kv-format", "heads",   "kv-heads", "width", "degree",
                                          "domain", "layers",  "experts",            "batch",         "sequence", "context",   "split",   "zero",     "offload", "task", "network", "engines", "devices"};
  static_assert(std::size(names) == refusal_count);
  return names[static_cast<std::size_t>(r)];
}

Arithmetic compute_arithmetic(const Job& job) {
  switch (job.weights) {
    case WeightFormat::fp8: return Arithmetic::fp8;
    case WeightFormat::int8: return Arithmetic::int8;
    case WeightFormat::nvfp4: return Arithmetic::fp4;
    default: break;
  }
  switch (job.activations) {
    case PlainType::fp32: return Arithmetic::fp32;
    case PlainType::fp16: return Arithmetic::fp16;
    case PlainType::fp8: return Arithmetic::fp8;
    case PlainType::nvfp4: return Arithmetic::fp4;
    default: return Arithmetic::bf16;
  }
}

Refusal check_job(const Job& job, const Gpu& gpu) {
  const Software& s = *job.software;
  if (!listed(s.vendors, gpu.vendor)) return Refusal::vendor;
  if (gpu.vendor == "NVIDIA" && gpu.compute_capability_major * 10 + gpu.compute_capability_minor < s.min_compute_capability && gpu.architecture != "custom") {
    return Refusal::compute_capability;
  }
  if (is_training(job.task) && gpu.serves_only) return Refusal::task;
  if (job.model->model_class == ModelClass::diffusion) return Refusal::task;  // none of the engines and trainers of the catalog is for them
  // Training keeps plain types in any framework; a quantised base needs kernels like serving does.
  if ((!is_training(job.task) || is_quantized(job.weights)) && !loads(s, gpu, name(job.weights))) return Refusal::weight_format;
  if (!gpu_computes(job, gpu)) return Refusal::gpu_type;
  if (!is_training(job.task) && !s.kv_formats.empty() && !listed(s.kv_formats, name(job.kv_cache)) && job.kv_cache != KvFormat::bf16 && job.kv_cache != KvFormat::fp16) {
    return Refusal::kv_format;
  }
  const std::int64_t longest = is_training(job.task) ? job.workload.sequence : job.workload.context;
  const bool fixed_length = job.model->model_class == ModelClass::vision;  // an image has as many tokens as it has, whatever the context says
  if (!fixed_length && job.model->learned_positions > 0 && longest > job.model->learned_positions) return Refusal::context;
  return Refusal::none;
}

Refusal check_layout(const Job& job, const Machine& machine, const Layout& l) {
  const Architecture& a = *job.model;
  if (machine.nodes.n > 1 && machine.scale_out_per_node_each_way.value <= 0.0) return Refusal::network;
  if (machine.devices && (l.split != ModelSplit::layer || is_training(job.task))) return Refusal::devices;
  if (const Refusal r = check_degrees(*job.software, l); r != Refusal::none) return r;
  if (l.tp > machine.scale_up_domain.n && l.tp > machine.gpus_per_node.n) return Refusal::domain;
  const std::int64_t layers = a.layer_count();
  if (std::int64_t{l.pp} * l.virtual_stages > layers + 2) return Refusal::layers;  // embedding and head may take a chunk each
  if (layers == 0 && (l.tp > 1 || l.pp > 1)) return Refusal::layers;               // a classic model is one piece
  if (l.ep > 1 && (!has_experts(a) || !divides(l.ep, std::int64_t{l.tp} * l.dp * l.cp))) return Refusal::experts;
  for (const Layer& kind : a.kinds) {
    if (const Refusal r = check_mixer(kind.mixer, l.attention_dp ? 1 : l.tp); r != Refusal::none) return r;
    if (const Refusal r = check_mlp(kind.mlp, l.tp, l.ep); r != Refusal::none) return r;
  }
  if (is_training(job.task)) return check_training(job, l);
  // Prompts apart: engines of both kinds, none of which shares its attention with others.
  if (job.workload.prefill_engines && (l.attention_dp || *job.workload.prefill_engines >= l.dp)) return Refusal::engines;
  // A replica without a request of its own adds nothing but its price.
  return l.dp - job.workload.prefill_engines.value_or(0) > job.workload.concurrency ? Refusal::batch : Refusal::none;
}

}  // namespace gpuplan
