#include <nlohmann/json.hpp>
#include <string>

#include "core/json/text.hpp"
#include "core/model/architecture_fields.hpp"
#include "core/model/architecture_json.hpp"
#include "core/model/tensors.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

/// Visits the fields of one JSON object, remembers the first problem and how many of its keys were known.
class Reader {
 public:
  Reader(const json& object, std::string pointer, std::optional<Problem>& problem) : object_(object), pointer_(std::move(pointer)), problem_(problem) {}

  void operator()(const char* name, std::int64_t& out) { number(name, out, size_limit(name)); }
  void params(const char* name, std::int64_t& out) { number(name, out, largest_params); }
  void operator()(const char* name, int& out) {
    std::int64_t wide = out;
    number(name, wide, 1'000'000);
    out = static_cast<int>(wide);
  }
  void operator()(const char* name, bool& out) {
    const json* v = find(name);
    if (!v) return;
    if (!v->is_boolean()) return fail(name, ProblemCode::wrong_type, "must be true or false.");
    out = v->get<bool>();
  }
  void operator()(const char* name, double& out) {
    const json* v = find(name);
    if (!v) return;
    if (!v->is_number()) return fail(name, ProblemCode::wrong_type, "must be a number.");
    const double d = v->get<double>();
    if (!(d >= 0.0 && d <= 1e30)) return fail(name, ProblemCode::out_of_range, "must be between 0 and 1e30.");
    out = d;
  }
  void operator()(const char* name, std::string& out) {
    const json* v = find(name);
    if (!v) return;
    if (!v->is_string()) return fail(name, ProblemCode::wrong_type, "must be a text.");
    if (v->get_ref<const std::string&>().size() > 200) return fail(name, ProblemCode::too_large, "must be at most 200 bytes long.");
    out = v->get<std::string>();
  }
  template <class Enum, std::size_t N>
  void operator()(const char* name, Enum& out, const char* const (&names)[N]) {
    const json* v = find(name);
    if (!v) return;
    for (std::size_t i = 0; i < N; ++i) {
      if (v->is_string() && v->get_ref<const std::string&>() == names[i]) {
        out = static_cast<Enum>(i);
        return;
      }
    }
    std::string allowed = "must be one of";
    for (const char* n : names) allowed += std::string(" ") + n;
    fail(name, ProblemCode::wrong_type, allowed + ".");
  }
  template <class T>
  void object(const char* name, T& out) {
    if (const json* v = find(name)) read_object(*v, pointer_ + "/" + name, out);
  }
  void layers(const char* name, std::vector<Layer>& out) {
    const json* v = list(name);
    if (!v) return;
    out.resize(v->size());
    for (std::size_t i = 0; i < v->size() && !problem_; ++i) read_object((*v)[i], pointer_ + "/" + name + "/" + std::to_string(i), out[i]);
  }
  void runs(const char* name, std::vector<LayerRun>& out) {
    const json* v = list(name);
    if (!v) return;
    for (const json& run : *v) {
      const bool pair = run.is_array() && run.size() == 2 && is_within(run[0], most_layers) && is_within(run[1], most_layers);
      if (!pair) {
        return fail(name, ProblemCode::wrong_type, "must be a list of pairs [kind, count] of whole numbers, each at most 10000.");
      }
      out.push_back({run[0].get<int>(), run[1].get<std::int64_t>()});
    }
  }

  void stored(const char* name, std::vector<StoredRun>& out) {
    const json* v = list(name);
    if (!v) return;
    for (const json& run : *v) {
      const bool shaped = run.is_array() && run.size() == 4 && run[0].is_string() && run[1].is_number_integer() && run[2].is_number_integer() && run[3].is_number();
      const std::optional<Role> role = shaped ? parse_role(run[0].get_ref<const std::string&>()) : std::nullopt;
      const bool ranged = role && (is_within(run[1], most_layers) || run[1] == -1) && is_within(run[2], most_layers) && run[3] >= 0.0 && run[3] <= 16.0;
      if (!ranged) return fail(name, ProblemCode::wrong_type, "must be a list of [role, first layer or -1, count, bytes per element].");
      out.push_back({static_cast<int>(*role), run[1].get<std::int64_t>(), run[2].get<std::int64_t>(), run[3].get<double>()});
    }
  }

  template <class T>
  void read_object(const json& v, std::string pointer, T& out) {
    if (problem_) return;
    if (!v.is_object()) {
      problem_ = Problem{pointer, ProblemCode::wrong_type, "The field " + pointer + " must be an object.", {}};
      return;
    }
    Reader inner(v, std::move(pointer), problem_);
    fields(inner, out);
    inner.refuse_unknown();
  }
  void refuse_unknown() {
    if (problem_ || known_.size() == object_.size()) return;
    for (const auto& item : object_.items()) {
      bool known = false;
      for (const char* k : known_) known = known || item.key() == k;
      if (!known) return fail(excerpt(item.key()), ProblemCode::unknown_field, "is not a field of an architecture; remove it.");
    }
  }

 private:
  const json* find(const char* name) {
    if (problem_) return nullptr;
    const auto it = object_.find(name);
    if (it == object_.end()) return nullptr;
    known_.push_back(name);
    return &*it;
  }
  static bool is_within(const json& v, std::int64_t largest) {
    if (v.is_number_unsigned()) return v.get<std::uint64_t>() <= static_cast<std::uint64_t>(largest);
    return v.is_number_integer() && v.get<std::int64_t>() >= 0 && v.get<std::int64_t>() <= largest;
  }
  const json* list(const char* name) {
    const json* v = find(name);
    if (!v) return nullptr;
    if (!v->is_array() || v->size() > static_cast<std::size_t>(most_layers)) {
      fail(name, ProblemCode::wrong_type, "must be a list of at most 10000 entries.");
      return nullptr;
    }
    return v;
  }
  void number(const char* name, std::int64_t& out, std::int64_t largest) {
    const json* v = find(name);
    if (!v) return;
    if (!v->is_number_integer()) return fail(name, ProblemCode::wrong_type, "must be a whole number.");
    if (!is_within(*v, largest)) return fail(name, ProblemCode::out_of_range, "must be between 0 and " + std::to_string(largest) + ".");
    out = v->get<std::int64_t>();
  }
  void fail(const std::string& name, ProblemCode code, const std::string& what) {
    const std::string at = child(pointer_, name);
    if (!problem_) problem_ = Problem{at, code, "The field " + at + " " + what, {}};
  }

  const json& object_;
  std::string pointer_;
  std::optional<Problem>& problem_;
  std::vector<const char*> known_;
};

/// Sizes that follow from others when left out: as many key/value heads as heads, values as wide as keys.
void fill_in(Mixer& m) {
  if (m.kv_heads == 0) m.kv_heads = m.heads;
  if (m.v_head_dim == 0) m.v_head_dim = m.head_dim;
}

}  // namespace

Result<Architecture> read_architecture(const json& object, std::string_view pointer) {
  std::optional<Problem> problem;
  Architecture a;
  const json none = json::object();
  Reader(none, std::string(pointer), problem).read_object(object, std::string(pointer), a);
  if (problem) return *problem;
  for (Layer& layer : a.kinds) fill_in(layer.mixer);
  if (std::optional<Problem> unsound = check_architecture(a, pointer)) return *unsound;
  return a;
}

}  // namespace gpuplan
