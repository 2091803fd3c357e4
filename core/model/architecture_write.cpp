#include <nlohmann/json.hpp>

#include "core/model/architecture_fields.hpp"
#include "core/model/architecture_json.hpp"
#include "core/model/tensors.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;

template <class T>
json write_object(T value, T defaults);

/// Collects the plain fields of one object by address, so that a second pass can compare each with its default.
class Writer {
 public:
  explicit Writer(json& out) : out_(out) {}
  template <class T>
  void operator()(const char* name, const T& value) {
    out_[name] = value;
  }
  template <class Enum, std::size_t N>
  void operator()(const char* name, Enum& value, const char* const (&names)[N]) {
    out_[name] = names[static_cast<std::size_t>(value)];
  }
  void params(const char* name, std::int64_t value) { out_[name] = value; }
  template <class T>
  void object(const char* name, T& value) {
    json inner = write_object(value, T{});
    if (!inner.empty()) out_[name] = std::move(inner);
  }
  void layers(const char* name, std::vector<Layer>& values) {
    for (Layer& layer : values) out_[name].push_back(write_object(layer, Layer{}));
  }
  void runs(const char* name, std::vector<LayerRun>& values) {
    for (const LayerRun& run : values) out_[name].push_back(json::array({run.kind, run.count}));
  }
  void stored(const char* name, std::vector<StoredRun>& values) {
    for (const StoredRun& run : values) out_[name].push_back(json::array({role_name(static_cast<Role>(run.role)), run.first, run.count, run.bytes_per_element}));
  }

 private:
  json& out_;
};

template <class T>
json write_object(T value, T defaults) {
  json written = json::object(), plain = json::object();
  Writer writer(written), reference(plain);
  fields(writer, value);
  fields(reference, defaults);
  for (const auto& item : plain.items()) {
    const auto it = written.find(item.key());
    if (it != written.end() && *it == item.value()) written.erase(it);
  }
  return written;
}

/// The inverse of what reading fills in.
void leave_out(Mixer& m) {
  if (m.kv_heads == m.heads) m.kv_heads = 0;
  if (m.v_head_dim == m.head_dim) m.v_head_dim = 0;
}

}  // namespace

json write_architecture(const Architecture& architecture) {
  Architecture a = architecture;
  for (Layer& layer : a.kinds) leave_out(layer.mixer);
  return write_object(a, Architecture{});
}

}  // namespace gpuplan
