/// Exact bytes: how many bytes an element of each role takes in each layer, folded into runs.
#include <algorithm>
#include <map>
#include <vector>

#include "core/dtype.hpp"
#include "core/model/architecture_json.hpp"
#include "core/model/files/file_model.hpp"
#include "core/model/files/tensor_role.hpp"

namespace gpuplan {
namespace {

struct Sum {
  double elements = 0.0, bytes = 0.0;
  bool packed = false;           ///< some of its tensors hold several weights in one element
  std::vector<Role> covers;      ///< roles that its tensors hold together
};
using Place = std::pair<Role, std::int64_t>;
using Sums = std::map<Place, Sum>;

/// Types that hold several small weights in one element.
bool is_packed(const FileTensor& t) { return t.type == "I32" || t.type == "U8" || t.type == "F4" || t.type == "U32" || t.type == "I16"; }

/// A tensor that holds several roles counts for each of them; in models whose blocks are `per_block` layers here, for each of those layers.
/// `recurrent`: in such a layer projections that are called attention's belong to the recurrent mixer.
void add_named(Sums& sums, const NamedTensor& n, const FileTensor& t, std::int64_t at, bool recurrent) {
  const std::int64_t layer = n.role == Role::mtp ? -1 : at;
  const bool input = n.role == Role::attn_q || n.role == Role::attn_k || n.role == Role::attn_v;
  std::vector<Role> roles = {n.role};
  if (recurrent && (input || n.role == Role::attn_o)) roles = {input ? Role::ssm_in : Role::ssm_out};
  else if (n.fused_qkv) roles = {Role::attn_q, Role::attn_k, Role::attn_v};
  if (n.fused_gate && n.role == Role::mlp_up) roles = {Role::mlp_gate, Role::mlp_up};
  if (n.fused_gate && n.role == Role::expert_up) roles = {Role::expert_gate, Role::expert_up};
  for (const Role role : roles) {
    Sum& s = sums[{role, layer}];
    if (s.covers.size() < roles.size()) s.covers = roles;
    s.elements += n.side ? 0.0 : t.elements;
    s.bytes += t.bytes;
    s.packed = s.packed || (!n.side && is_packed(t));
  }
}

/// Elements of each role in each layer as the architecture counts them: what packed tensors unpack to.
class Unpacked {
 public:
  explicit Unpacked(const Architecture& a) : list_(tensors(a)) {
    for (const auto* runs : {&a.order, &a.decoder_order}) {
      for (const LayerRun& run : *runs) kinds_.insert(kinds_.end(), static_cast<std::size_t>(run.count), run.kind);
    }
  }
  /// Whether a layer's mixer is recurrent.
  bool recurrent(std::int64_t layer) const {
    if (layer < 0 || layer >= static_cast<std::int64_t>(kinds_.size())) return false;
    const int kind = kinds_[static_cast<std::size_t>(layer)];
    return of_kind({Role::ssm_in}, kind) > 0.0 && of_kind({Role::attn_q, Role::mla_q_b}, kind) == 0.0;
  }
  /// Of the whole block of `per_block` layers that `layer` is one of.
  double elements(const std::vector<Role>& roles, std::int64_t layer, std::int64_t per_block) const {
    if (layer < 0) return of_kind(roles, -1);
    double sum = 0.0;
    for (std::int64_t i = layer / per_block * per_block, end = i + per_block; i < end && i < static_cast<std::int64_t>(kinds_.size()); ++i) sum += of_kind(roles, kinds_[static_cast<std::size_t>(i)]);
    return sum;
  }

