/// Where a quantised checkpoint departs from its format's usual form: another group size, parts kept in 16 bits, experts narrower than the rest.
#include <algorithm>

#include "core/model/huggingface/dialect.hpp"
#include "core/model/tensors.hpp"

namespace gpuplan {
namespace {

constexpr Role attention_roles[] = {Role::attn_q, Role::attn_k, Role::attn_v, Role::attn_o, Role::mla_q_a, Role::mla_q_b, Role::mla_kv_a, Role::mla_kv_b};
constexpr Role recurrent_roles[] = {Role::ssm_in, Role::ssm_out};
constexpr Role dense_roles[] = {Role::mlp_gate, Role::mlp_up, Role::mlp_down};
constexpr Role shared_roles[] = {Role::shared_gate_proj, Role::shared_up, Role::shared_down};
constexpr Role expert_roles[] = {Role::expert_gate, Role::expert_up, Role::expert_down};

template <std::size_t N>
void store(Architecture& a, const Role (&roles)[N], double bytes_per_element) {
  for (const Role r : roles) a.stored.push_back({static_cast<int>(r), 0, a.layer_count(), bytes_per_element});
}

bool has_layer_number(const std::string& entry) {
  for (std::size_t i = 1; i < entry.size(); ++i) {
    if (entry[i - 1] == '.' && entry[i] >= '0' && entry[i] <= '9') return true;
  }
  return false;
}

/// Whether `entry` leaves all of `part` out: nothing but wildcards behind its name.
bool names_whole(const std::string& entry, const std::string& part) {
  const std::size_t at = entry.rfind(part);
  if (at == std::string::npos) return false;
  return entry.find_first_not_of("s*.\\", at + part.size()) == std::string::npos;
}

/// Whether the list of modules kept in 16 bits holds `part` for nearly all layers.
bool keeps(const std::vector<std::string>& list, const std::string& part, std::int64_t layers) {
  std::int64_t counted = 0;
  for (const std::string& entry : list) {
    if (!names_whole(entry, part)) continue;
    if (!has_layer_number(entry)) return true;
    ++counted;
  }
  return counted * 10 >= layers * 9 && layers > 0;
}

std::vector<std::string> kept_modules(const ConfigView& q) {
  for (const char* key : {"ignore", "modules_to_not_convert", "exclude_modules", "llm_int8_skip_modules"}) {
    if (auto list = q.texts({key})) return *list;
  }
  return {};
}

/// bits/8 and the scale (and zero point) of a group of inputs, in bytes per element; 0 where the format's usual form holds.
double grouped_bytes(const ConfigView& q, const std::string& format) {
  ConfigView weights = q;
  if (const auto groups = q.object({"config_groups"})) {
    const auto group = groups->first_object();
    if (const auto inner = group ? group->object({"weights"}) : std::nullopt) weights = *inner;
  }
  const bool integer = format == "awq" || format == "gptq-4bit" || format == "gptq-8bit" || format == "int4";
  const std::int64_t group = weights.count({"group_size", "q_group_size", "groupsize"}).value_or(0);
  const bool spelled = weights.text({"bits", "w_bit", "wbits"}).has_value();
  const std::int64_t usual = format == "gptq-8bit" ? 8 : 4;
  const std::int64_t bits = spelled ? usual : weights.count({"bits", "w_bit", "wbits", "num_bits"}).value_or(usual);
  if (!integer || bits < 1 || bits > 8 || (bits == usual && (group == 128 || group == 0))) return 0.0;
  const double b = static_cast<double>(bits) / 8.0;
  const bool zeros = format != "int4" && !weights.flag({"symmetric"}).value_or(false);
  return b + (group > 0 ? (2.0 + (zeros ? b : 0.0)) / static_cast<double>(group) : 0.0);
}

void read_departures(const Dialect& d, Architecture& a) {
  const auto q = d.root.object({"quantization_config"}) ? d.root.object({"quantization_config"}) : d.text.object({"quantization_config"});
  if (!q) return;
  if (d.text.text({"expert_dtype"}).value_or("") == "fp4" && a.published_dtype == "mxfp4") {
    const double blocks_of_128 = 1.0 + 4.0 / (128.0 * 128.0);
    store(a, attention_roles, blocks_of_128), store(a, shared_roles, blocks_of_128), store(a, dense_roles, blocks_of_128);
    return;
  }
  const std::vector<std::string> kept = kept_modules(*q);
  const double grouped = grouped_bytes(*q, a.published_dtype);
  const bool plain_attention = keeps(kept, "self_attn", a.layer_count()) || keeps(kept, ".attn", a.layer_count());
  const bool plain_shared = keeps(kept, "shared_expert", a.layer_count());
  bool plain_dense = keeps(kept, ".mlp", a.layer_count());
  for (const std::string& entry : kept) plain_dense = plain_dense || entry.find("mlp\\.(gate|up") != std::string::npos;
  if (plain_attention) store(a, attention_roles, 2.0);
  if (plain_attention || keeps(kept, "linear_attn", a.layer_count())) store(a, recurrent_roles, 2.0);
  if (plain_shared) store(a, shared_roles, 2.0);
  if (plain_dense) store(a, dense_roles, 2.0);
  if (grouped <= 0.0) return;
  if (!plain_attention) store(a, attention_roles, grouped);
  if (!plain_shared) store(a, shared_roles, grouped);
  if (!plain_dense) store(a, dense_roles, grouped);
  store(a, expert_roles, grouped);
}

}  // namespace

void read_storage(const Dialect& d, Architecture& a) {
  read_departures(d, a);
  if (a.stored.empty()) return;
  std::vector<bool> there(static_cast<std::size_t>(Role::other) + 1, false);
  for (const Tensor& t : tensors(a)) there[static_cast<std::size_t>(t.role)] = true;
  a.stored.erase(std::remove_if(a.stored.begin(), a.stored.end(), [&](const StoredRun& run) { return !there[static_cast<std::size_t>(run.role)]; }), a.stored.end());
}

}  // namespace gpuplan
