#include "core/api/inspect_answer.hpp"

#include <nlohmann/json.hpp>

#include "core/model/architecture_json.hpp"
#include "core/model/tensors.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

/// Groups that a person thinks in.
const char* part_of(Role r) {
  switch (r) {
    case Role::token_embedding:
    case Role::position_embedding: return "embedding";
    case Role::lm_head: return "head";
    case Role::attn_q: case Role::attn_k: case Role::attn_v: case Role::attn_o:
    case Role::mla_q_a: case Role::mla_q_b: case Role::mla_kv_a: case Role::mla_kv_b: case Role::index: return "attention";
    case Role::mlp_gate: case Role::mlp_up: case Role::mlp_down: return "feed_forward";
    case Role::router: case Role::expert_gate: case Role::expert_up: case Role::expert_down: case Role::latent_proj: return "experts";
    case Role::shared_gate_proj: case Role::shared_up: case Role::shared_down: case Role::shared_expert_gate: return "shared_experts";
    case Role::ssm_in: case Role::ssm_out: case Role::ssm_small: return "state_space";
    case Role::vision: return "vision";
    case Role::audio: return "audio";
    case Role::mtp: return "mtp";
    default: return "norms_and_others";
  }
}

json parameters_of(const Architecture& a) {
  const std::vector<std::int64_t> layers = layers_by_kind(a);
  json by_part = json::object();
  for (const Tensor& t : tensors(a)) {
    const double times = t.layer_kind < 0 ? 1.0 : static_cast<double>(layers[static_cast<std::size_t>(t.layer_kind)]);
    json& sum = by_part[part_of(t.role)];
    sum = (sum.is_null() ? 0.0 : sum.get<double>()) + t.elements() * times;
  }
  const ParameterCount count = count_parameters(a);
  return {{"total", count.total}, {"active", count.active}, {"text", count.text}, {"embedding", count.embedding}, {"by_part", by_part}};
}

/// Cache at 16 bits: what grows with every token, what grows inside its window only, and what a sequence takes at once.
void add_cache(const Architecture& a, json& answer) {
  const std::vector<std::int64_t> layers = layers_by_kind(a);
  double growing = 0.0, windowed = 0.0, state = 0.0;
  for (std::size_t k = 0; k < a.kinds.size(); ++k) {
    const CacheShape c = cache_shape(a.kinds[k]);
    const double times = static_cast<double>(layers[k]);
    (c.window > 0 ? windowed : growing) += c.elements_per_token * times;
    state += (c.state_fp32 ? 4.0 * (c.state_elements - c.conv_elements) + 2.0 * c.conv_elements : 2.0 * c.state_elements) * times;
  }
  answer["kv_bytes_per_token"] = 2.0 * (growing + windowed);
  answer["kv_bytes_per_token_beyond_window"] = 2.0 * growing;
  answer["state_bytes_per_sequence"] = state;
}

json weights_of(const Architecture& a) {
  json bytes = json::object();
  for (int f = 0; f < weight_format_count; ++f) bytes[name(static_cast<WeightFormat>(f))] = checkpoint_bytes(a, static_cast<WeightFormat>(f));
  return bytes;
}

/// Bytes and counts are whole numbers in JSON.
void make_whole(json& j) {
  if (j.is_number_float()) {
    const double d = j.get<double>();
    if (d >= 0.0 && d < 9e15) j = static_cast<std::int64_t>(d + 0.5);
  } else if (j.is_structured()) {
    for (json& inner : j) make_whole(inner);
  }
}

}  // namespace

json inspect_answer(const char* kind, const DescribedModel& m, json model) {
  json answer = {{"kind", kind}, {"parameters", parameters_of(m.architecture)}, {"weights_bytes", weights_of(m.architecture)}};
  add_cache(m.architecture, answer);
  make_whole(answer);
  answer["architecture"] = write_architecture(m.architecture);
  answer["weights"] = m.weights ? json(name(*m.weights)) : json(nullptr);
  answer["assumptions"] = json::array();
  for (const Note& n : m.assumptions) answer["assumptions"].push_back({{"code", n.code}, {"text", n.text}});
  answer["model"] = std::move(model);
  return answer;
}

}  // namespace gpuplan