 private:
  double of_kind(const std::vector<Role>& roles, int kind) const {
    double sum = 0.0;
    for (const Tensor& t : list_) {
      if (t.layer_kind == kind && std::find(roles.begin(), roles.end(), t.role) != roles.end()) sum += t.elements();
    }
    return sum;
  }
  std::vector<Tensor> list_;
  std::vector<int> kinds_;
};

/// 2 where each block of the file is two layers of the architecture (Falcon-H1, LongCat), else 1.
std::int64_t layers_per_block(const std::vector<FileHeader>& parts, const Architecture& a) {
  std::int64_t blocks = 0;
  for (const FileHeader& part : parts) {
    for (const FileTensor& t : part.tensors) blocks = std::max(blocks, name_tensor(t.name).layer + 1);
  }
  return a.decoder_order.empty() && blocks > 0 && a.layer_count() == 2 * blocks ? 2 : 1;
}

/// The mixes of general.file_type by number (llama.h).
const char* file_type_name(int type) {
  static constexpr std::pair<int, const char*> names[] = {
      {0, "fp32"},     {1, "fp16"},     {2, "q4_0"},    {3, "q4_1"},     {7, "q8_0"},     {8, "q5_0"},   {9, "q5_1"},   {10, "q2_k"},   {11, "q3_k_s"}, {12, "q3_k_m"},
      {13, "q3_k_l"},  {14, "q4_k_s"},  {15, "q4_k_m"}, {16, "q5_k_s"},  {17, "q5_k_m"},  {18, "q6_k"},  {19, "iq2_xxs"}, {20, "iq2_xs"}, {21, "q2_k_s"}, {22, "iq3_xs"},
      {23, "iq3_xxs"}, {24, "iq1_s"},   {25, "iq4_nl"}, {26, "iq3_s"},   {27, "iq3_m"},   {28, "iq2_s"}, {29, "iq2_m"}, {30, "iq4_xs"}, {31, "iq1_m"},  {32, "bf16"},
      {36, "tq1_0"},   {37, "tq2_0"},   {38, "mxfp4"}};
  for (const auto& [number, name] : names) {
    if (number == type) return name;
  }
  return nullptr;
}

/// The nearest format of the protocol to a storage type.
std::string format_of_type(const std::string& type) {
  static constexpr std::pair<const char*, const char*> names[] = {{"f32", "fp32"},    {"f16", "fp16"},     {"F32", "fp32"},   {"F16", "fp16"},    {"BF16", "bf16"}, {"F8_E4M3", "fp8"},
                                                                  {"F8_E5M2", "fp8"}, {"q2_k", "q2_k"},    {"q3_k", "q3_k_m"}, {"q4_k", "q4_k_m"}, {"q5_k", "q5_k_m"}, {"I8", "int8"},
                                                                  {"U8", "mxfp4"},    {"F4", "nvfp4"},     {"I32", "gptq-4bit"}, {"q1_0", "iq1_s"}, {"q2_0", "iq2_s"}};
  for (const auto& [from, to] : names) {
    if (type == from) return to;
  }
  return parse_weight_format(type) ? type : "bf16";
}

}  // namespace

std::string dominant_format(const std::vector<FileHeader>& parts) {
  std::map<std::string, double> bytes;
  for (const FileHeader& part : parts) {
    const MetaEntry *type = part.find("general.file_type"), *arch = part.find("general.architecture");
    if (arch && arch->text == "clip") continue;  // a projector beside the model
    if (type && !type->numbers.empty() && type->numbers[0] >= 0.0 && type->numbers[0] < 65536.0) {
      if (const char* name = file_type_name(static_cast<int>(type->numbers[0]) & 1023)) return name;
    }
    for (const FileTensor& t : part.tensors) bytes[t.type] += t.bytes;
  }
  const auto most = std::max_element(bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == bytes.end() ? "" : format_of_type(most->first);
}

void take_stored_types(const std::vector<FileHeader>& parts, Architecture& a) {
  Sums sums;
  const std::int64_t per_block = layers_per_block(parts, a);
  const Unpacked unpacked(a);
  for (const FileHeader& part : parts) {
    for (const FileTensor& t : part.tensors) {
      const NamedTensor n = name_tensor(t.name);
      for (std::int64_t k = 0; k < (n.layer < 0 ? 1 : per_block); ++k) {
        const std::int64_t layer = n.layer < 0 ? -1 : n.layer * per_block + k;
        add_named(sums, n, t, layer, per_block == 1 && unpacked.recurrent(layer));
      }
    }
  }
  const auto named = parse_weight_format(a.published_dtype);
  const bool said = named && is_quantized(*named) && !parts.empty() && parts[0].format == "safetensors";  // the config.json beside knows it better than types
  if (!said) a.published_dtype = dominant_format(parts);
  const auto shown = [&](const StoredRun& run) { return std::any_of(sums.begin(), sums.end(), [&](const auto& place) { return static_cast<int>(place.first.first) == run.role; }); };
  if (!said) a.stored.clear();
  a.stored.erase(std::remove_if(a.stored.begin(), a.stored.end(), shown), a.stored.end());  // of roles that the file does not name, the configuration's word holds
  for (auto& [place, sum] : sums) {
    if (sum.packed) sum.elements = unpacked.elements(sum.covers, place.second, per_block);
    if (sum.elements <= 0.0 || place.second >= most_layers || a.stored.size() >= static_cast<std::size_t>(most_layers)) continue;
    const double each = sum.bytes / sum.elements;
    const bool goes_on = !a.stored.empty() && a.stored.back().role == static_cast<int>(place.first) && a.stored.back().first >= 0 &&
                         a.stored.back().first + a.stored.back().count == place.second && a.stored.back().bytes_per_element == each;
    if (goes_on) {
      ++a.stored.back().count;
    } else if (each <= 16.0) {
      a.stored.push_back({static_cast<int>(place.first), place.second, 1, each});
    }
  }
}

}  // namespace gpuplan
