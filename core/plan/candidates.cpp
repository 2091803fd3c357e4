#include "core/plan/candidates.hpp"

#include "core/layout/rules.hpp"
#include "core/scenario/fitted_workload.hpp"

namespace gpuplan {
namespace {

struct Types {
  WeightFormat weights;
  PlainType activations;
};

/// The checkpoint's own format where it is a low-bit one, else 16 bits.
WeightFormat published_format(const Architecture& a) {
  const auto f = parse_weight_format(a.published_dtype);
  return f && is_quantized(*f) ? *f : WeightFormat::bf16;
}

WeightFormat default_weights(const Scenario& s, const ResolvedModel& m) {
  if (is_training(s.task) && !trains_adapters(s.task, s.workload)) return WeightFormat::bf16;  // whatever the checkpoint is stored in
  if (m.named_weights) return *m.named_weights;
  if (s.task == Task::qlora) return WeightFormat::nf4;
  if (is_training(s.task)) return WeightFormat::bf16;
  return published_format(*m.architecture);
}

/// The wished types, then what older GPUs can do instead: fp16 for bf16.
std::vector<Types> types_of(const Scenario& s, const ResolvedModel& m) {
  const bool chosen = s.numerics.weights.has_value();
  const WeightFormat weights = s.numerics.weights.value_or(default_weights(s, m));
  const PlainType act = s.numerics.activations;
  if (act != PlainType::automatic) return {{weights, act}};
  if (weights == WeightFormat::fp32) return {{weights, PlainType::fp32}};
  if (weights == WeightFormat::fp16) return {{weights, PlainType::fp16}};
  std::vector<Types> out{{weights, PlainType::bf16}};
  if (weights != WeightFormat::bf16) out.push_back({weights, PlainType::fp16});
  else if (!chosen) out.push_back({WeightFormat::fp16, PlainType::fp16});
  // A checkpoint published in a type that the GPU lacks is served from its 16-bit form.
  if (!chosen && !is_training(s.task) && weights != WeightFormat::bf16 && !m.named_weights) out.push_back({WeightFormat::bf16, PlainType::bf16});
  return out;
}

KvFormat kv_of(const Scenario& s, PlainType activations) {
  if (s.numerics.kv_cache != KvFormat::automatic) return s.numerics.kv_cache;
  return activations == PlainType::fp32 ? KvFormat::fp32 : activations == PlainType::fp16 ? KvFormat::fp16 : KvFormat::bf16;
}

Result<std::string> version_of(const Scenario& s, const Software& software) {
  if (!s.software_version) return software.versions.empty() ? std::string() : software.versions.back();
  for (const std::string& v : software.versions) {
    if (v == *s.software_version) return v;
  }
  return *s.software_version;  // newer or older than what we know: behaves like the nearest known one
}

Job job_of(const Knowledge& k, const Scenario& s, const ResolvedModel& m, int software, Types types) {
  Job job;
  job.model = m.architecture;
  job.software = &k.catalog.software[static_cast<std::size_t>(software)];
  job.software_version = *version_of(s, *job.software);
  job.task = s.task;
  job.weights = types.weights;
  job.activations = types.activations;
  job.kv_cache = kv_of(s, types.activations);
  job.gradients = s.numerics.gradients;
  job.master_weights = s.numerics.master_weights;
  job.optimizer = s.numerics.optimizer;
  job.workload = fitted_workload(s, *m.architecture);
  job.calibration = &k.calibration;
  return job;
}

std::optional<Problem> check_context(const Scenario& s, const Architecture& a) {
  const bool training = is_training(s.task);
  const Workload w = fitted_workload(s, a);
  const std::int64_t longest = training ? w.sequence : w.input_tokens + w.output_tokens;
  if (!training && longest > w.context) {
    return Problem{"/workload/context", ProblemCode::conflict,
                   "/workload/context (" + std::to_string(w.context) + ") must hold input_tokens + output_tokens (" + std::to_string(longest) + ").", {}};
  }
  if (!training && longest == 0) {
    return Problem{"/workload/input_tokens", ProblemCode::conflict, "/workload/input_tokens and /workload/output_tokens must not both be 0.", {}};
  }
  const bool language = a.model_class == ModelClass::decoder || a.model_class == ModelClass::encoder_decoder;
  if (trains_adapters(s.task, s.workload) && !language && a.kinds.empty()) {
    return Problem{"/task", ProblemCode::unsupported, "/task " + std::string(name(s.task)) + " needs a transformer; " + a.id + " has no linear layers to adapt.", {}};
  }
  return std::nullopt;
}

}  // namespace

Result<Candidates> make_candidates(const Knowledge& k, const Scenario& s) {
  auto model = resolve_model(k, s);
  if (!model) return model.problem();
  auto software = resolve_software(k, s);
  if (!software) return software.problem();
  if (auto p = check_context(s, *model->architecture)) return *p;
  Candidates out;
  out.model = *std::move(model);
  for (const int index : *software) {
    for (const Types types : types_of(s, out.model)) {
      auto c = std::make_unique<Candidate>();
      c->job = job_of(k, s, out.model, index, types);
      c->software = index;
      out.all.push_back(std::move(c));
    }
  }
  return out;
}

namespace {

/// Reading the coefficients takes longer than most searches of one machine: only what runs somewhere does it.
const Candidate* prepared(Candidate& c) {
  if (!c.memory) c.memory = prepare_memory(c.job);
  if (!c.time) c.time = prepare_time(c.job);
  return &c;
}


/// Cards that differ share a model only layer by layer, and each must run the job.
Refusal check_cards(const Job& job, const Machine& machine) {
  if (!machine.devices) return check_job(job, *machine.gpu);
  if (is_training(job.task) || !job.software->layer_split) return Refusal::devices;
  for (const Device& d : *machine.devices) {
    if (const Refusal r = check_job(job, *d.gpu); r != Refusal::none) return r;
  }
  return Refusal::none;
}

}  // namespace

std::vector<const Candidate*> candidates_for(const Candidates& candidates, const Machine& machine, std::int64_t* refusals) {
  for (const auto& c : candidates.all) {
    const Refusal r = check_cards(c->job, machine);
    if (r == Refusal::none) return {prepared(*c)};
    ++refusals[static_cast<std::size_t>(r)];
  }
  return {};
}

}  // namespace gpuplan
