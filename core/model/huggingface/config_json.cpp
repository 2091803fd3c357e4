#include "core/model/huggingface/config_json.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/json/text.hpp"
#include "core/model/architecture_json.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

/// The value as a whole number: integers, and floats without a fraction ("4096.0").
std::optional<std::int64_t> as_whole(const json& v) {
  if (v.is_number_unsigned() && v.get<std::uint64_t>() <= static_cast<std::uint64_t>(largest_params)) return static_cast<std::int64_t>(v.get<std::uint64_t>());
  if (v.is_number_integer() && !v.is_number_unsigned()) {
    const std::int64_t n = v.get<std::int64_t>();
    if (n >= -largest_params && n <= largest_params) return n;
  }
  if (v.is_number_float()) {
    const double d = v.get<double>();
    if (d >= -1e15 && d <= 1e15 && d == static_cast<double>(static_cast<std::int64_t>(d))) return static_cast<std::int64_t>(d);
  }
  return std::nullopt;
}

/// Whether a key's name speaks of widths, counts or kinds of layers, and not of tokens, training or rotation.
bool sounds_like_size(const std::string& key) {
  const auto holds_any = [&](std::initializer_list<const char*> parts) {
    return std::any_of(parts.begin(), parts.end(), [&](const char* part) { return key.find(part) != std::string::npos; });
  };
  if (holds_any({"token", "rope", "rotary", "theta", "eps", "init", "dropout", "drop_", "scal", "coef", "cap", "return", "output_", "label", "beam", "length", "penalty", "version", "max_window"})) return false;
  return holds_any({"size", "dim", "width", "rank", "head", "layer", "expert", "moe", "mamba", "ssm", "state", "conv", "kernel", "group", "block", "num_", "n_", "patch"});
}

}  // namespace

void Findings::assume(const std::string& code, const std::string& text) {
  for (const Note& n : notes) {
    if (n.code == code && n.text == text) return;
  }
  notes.push_back({code, Severity::info, text});
}

void Findings::fail(const std::string& pointer, ProblemCode code, const std::string& what) {
  if (!problem) problem = Problem{pointer, code, "The field " + pointer + " " + what, {}};
}

std::string ConfigView::at(const char* name) const { return child(pointer_, name); }

void ConfigView::missing(const char* name, const std::string& meaning) const {
  if (findings_->problem) return;
  findings_->problem = Problem{at(name), ProblemCode::missing_field, "The field " + at(name) + " (" + meaning + ") is missing; add it to the configuration.", {}};
}

const json* ConfigView::find(Names names, const char*& found) const {
  for (const char* name : names) {
    const auto it = object_->find(name);
    if (it != object_->end() && !it->is_null()) {
      found = name;
      findings_->read.insert(child(pointer_, name));
      return &*it;
    }
  }
  return nullptr;
}

bool ConfigView::has(const char* name) const {
  const char* found = nullptr;
  return find({name}, found) != nullptr;
}

bool ConfigView::is_list(const char* name) const {
  const char* found = nullptr;
  const json* v = find({name}, found);
  return v && v->is_array();
}

std::optional<std::int64_t> ConfigView::whole(Names names, const char*& found) const {
  const json* v = find(names, found);
  if (!v || v->is_array() || v->is_object()) {
    if (v) findings_->fail(at(found), ProblemCode::wrong_type, "must be a whole number, not " + type_name(*v) + ".");
    return std::nullopt;
  }
  const std::optional<std::int64_t> n = as_whole(*v);
  if (!n) findings_->fail(at(found), v->is_number() ? ProblemCode::out_of_range : ProblemCode::wrong_type, "must be a whole number, not " + type_name(*v) + ".");
  return n;
}

std::optional<std::int64_t> ConfigView::size(Names names) const {
  const char* found = nullptr;
  const std::optional<std::int64_t> n = whole(names, found);
  if (!n) return std::nullopt;
  if (*n < 1 || *n > largest_size) {
    findings_->fail(at(found), ProblemCode::out_of_range, "must be between 1 and " + std::to_string(largest_size) + ", not " + std::to_string(*n) + ".");
    return std::nullopt;
  }
  return n;
}

std::optional<std::int64_t> ConfigView::count(Names names) const {
  const char* found = nullptr;
  const std::optional<std::int64_t> n = whole(names, found);
  if (!n || *n < 0) return std::nullopt;
  if (*n > largest_size) {
    findings_->fail(at(found), ProblemCode::out_of_range, "must be between 0 and " + std::to_string(largest_size) + ", not " + std::to_string(*n) + ".");
    return std::nullopt;
  }
  return n;
}

