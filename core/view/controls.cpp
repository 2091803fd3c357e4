#include <algorithm>
#include <set>

#include "core/catalog/profile.hpp"
#include "core/json/text.hpp"
#include "core/scenario/fields.hpp"
#include "core/view/format.hpp"
#include "core/view/make.hpp"

namespace gpuplan {
namespace {

enum class For { all, serving, training, adapters, preference };
enum class Choices { words, shares, models, providers, software, gpus, machine, none };

/// What a control is beyond its field: where it stands and for which tasks. Limits and defaults come from the field table.
struct Spec {
  const char* id;
  const char* pointer;
  For tasks;
  bool in_line;
  Choices choices;
  double step;
};

constexpr Spec specs[] = {
    {"task", "/task", For::all, true, Choices::words, 0},
    {"model", "/model", For::all, true, Choices::models, 0},
    {"machine", "/hardware", For::all, true, Choices::machine, 0},
    {"weights", "/numerics/weights", For::all, true, Choices::words, 0},
    {"context", "/workload/context", For::serving, true, Choices::none, 1024},
    {"concurrency", "/workload/concurrency", For::serving, true, Choices::none, 1},
    {"sequence", "/workload/sequence", For::training, true, Choices::none, 1024},
    {"global_batch", "/workload/global_batch", For::training, true, Choices::none, 1},
    {"tokens", "/workload/tokens", For::training, true, Choices::none, 0},
    {"providers", "/policy/providers", For::all, true, Choices::providers, 0},
    {"regions", "/policy/regions", For::all, true, Choices::words, 0},
    {"currency", "/policy/currency", For::all, true, Choices::words, 0},
    {"objective", "/policy/objective", For::all, true, Choices::words, 0},
    {"headroom", "/policy/headroom", For::all, true, Choices::shares, 0},
    {"software", "/software", For::all, false, Choices::software, 0},
    {"input_tokens", "/workload/input_tokens", For::serving, false, Choices::none, 128},
    {"output_tokens", "/workload/output_tokens", For::serving, false, Choices::none, 64},
    {"prefix_hit_rate", "/workload/prefix_hit_rate", For::serving, false, Choices::none, 0.1},
    {"kv_cache", "/numerics/kv_cache", For::serving, false, Choices::words, 0},
    {"max_ttft_s", "/policy/max_ttft_s", For::serving, false, Choices::none, 0.1},
    {"max_tpot_s", "/policy/max_tpot_s", For::serving, false, Choices::none, 0.01},
    {"min_tokens_per_s", "/policy/min_tokens_per_s", For::all, false, Choices::none, 100},
    {"micro_batch", "/workload/micro_batch", For::training, false, Choices::none, 1},
    {"lora_rank", "/workload/lora_rank", For::adapters, false, Choices::none, 8},
    {"optimizer", "/numerics/optimizer", For::training, false, Choices::words, 0},
    {"recompute", "/layout/recompute", For::training, false, Choices::words, 0},
    {"recompute_layers", "/workload/recompute_layers", For::training, false, Choices::none, 1},
    {"zero", "/layout/zero", For::training, false, Choices::none, 1},
    {"optimizer_in_backward", "/workload/optimizer_in_backward", For::training, false, Choices::none, 0},
    {"activation_offload", "/workload/activation_offload", For::training, false, Choices::none, 0},
    {"compiled", "/workload/compiled", For::training, false, Choices::none, 0},
    {"adapters", "/workload/adapters", For::preference, false, Choices::none, 0},
    {"reference_model", "/workload/reference_model", For::preference, false, Choices::none, 0},
    {"rollout_sleeps", "/workload/rollout_sleeps", For::preference, false, Choices::none, 0},
    {"epochs", "/workload/epochs", For::training, false, Choices::none, 1},
    {"sample_tokens", "/workload/sample_tokens", For::training, false, Choices::none, 128},
    {"packed", "/workload/packed", For::training, false, Choices::none, 0},
    {"node_mtbf_hours", "/workload/node_mtbf_hours", For::training, false, Choices::none, 1000},
    {"checkpoint_GBps", "/workload/checkpoint_GBps", For::training, false, Choices::none, 1},
    {"deadline_hours", "/policy/deadline_hours", For::training, false, Choices::none, 24},
    {"max_usd", "/policy/max_usd", For::training, false, Choices::none, 100},
    {"max_usd_per_hour", "/policy/max_usd_per_hour", For::all, false, Choices::none, 1},
    {"pricing", "/policy/pricing", For::all, false, Choices::words, 0},
    {"reserved_discount", "/policy/reserved_discount", For::all, false, Choices::none, 0.05},
    {"provider_classes", "/policy/provider_classes", For::all, false, Choices::words, 0},
    {"undated_prices", "/policy/undated_prices", For::all, false, Choices::none, 0},
    {"max_price_age_days", "/policy/max_price_age_days", For::all, false, Choices::none, 30},
    {"usd_per_cny", "/policy/usd_per_cny", For::all, false, Choices::none, 0.01},
    {"tiers", "/policy/tiers", For::all, false, Choices::words, 0},
};

bool applies(For tasks, Task task) {
  switch (tasks) {
    case For::all: return true;
    case For::serving: return !is_training(task);
    case For::training: return is_training(task);
    case For::adapters: return is_adapter(task);
    case For::preference: return is_preference(task);
  }
  return true;
}

ControlKind kind_of(const Field& f) {
  switch (f.kind) {
    case FieldKind::integer:
    case FieldKind::number: return ControlKind::number;
    case FieldKind::flag: return ControlKind::toggle;
    case FieldKind::list: return ControlKind::multiple;
    default: return ControlKind::choice;
  }
}

/// The label of a value: a text of its own, or the value as it is written in the field.
std::string option_label(const std::string& control, std::string_view value, const Strings& s) {
  const std::string key = "option." + control + "." + (value.empty() ? std::string("auto") : std::string(value));
  if (s.has(key)) return s.text(key);
  const std::string format = "technique." + std::string(value);
  return s.has(format) ? s.text(format) : std::string(value);
}

std::vector<ControlOption> words(const Spec& spec, const Field& f, const Strings& s) {
  std::vector<ControlOption> out;
  if (f.nullable) out.push_back({"", option_label(spec.id, "", s)});
  const bool regions = std::string_view(spec.id) == "regions";
  const auto values = regions ? std::vector<std::string_view>{"global", "china", "us", "eu"} : f.words ? f.words() : std::vector<std::string_view>{};
  for (const std::string_view v : values) out.push_back({std::string(v), option_label(spec.id, v, s)});
  return out;
}

/// Kinds of price that the scenario has a rate for: choosing another would leave no offer. What is chosen stays.
void drop_unpriced(std::vector<ControlOption>& options, const Policy& p, const std::string& chosen) {
  const auto unpriced = [&](const ControlOption& o) {
    return o.value != chosen && ((o.value == "reserved" && !p.reserved_discount) || (o.value == "owned" && !p.purchase_usd));
  };
  options.erase(std::remove_if(options.begin(), options.end(), unpriced), options.end());
}

/// Shares of a whole as percentages; a value that is not among the usual ones joins them.
std::vector<ControlOption> shares(const std::string& current) {
  std::vector<ControlOption> out;
  bool known = false;
  for (const double share : {0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4}) {
    const std::string value = number_text(share);
    known = known || value == current;
    out.push_back({value, percent(share)});
  }
  if (!known) out.push_back({current, current});
  return out;
}

std::vector<ControlOption> model_options(const Knowledge& k, const Strings& s) {
  std::vector<ControlOption> out;
  for (const Architecture& a : k.models.all) out.push_back({a.id, a.name});
  std::sort(out.begin(), out.end(), [](const ControlOption& a, const ControlOption& b) { return a.label != b.label ? a.label < b.label : a.value < b.value; });
  out.insert(out.begin(), {"", s.text("option.model.auto")});
  return out;
}

std::vector<ControlOption> provider_options(const Knowledge& k) {
  std::set<std::pair<std::string, std::string>> seen;  // shown name, key
  for (const Instance& i : k.catalog.instances) seen.insert({i.provider, i.id.substr(0, i.id.find(':'))});
  std::vector<ControlOption> out;
  for (const auto& [shown, key] : seen) out.push_back({key, shown});
  return out;
}

std::vector<ControlOption> software_options(const Knowledge& k, Task task, const Strings& s) {
  std::vector<ControlOption> out{{"", s.text("option.software.auto")}};
  for (const Software& one : k.catalog.software) {
    if (std::find(one.tasks.begin(), one.tasks.end(), name(task)) != one.tasks.end()) out.push_back({one.id, one.name});
  }
  return out;
}

Control model_control(const Knowledge& k, const Scenario& scenario, const Strings& s) {
  Control c;
  c.options = model_options(k, s);
  c.value = scenario.model.id;
  if (scenario.model.custom_kind.empty() || !scenario.model.id.empty()) return c;
  c.value = "custom";
  c.options.insert(c.options.begin() + 1, {"custom", s.text("option.model.custom")});
  return c;
}

Control field_control(const Spec& spec, const Knowledge& k, const Scenario& scenario, const Strings& s) {
  static const Scenario defaults;
  const Field& f = *field_at(spec.pointer);
  Control c;
  c.kind = kind_of(f);
  c.value = text_of(f, scenario);
  c.default_value = text_of(f, defaults);
  c.minimum = f.minimum;
  c.maximum = f.maximum;
  c.integer = f.kind == FieldKind::integer;
  if (spec.pointer == std::string_view("/policy/usd_per_cny")) c.default_value = number_text(usd_per_unit(k.catalog, "CNY"));
  if (spec.choices == Choices::words) c.options = words(spec, f, s);
  if (spec.pointer == std::string_view("/policy/pricing")) drop_unpriced(c.options, scenario.policy, c.value);
  if (spec.choices == Choices::shares) {
    c.kind = ControlKind::choice;
    c.options = shares(c.value);
  }
  if (spec.choices == Choices::providers) c.options = provider_options(k);
  if (spec.choices == Choices::software) c.options = software_options(k, scenario.task, s);
  return c;
}

/// What a person calls the machine that the scenario names.
std::string machine_name(const Hardware& h) {
  if (h.profile) return h.profile->gpu.name;
  return h.instance ? *h.instance : h.gpu ? *h.gpu : std::string();
}

/// Only a way back: from the machine that the scenario names to any.
Control machine_control(const Scenario& scenario, const Strings& s) {
  const Hardware& h = scenario.hardware;
  Control c;
  c.value = "own";
  c.options = {{"", s.text("option.machine.auto")}, {"own", s.text(h.profile ? "option.machine.measured" : h.gpu_spec ? "option.machine.described" : "option.machine.named", {{"machine", machine_name(h)}})}};
  return c;
}

Control control_of(const Spec& spec, const Knowledge& k, const Scenario& scenario, const Strings& s) {
  if (spec.choices == Choices::models) return model_control(k, scenario, s);
  return spec.choices == Choices::machine ? machine_control(scenario, s) : field_control(spec, k, scenario, s);
}

}  // namespace

std::vector<Control> make_controls(const Knowledge& k, const Scenario& scenario, const Strings& s) {
  std::vector<Control> out;
  for (const Spec& spec : specs) {
    if (!applies(spec.tasks, scenario.task) || (spec.choices == Choices::machine && !scenario.hardware.named())) continue;
    Control c = control_of(spec, k, scenario, s);
    const std::string key = std::string("control.") + spec.id;
    c.id = spec.id;
    c.pointer = spec.pointer;
    c.label = s.text(key);
    if (s.has(key + ".help")) c.help = s.text(key + ".help");
    if (s.has(key + ".unit")) c.unit = s.text(key + ".unit");
    c.step = spec.step;
    c.in_line = spec.in_line;
    out.push_back(std::move(c));
  }
  return out;
}

}  // namespace gpuplan
