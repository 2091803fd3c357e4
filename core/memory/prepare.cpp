/// Adds up the tensors once per job.
#include "core/memory/activations.hpp"
#include "core/memory/adapters.hpp"
#include "core/memory/cached_shape.hpp"
#include "core/memory/coefficients.hpp"
#include "core/memory/prepared.hpp"
#include "core/memory/version.hpp"
#include "core/memory/stages.hpp"

namespace gpuplan {
namespace {

using namespace memory;

double d(std::int64_t n) { return static_cast<double>(n); }

/// What decides which tensors train.
struct Trained {
  bool language = false, embeddings = false, norms = false, towers = false, adapters = false;
};

bool named(const std::vector<std::string>& list, const char* part) {
  for (const std::string& name : list) {
    if (name == part) return true;
  }
  return false;
}

Trained what_trains(const Job& job) {
  Trained t;
  const std::vector<std::string>& extra = job.workload.trainable;
  const bool automatic = extra.empty() || named(extra, "auto");
  if (!is_training(job.task)) return t;
  t.adapters = trains_adapters(job.task, job.workload);
  t.language = !t.adapters && (automatic || named(extra, "language") || named(extra, "all"));
  t.embeddings = t.language || named(extra, "embeddings");
  t.norms = t.language || named(extra, "norms");
  t.towers = named(extra, "vision") || named(extra, "audio") || job.task == Task::pretraining;
  return t;
}

bool trains(const Trained& t, Role role) {
  switch (role) {
    case Role::token_embedding:
    case Role::position_embedding:
    case Role::lm_head: return t.embeddings;
    case Role::norm: return t.norms;
    case Role::vision:
    case Role::audio: return t.towers;
    default: return t.language;
  }
}

Divide divide_of(const Tensor& t, const PreparedMemory& p) {
  switch (t.split) {
    case Split::replicated: return !p.trains && p.engine->towers_split && (t.role == Role::vision || t.role == Role::audio) ? tensor : replicated;
    case Split::expert: return expert;
    case Split::kv_heads: return d(t.kv_heads) == p.kv_heads[0] ? kv_a : kv_b;
    default: return tensor;
  }
}

bool is_vector(const Tensor& t) {
  return t.columns <= 1 || t.role == Role::token_embedding || t.role == Role::lm_head || t.role == Role::position_embedding;
}

/// Adam elements of a GaLore matrix per unit of rank (Zhao et al. 2024, arXiv:2403.03507): the projection and two moments.
double galore_elements(const Tensor& t) {
  const double rows = d(t.rows), columns = d(t.columns);
  return d(t.copies) * (rows < columns ? rows + 2.0 * columns : columns + 2.0 * rows);
}

/// `share`: of the tensor's copies in all layers that train at once (LISA), 1 = all.
void add_trained(Sums& sums, const Tensor& t, Divide divide, double share) {
  sums[trained_at + divide] += share * t.elements();
  sums[factored_at] += share * (t.columns > 1 ? d(t.copies) * d(t.rows + t.columns) : t.elements());
  if (is_vector(t)) sums[vectors_at] += share * t.elements();
  else sums[galore_at] += share * galore_elements(t);
  if (t.layer_kind < 0 || is_vector(t)) return;
  sums[matrices_at + divide] += t.elements();
  sums[shapes_at + (t.split == Split::expert ? replicated : divide)] += d(t.rows) * d(t.columns);
}

struct Adding {
  const Job& job;
  const PreparedMemory& prepared;
  Trained trained;
  AdapterTargets targets;
  double layer_share = 1.0;  ///< of the layers that train at once

  /// Kernels for MXFP4 experts want widths of whole tiles.
  double padding(const Tensor& t) const {
    const std::int64_t tile = prepared.engine->fp4_pad;
    if (prepared.trains || !tile || job.weights != WeightFormat::mxfp4 || t.split != Split::expert) return 1.0;
    return d(round_up(job.model->hidden, tile)) / prepared.hidden;
  }