std::optional<double> ConfigView::number(Names names) const {
  const char* found = nullptr;
  const json* v = find(names, found);
  if (!v) return std::nullopt;
  if (v->is_number()) return v->get<double>();
  findings_->fail(at(found), ProblemCode::wrong_type, "must be a number, not " + type_name(*v) + ".");
  return std::nullopt;
}

std::optional<bool> ConfigView::flag(Names names) const {
  const char* found = nullptr;
  const json* v = find(names, found);
  if (!v) return std::nullopt;
  if (v->is_boolean()) return v->get<bool>();
  if (const auto n = as_whole(*v); n && (*n == 0 || *n == 1)) return *n == 1;
  findings_->fail(at(found), ProblemCode::wrong_type, "must be true or false, not " + type_name(*v) + ".");
  return std::nullopt;
}

std::optional<std::string> ConfigView::text(Names names) const {
  const char* found = nullptr;
  const json* v = find(names, found);
  if (!v || !v->is_string()) return std::nullopt;
  return v->get_ref<const std::string&>().substr(0, 20000);
}

std::optional<std::vector<std::int64_t>> ConfigView::integers(Names names) const {
  const char* found = nullptr;
  const json* v = find(names, found);
  if (!v || !v->is_array()) return std::nullopt;
  if (v->size() > static_cast<std::size_t>(most_layers)) {
    findings_->fail(at(found), ProblemCode::too_large, "must have at most " + std::to_string(most_layers) + " entries.");
    return std::nullopt;
  }
  std::vector<std::int64_t> out;
  for (const json& e : *v) {
    const std::optional<std::int64_t> n = e.is_boolean() ? std::optional<std::int64_t>(e.get<bool>() ? 1 : 0) : as_whole(e);
    if (!n) {
      findings_->fail(at(found), ProblemCode::wrong_type, "must be a list of whole numbers; it holds " + type_name(e) + ".");
      return std::nullopt;
    }
    out.push_back(*n);
  }
  return out;
}

std::optional<std::vector<std::string>> ConfigView::texts(Names names) const {
  const char* found = nullptr;
  const json* v = find(names, found);
  if (!v || !v->is_array() || v->size() > static_cast<std::size_t>(most_layers)) return std::nullopt;
  std::vector<std::string> out;
  for (const json& e : *v) {
    if (!e.is_string()) return std::nullopt;
    out.push_back(e.get_ref<const std::string&>().substr(0, 200));
  }
  return out;
}

std::optional<ConfigView> ConfigView::object(Names names) const {
  const char* found = nullptr;
  const json* v = find(names, found);
  if (!v || !v->is_object()) return std::nullopt;
  return ConfigView(*v, at(found), *findings_);
}

std::size_t ConfigView::entries(const char* list) const {
  const char* found = nullptr;
  const json* v = find({list}, found);
  return v && v->is_array() ? v->size() : 0;
}

std::optional<ConfigView> ConfigView::entry(const char* list, std::size_t index) const {
  if (index >= entries(list)) return std::nullopt;
  const json& v = (*object_)[list][index];
  if (!v.is_object()) return std::nullopt;
  return ConfigView(v, child(at(list), std::to_string(index)), *findings_);
}

std::optional<double> ConfigView::number_in(const char* list, std::size_t index) const {
  if (index >= entries(list) || !(*object_)[list][index].is_number()) return std::nullopt;
  return (*object_)[list][index].get<double>();
}

std::vector<ConfigView> ConfigView::objects() const {
  std::vector<ConfigView> out;
  for (const auto& item : object_->items()) {
    if (item.value().is_object() && out.size() < 1000) out.push_back(ConfigView(item.value(), child(pointer_, item.key()), *findings_));
  }
  return out;
}

std::vector<std::string> ConfigView::keys() const {
  std::vector<std::string> out;
  for (const auto& item : object_->items()) out.push_back(item.key());
  return out;
}

std::vector<std::string> ConfigView::unread_sizes() const {
  std::vector<std::string> names;
  for (const auto& item : object_->items()) {
    const bool sizes = (item.value().is_number_integer() && item.value() != 0) || (item.value().is_array() && !item.value().empty());
    if (sizes && sounds_like_size(item.key()) && findings_->read.count(child(pointer_, item.key())) == 0) names.push_back(excerpt(item.key()));
  }
  return names;
}

std::optional<ConfigView> ConfigView::first_object() const {
  for (const auto& item : object_->items()) {
    if (item.value().is_object()) return ConfigView(item.value(), child(pointer_, item.key()), *findings_);
  }
  return std::nullopt;
}

}  // namespace gpuplan
