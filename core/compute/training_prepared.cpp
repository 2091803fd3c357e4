#include "core/compute/training_prepared.hpp"

#include <algorithm>

#include "core/compute/training_failures.hpp"

#include "core/memory/adapters.hpp"
#include "core/memory/recipes.hpp"

namespace gpuplan {
namespace {

/// Adds a tensor's elements to the way that ranks divide it.
void add_elements(LayerElements& e, const Tensor& t) {
  const double n = t.elements();
  switch (t.split) {
    case Split::expert: e.expert += n; break;
    case Split::kv_heads:
      e.kv += n;
      e.kv_heads = static_cast<double>(std::max<std::int64_t>(1, t.kv_heads));
      break;
    case Split::replicated: e.dense_replicated += n; break;
    case Split::column:
    case Split::row:
    case Split::vocab: e.dense_split += n; break;
  }
}

struct AdapterCount {
  double elements = 0.0, products = 0.0;
};

AdapterCount count_adapters(const std::vector<Tensor>& all, int kind, const memory::AdapterTargets& targets, double rank) {
  AdapterCount out;
  for (const Tensor& t : all) {
    if (t.layer_kind != kind || !t.matmul || !targets.has(t.role)) continue;
    out.elements += rank * static_cast<double>(t.rows + t.columns) * static_cast<double>(t.copies);
    out.products += 1.0;
  }
  return out;
}

/// Element-wise traffic: what is routed apart from what every token passes; recurrent mixers convolve, gate and normalise their inner width.
void split_streams(const LayerOperators& source, TrainedLayer& out) {
  const Mlp& mlp = source.mlp;
  const double hidden = source.stream_hidden, routed = mlp.experts > 0 ? static_cast<double>(mlp.experts_per_token) : 0.0;
  const double gathered = routed * 3.0 * hidden, activated = routed * (mlp.gated ? 3.0 : 2.0) * static_cast<double>(mlp.expert_intermediate);
  const Recurrent& r = source.mixer.recurrent;
  const double inner = static_cast<double>(r.inner + 2 * r.k_heads * r.k_dim + 2 * r.v_heads * r.v_dim);
  out.routed_elements = gathered + activated;
  out.stream_elements = std::max(0.0, source.stream_elements - gathered);
  out.stream_elements_split = std::max(0.0, source.stream_elements_split - activated) + 6.0 * inner;
}

/// Length of what attends to itself: a packed sample, else the whole (padded) sequence.
double sample_length(const Workload& w) {
  const double sequence = static_cast<double>(w.sequence);
  return w.packed && w.sample_tokens ? std::min(sequence, static_cast<double>(*w.sample_tokens)) : sequence;
}

TrainedLayer trained_layer(const Job& job, const LayerOperators& source, const std::vector<Tensor>& all, int kind) {
  TrainedLayer out;
  out.layers = source.layers;
  out.mixer = source.mixer;
  out.mlp = source.mlp;
  split_streams(source, out);
  out.launches = source.launches;
  const double sequence = static_cast<double>(job.workload.sequence), sample = sample_length(job.workload);
  const bool causal = job.model->model_class == ModelClass::decoder || job.model->model_class == ModelClass::encoder_decoder;
  const double pairs = causal ? attended_pairs(source.mixer, sample, 0.0) : std::min(1.0, static_cast<double>(source.mixer.heads)) * sample * sample;  // encoders see both ways
  out.pairs = pairs * sequence / sample;  // packed samples do not see each other
  out.flops_per_pair = flops_per_pair(source.mixer, false);
  out.recurrence = recurrence_flops_per_token(source.mixer);
  const memory::AdapterTargets targets(job.workload.lora_targets);
  double bytes = 0.0, weights = 0.0;
  for (const Gemm& g : source.gemms) {
    out.gemms.push_back({g, trains_adapters(job.task, job.workload) && targets.has(g.role)});
    const double n = g.weights_at(1.0) * (g.expert ? static_cast<double>(std::max<std::int64_t>(1, source.mlp.experts)) : 1.0);
    bytes += n * g.bytes_per_weight, weights += n;
  }
  for (const Tensor& t : all) {
    if (t.layer_kind == kind) add_elements(out.elements, t);
  }
  out.elements.stored_bytes = weights > 0.0 ? bytes / weights : 2.0;
  if (trains_adapters(job.task, job.workload)) {
    const AdapterCount adapters = count_adapters(all, kind, targets, static_cast<double>(job.workload.lora_rank));
    out.adapter_elements = adapters.elements;
    out.adapted_products = adapters.products;
  }
  return out;
}

/// Traffic of one optimizer update per trained element: gradient read (twice: norm and update), master or weight and moments read and
/// written, 16-bit copy written [M-step-update].
double update_traffic(const Job& job) {
  const memory::TrainingRecipe& recipe = memory::training_recipe(job.software ? std::string_view(job.software->id) : std::string_view());
  const memory::OptimizerRecipe& optimizer = memory::optimizer_recipe(job.optimizer);
  const double moment = optimizer.moment_bytes > 0.0 ? optimizer.moment_bytes : recipe.moment;
  const double state = 2.0 * (recipe.master + optimizer.moments * moment);
  return state + 2.0 * recipe.gradients + recipe.weights + (recipe.master > 0.0 ? 0.0 : recipe.weights);
}

bool fuses_loss(const Job& job) {
  const memory::TrainingRecipe& recipe = memory::training_recipe(job.software ? std::string_view(job.software->id) : std::string_view());
  return (job.workload.loss == LossKernel::automatic ? recipe.loss : job.workload.loss) == LossKernel::fused;
}

/// Weights, master weights and moments of everything that trains; a frozen base is on disk already.
Bytes whole_checkpoint(const Job& job, const PreparedTraining& p) {
  const memory::TrainingRecipe& recipe = memory::training_recipe(job.software ? std::string_view(job.software->id) : std::string_view());
  const memory::OptimizerRecipe& optimizer = memory::optimizer_recipe(job.optimizer);
  const double moment = optimizer.moment_bytes > 0.0 ? optimizer.moment_bytes : recipe.moment;
  double trained = p.adapters ? 0.0 : p.outside_elements;
  for (const TrainedLayer& layer : p.kinds) {
    const LayerElements& e = layer.elements;
    trained += layer.layers * (p.adapters ? layer.adapter_elements : e.dense_split + e.dense_replicated + e.kv + e.expert);
  }
  return checkpoint_bytes(trained, recipe.weights, recipe.master, optimizer.moments * moment);
}

constexpr double masked_share = 0.15;  // of a text's tokens that masked-language training predicts (Devlin et al. 2018)

/// Encoders compute logits of masked tokens only; models without transformer layers are counted by the image.
void describe_items(const Architecture& a, PreparedTraining& p) {
  if (a.model_class == ModelClass::encoder) p.head_share = masked_share;
  if (!a.kinds.empty()) return;
  p.item_flops = a.classic.forward_flops_per_item;
  p.item_elements = a.classic.activation_elements_per_item;
  p.sequence = 1.0;
}

}  // namespace

double LayerElements::dense_at(double tp) const { return dense_split / tp + kv / std::min(tp, kv_heads) + dense_replicated; }

std::unique_ptr<PreparedTraining> prepare_training(const Job& job) {
  auto p = std::make_unique<PreparedTraining>();
  const std::string software = job.software ? job.software->id : std::string();
  const Operators ops = operators(*job.model, trains_adapters(job.task, job.workload) ? job.weights : WeightFormat::bf16);
  const std::vector<Tensor> all = tensors(*job.model);
  for (std::size_t kind = 0; kind < ops.kinds.size(); ++kind) p->kinds.push_back(trained_layer(job, ops.kinds[kind], all, static_cast<int>(kind)));
  for (const Tensor& t : all) {
    if (t.layer_kind < 0 && t.role != Role::mtp) p->outside_elements += t.elements();
  }
  p->surfaces = load_surfaces(*job.calibration);
  p->comm = resolve_comm(*job.calibration);
  p->coefficients = training_table(*job.calibration, software, job.software_version);
  p->behaviour = &training_behaviour(software);
  p->layers = ops.layers, p->hidden = ops.hidden, p->vocab = ops.vocab;
  p->sequence = static_cast<double>(job.workload.sequence);
  const Workload& w = job.workload;
  if (!w.packed && w.sample_tokens) p->useful = std::min(1.0, static_cast<double>(*w.sample_tokens) / std::max(1.0, p->sequence));
  describe_items(*job.model, *p);
  const memory::TaskRecipe& task = memory::task_recipe(job.task);
  p->sequences_per_sample = std::max(1.0, task.sequences);
  p->reference_passes = task.frozen_copies / std::max(1.0, task.trained_copies);
  p->rollout = task.rollout;
  p->update_bytes = update_traffic(job);
  p->gradient_bytes = job.gradients == PlainType::automatic ? p->behaviour->gradient_bytes : bytes_per_element(job.gradients);
  p->adapters = trains_adapters(job.task, job.workload);
  p->quantized = p->adapters && is_quantized(job.weights);
  p->packed = job.weights != WeightFormat::nf4 && job.weights != WeightFormat::nf4_double;
  p->fp8 = job.activations == PlainType::fp8;
  p->fp4 = job.activations == PlainType::nvfp4;
  p->fp32 = job.activations == PlainType::fp32;
  p->flash = job.workload.flash_attention;
  p->fused_loss = fuses_loss(job);
  p->forward_products = Flops{2.0 * ops.vocab * ops.hidden * p->sequence * p->head_share + p->item_flops};
  for (const TrainedLayer& layer : p->kinds) {
    p->routed = p->routed || layer.mlp.experts > 0;
    double per_token = layer.recurrence;
    for (const TrainedGemm& g : layer.gemms) {
      per_token += 2.0 * g.gemm.weights_at(1.0) * (g.gemm.expert ? static_cast<double>(layer.mlp.experts_per_token) : 1.0);
    }
    p->forward_products += Flops{layer.layers * per_token * p->sequence};
    p->forward_attention += Flops{layer.layers * layer.pairs * layer.flops_per_pair};
  }
  p->checkpoint = whole_checkpoint(job, *p);
  return p;
}

}  // namespace gpuplan