  double frozen_bytes(const Tensor& t, std::int64_t layer, std::int64_t layers) const {
    const double stored = stored_bytes(*job.model, t, job.weights, layer, layers) * padding(t);
    const bool plain = stored >= 2.0 * t.elements();
    return prepared.upcast && plain ? 4.0 * t.elements() : stored;
  }

  void add(Sums& sums, const Tensor& t, std::int64_t layer, std::int64_t layers) const {
    const Divide divide = divide_of(t, prepared);
    sums[params_at + divide] += t.elements();
    const double share = t.layer_kind < 0 ? 1.0 : layer_share;
    if (trains(trained, t.role)) add_trained(sums, t, divide, share);
    // An adapter run keeps the frozen original of a module that it trains as a copy.
    const double frozen = !trains(trained, t.role) || trained.adapters ? 1.0 : 1.0 - share;
    if (frozen > 0.0) sums[weights_at + divide] += frozen * frozen_bytes(t, layer, layers);
    if (trains(trained, t.role) || !trained.adapters || !targets.has(t.role)) return;
    add_adapter(sums, t, d(job.workload.lora_rank), divide);
    if (job.workload.dora) add_magnitude(sums, t, divide);
    if (prepared.training->adapter_fp32 && t.split != Split::expert) add_input(sums, t);
  }

  /// An fp32 adapter casts its input for itself and keeps the cast: one per adapted matrix.
  void add_input(Sums& sums, const Tensor& t) const { sums[saved_at + (t.split == Split::row ? tensor : replicated)] += prepared.element * d(t.columns); }

  /// DoRA (Liu et al. 2024, arXiv:2402.09353): a magnitude per output, whose gradient reads the outputs of base and adapter.
  void add_magnitude(Sums& sums, const Tensor& t, Divide divide) const {
    sums[adapters_at + divide] += d(t.rows * t.copies);
    const double adapter = prepared.training->adapter_fp32 ? 4.0 : prepared.element;
    if (t.split != Split::expert) sums[saved_at + divide] += (prepared.element + adapter) * d(t.rows);
  }
};

bool model_is_moe(const Job& job) {
  for (const Layer& kind : job.model->kinds) {
    if (kind.mlp.kind == MlpKind::moe || kind.mlp.kind == MlpKind::dense_and_moe) return true;
  }
  return false;
}

/// Hugging Face trainers in mixed precision run fp32 modules under autocast.
bool autocast(const Job& job, const PreparedMemory& p) {
  const TrainingRecipe& r = *p.training;
  return job.master_weights == PlainType::fp32 && job.activations != PlainType::fp32 && r.master <= 0.0 && r.weights < 4.0;
}

SavingRule saving_rule(const Job& job, const PreparedMemory& p, const Trained& t, const AdapterTargets& targets, const Mixer& m) {
  SavingRule rule;
  rule.kernels = job.workload.compiled && p.training->kernels == Kernels::eager ? Kernels::paper : p.training->kernels;
  rule.autocast = autocast(job, p);
  const double low_bit = low_bit_bytes(job.activations);
  rule.input_share = p.training->low_bit_inputs && low_bit > 0.0 ? low_bit / p.element : 1.0;
  rule.expands_kv = p.training->expands_kv;
  rule.flash = job.workload.flash_attention;
  const bool shared_inputs = t.adapters && !p.training->adapter_fp32;  // fp32 adapters keep an input of their own each: see add_input
  rule.attention_trains = t.language || (shared_inputs && targets.any_attention());
  rule.mlp_trains = t.language || ((shared_inputs || model_is_moe(job)) && t.adapters && targets.any_mlp());
  rule.norms_train = t.norms;
  rule.dropout = job.model->dropout;
  rule.element = p.element;
  rule.kv = d(m.kv_heads) == p.kv_heads[0] ? kv_a : kv_b;
  return rule;
}

void add_saved(Sums& sums, const Architecture& model, const Layer& layer, const SavingRule& rule, double share) {
  for (const SavedTensor& s : saved_tensors(model, layer, rule)) {
    if (s.scores) sums[scores_at] += share * s.bytes_per_token;
    else sums[saved_at + s.divide] += share * s.bytes_per_token;
  }
}

/// `share`: of the layers that train at once; the others keep what passes through a frozen layer.
void add_activations(Sums& sums, const Architecture& model, const Layer& layer, const SavingRule& rule, double checkpoint_element, double share) {
  add_saved(sums, model, layer, rule, share);
  if (share < 1.0) {
    SavingRule frozen = rule;
    frozen.attention_trains = frozen.mlp_trains = frozen.norms_train = false;
    add_saved(sums, model, layer, frozen, 1.0 - share);
  }
  sums[attended_at] += attention_output(layer, rule.element);
  sums[checkpoint_at] += checkpoint_element * d(model.hidden);
  const Sums width = forward_width(model, layer, rule.element);
  for (int i = 0; i < divide_count; ++i) sums[width_at + i] += width[width_at + i];
}

/// The group of layers with this window and head count; the last group takes what is left over.
int group_of(PreparedMemory& p, const CacheShape& shape, int& used) {
  for (int i = 0; i < used; ++i) {
    if (p.groups[static_cast<std::size_t>(i)].window == shape.window && p.groups[static_cast<std::size_t>(i)].kv_heads == shape.kv_heads) return i;
  }
  if (used == cache_groups) return cache_groups - 1;
  p.groups[static_cast<std::size_t>(used)] = {shape.window, shape.kv_heads};
  return used++;
}

void add_cache(Sums& sums, PreparedMemory& p, const Layer& layer, KvFormat format, int& used) {
  const CacheShape shape = cached_shape(p, layer, format);
  if (shape.elements_per_token > 0.0) {
    sums[cache_at + group_of(p, shape, used)] += shape.elements_per_token;
    sums[cached_layers_at] += 1.0;
  }
  sums[state_at] += state_bytes(p, shape);
}

void find_kv_heads(PreparedMemory& p, const std::vector<Tensor>& list) {
  int found = 0;
  for (const Tensor& t : list) {
    if (t.split != Split::kv_heads || t.kv_heads <= 0) continue;
    const double heads = d(t.kv_heads);
    if (found && p.kv_heads[0] == heads) continue;
    if (found < 2) p.kv_heads[static_cast<std::size_t>(found++)] = heads;
  }
  if (found == 1) p.kv_heads[1] = p.kv_heads[0];
}

bool is_first(Role r) {
  return r == Role::token_embedding || r == Role::position_embedding || r == Role::vision || r == Role::audio;
}

/// Quantised checkpoints of models with a tied embedding that carry the head as a tensor of its own.
bool holds_second_head(const PreparedMemory& p, WeightFormat format) {
  if (p.trains) return false;
  if (format == WeightFormat::awq || format == WeightFormat::fp8) return p.engine->unties_awq;
  return p.engine->unties_gptq && (format == WeightFormat::gptq_4bit || format == WeightFormat::gptq_8bit);
}

void add_outside(PreparedMemory& p, const Adding& adding, const std::vector<Tensor>& list, std::int64_t layers) {
  for (const Tensor& t : list) {
    if (t.layer_kind >= 0) continue;
    if (t.role == Role::mtp && !p.trains) continue;
    adding.add(is_first(t.role) ? p.first : p.last, t, is_first(t.role) ? 0 : layers, layers);
    if (t.role != Role::token_embedding || !adding.job.model->tied) continue;
    adding.add(p.tied, t, layers, layers);
    if (holds_second_head(p, adding.job.weights)) adding.add(p.last, t, layers, layers);
  }
}

/// Sines and cosines in 16 bits for every position up to the longest context, on every rank; models with learned positions have none.
double rotation_table_bytes(const Architecture& model, const std::vector<Tensor>& list) {
  for (const Tensor& t : list) {
    if (t.role == Role::position_embedding) return 0.0;
  }
  std::int64_t width = 0;
  for (const Layer& kind : model.kinds) {
    const Mixer& m = kind.mixer;
    const std::int64_t own = m.kind == MixerKind::mla ? m.mla.rope_dim : cache_shape(kind).elements_per_token > 0.0 ? m.head_dim : 0;
    width = width < own ? own : width;
  }
  return 2.0 * d(width) * d(model.max_context);
}

void take_larger(Sums& largest, const Sums& layer) {
  for (std::size_t i = 0; i < largest.v.size(); ++i) largest.v[i] = largest.v[i] < layer.v[i] ? layer.v[i] : largest.v[i];
}

/// Models that produce token after token cache keys and values; encoders and vision models see everything at once.
bool generates(const Architecture& model) {
  return model.model_class != ModelClass::encoder && model.model_class != ModelClass::vision && model.model_class != ModelClass::diffusion;
}

void add_layers(PreparedMemory& p, const Adding& adding, const std::vector<Tensor>& list) {
  const Architecture& model = *adding.job.model;
  const std::int64_t layers = model.layer_count();
  int groups = 0;
  Sums previous;
  p.prefix.assign(1, Sums{});
  p.prefix.reserve(static_cast<std::size_t>(layers) + 1);
  for (const std::vector<LayerRun>* order : {&model.order, &model.decoder_order}) {
    for (const LayerRun& run : *order) {
      const Layer& kind = model.kinds[static_cast<std::size_t>(run.kind)];
      for (std::int64_t i = 0; i < run.count; ++i) {
        Sums layer;
        for (const Tensor& t : list) {
          if (t.layer_kind == run.kind) adding.add(layer, t, static_cast<std::int64_t>(p.prefix.size()) - 1, layers);
        }
        add_activations(layer, model, kind, saving_rule(adding.job, p, adding.trained, adding.targets, kind.mixer), p.upcast ? 4.0 : p.element,
                        adding.layer_share);
        if (generates(model)) add_cache(layer, p, kind, adding.job.kv_cache, groups);
        layer[layers_at] += 1.0;
        take_larger(p.largest, layer);
        p.mixed_layers = p.mixed_layers || (p.prefix.size() > 1 && layer.v != previous.v);
        previous = layer;
        p.prefix.push_back(p.prefix.back() + layer);
      }
    }
  }
}

/// Tokens of one image, all tiles, that cross-attention layers attend to; 0 for models without them.
double image_tokens(const Architecture& model, double tiles) {
  const Tower& v = model.vision;
  bool crosses = false;
  for (const Layer& kind : model.kinds) crosses = crosses || kind.mixer.kind == MixerKind::cross;
  if (!crosses || v.patch <= 0 || model.model_class == ModelClass::encoder_decoder) return 0.0;
  const double side = d(v.image_size / v.patch);
  return v.tokens_per_item > 0 ? d(v.tokens_per_item) : tiles * (side * side + 1.0);
}

/// Bytes per parameter of a layer that is gathered whole: the frozen base in its own format, trained layers in the compute type.
double gathered_bytes(const PreparedMemory& p, const Job& job) {
  if (!trains_adapters(job.task, job.workload)) return p.element;
  const Sums& all = p.prefix.back();
  double bytes = 0.0, elements = 0.0;
  for (int i = 0; i < divide_count; ++i) {
    bytes += all[weights_at + i];
    elements += all[params_at + i];
  }
  return elements > 0.0 ? bytes / elements : p.element;
}

/// Models beside the one that trains. With adapters the base without them is the reference; a critic is then a base of its own.
void count_copies(PreparedMemory& p, const Job& job) {
  const Workload& w = job.workload;
  p.frozen_copies = p.task->frozen_copies, p.trained_copies = p.task->trained_copies;
  if (p.frozen_copies > 0.0 && (!w.reference_model || trains_adapters(job.task, w))) p.frozen_copies -= 1.0;
  if (trains_adapters(job.task, w)) p.frozen_copies += p.trained_copies - 1.0, p.trained_copies = 1.0;
}

/// The person's own settings of the framework.
void take_settings(PreparedMemory& p, const Job& job) {
  const Workload& w = job.workload;
  if (w.galore_rank) p.coefficient.galore_rank = p.sharded_coefficient.galore_rank = d(*w.galore_rank);
}

/// Layers that train at once, as a share of all.
double layer_share(const Job& job) {
  const double layers = d(job.model->layer_count());
  if (!job.workload.trained_layers || layers <= 0.0 || trains_adapters(job.task, job.workload)) return 1.0;
  const double wanted = d(*job.workload.trained_layers);
  return wanted < layers ? wanted / layers : 1.0;
}

/// The largest adapted matrix of one layer: DoRA forms its product of adapters whole.
double largest_adapted(const std::vector<Tensor>& list, const AdapterTargets& targets) {
  double most = 0.0;
  for (const Tensor& t : list) {
    const double elements = targets.has(t.role) ? d(t.rows) * d(t.columns) : 0.0;
    most = most < elements ? elements : most;
  }
  return most;
}

/// Encoders are tuned for classes or embeddings: only their pretraining has logits over the vocabulary.
bool has_vocabulary_loss(const Job& job) { return job.model->model_class != ModelClass::encoder || job.task == Task::pretraining; }

}  // namespace

PreparedMemoryPtr prepare_memory(const Job& job) {
  PreparedMemoryPtr out(new PreparedMemory);
  PreparedMemory& p = *out;
  const std::string_view software = job.software ? std::string_view(job.software->id) : std::string_view();
  p.trains = is_training(job.task);
  const std::int64_t release = parse_version(job.software_version);
  p.training = &training_recipe(software, release);
  p.sharded_training = *p.training->sharded_as ? &training_recipe(p.training->sharded_as, newest_version) : p.training;
  p.task = &task_recipe(job.task);
  p.engine = &engine_recipe(software, release);
  p.optimizer = &optimizer_recipe(job.optimizer);
  p.coefficient = resolve_coefficients(job, p);
  p.sharded_coefficient = p.trains ? resolve_sharded(job, p) : p.coefficient;
  p.element = bytes_per_element(job.activations == PlainType::fp8 || job.activations == PlainType::nvfp4 ? PlainType::bf16 : job.activations);
  p.upcast = p.training->kbit_upcast && job.task == Task::qlora && (job.weights == WeightFormat::nf4 || job.weights == WeightFormat::nf4_double);
  p.hidden = d(job.model->hidden);
  p.vocab = p.trains && !has_vocabulary_loss(job) ? 0.0 : d(job.model->vocab);
  count_copies(p, job);
  take_settings(p, job);
  for (const Layer& kind : job.model->kinds) p.heads = p.heads < d(kind.mixer.heads) ? d(kind.mixer.heads) : p.heads;
  if (job.model->model_class == ModelClass::vision) p.item_tokens = d(job.model->learned_positions);
  if (job.model->kinds.empty()) p.activation_elements_per_item = job.model->classic.activation_elements_per_item * (p.trains ? p.coefficient.classic_copies : 1.0);
  const std::vector<Tensor> list = tensors(*job.model);
  find_kv_heads(p, list);
  const Trained trained = what_trains(job);
  const Adding adding{job, p, trained, AdapterTargets(job.workload.lora_targets), trained.language ? layer_share(job) : 1.0};
  if (trained.adapters && job.workload.dora) p.dora_matrix = largest_adapted(list, adding.targets);
  add_layers(p, adding, list);
  add_outside(p, adding, list, job.model->layer_count());
  if (!p.trains && p.engine->rotation_table) p.rotation_bytes = rotation_table_bytes(*job.model, list);
  if (!p.trains) p.image_bytes = image_tokens(*job.model, p.coefficient.image_tiles) * d(job.model->vision.hidden) * p.element * p.coefficient.image_copies;
  p.largest_bytes_per_element = gathered_bytes(p, job);
  if (job.workload.gpu_layers && *job.workload.gpu_layers <= job.model->layer_count()) p.gpu_units = *job.workload.gpu_layers;
  reserve_stages(p);
  return out;
}

void PreparedMemoryDeleter::operator()(PreparedMemory* p) const { delete p; }

}  // namespace gpuplan
