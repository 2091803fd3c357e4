#include "core/memory/adapters.hpp"

namespace gpuplan::memory {
namespace {

struct Named {
  const char* name;
  Role roles[6];
  int count;
};

constexpr Named attention_names[] = {
    {"q_proj", {Role::attn_q, Role::mla_q_a, Role::mla_q_b}, 3}, {"k_proj", {Role::attn_k, Role::mla_kv_a}, 2},
    {"v_proj", {Role::attn_v, Role::mla_kv_b}, 2},               {"o_proj", {Role::attn_o}, 1},
    {"ssm", {Role::ssm_in, Role::ssm_out}, 2},
};
constexpr Named mlp_names[] = {
    {"gate_proj", {Role::mlp_gate, Role::shared_gate_proj, Role::expert_gate}, 3},
    {"up_proj", {Role::mlp_up, Role::shared_up, Role::expert_up}, 3},
    {"down_proj", {Role::mlp_down, Role::shared_down, Role::expert_down}, 3},
};

}  // namespace

void AdapterTargets::add_named(const std::string& name) {
  const bool all = name == "all-linear" || name == "all";
  for (const Named& row : attention_names) {
    const bool qv = name == "qv" && (row.roles[0] == Role::attn_q || row.roles[0] == Role::attn_v);
    if (!(all || qv || name == "attention" || name == row.name)) continue;
    for (int i = 0; i < row.count; ++i) add(row.roles[i]);
  }
  for (const Named& row : mlp_names) {
    if (!(all || name == "mlp" || name == row.name)) continue;
    for (int i = 0; i < row.count; ++i) add(row.roles[i]);
  }
}

AdapterTargets::AdapterTargets(const std::vector<std::string>& names) {
  for (const std::string& name : names) add_named(name);
}

bool AdapterTargets::any_attention() const {
  for (const Named& row : attention_names) {
    for (int i = 0; i < row.count; ++i) {
      if (has(row.roles[i])) return true;
    }
  }
  return false;
}

bool AdapterTargets::any_mlp() const { return has(Role::mlp_gate) || has(Role::mlp_up) || has(Role::mlp_down); }

void add_adapter(Sums& sums, const Tensor& t, double rank, Divide divide) {
  const double in = rank * static_cast<double>(t.columns) * static_cast<double>(t.copies);
  const double out = rank * static_cast<double>(t.rows) * static_cast<double>(t.copies);
  const bool by_expert = t.split == Split::expert;
  const bool divides_inputs = t.split == Split::row;
  sums[adapters_at + (by_expert || divides_inputs ? divide : replicated)] += in;
  sums[adapters_at + (divides_inputs ? replicated : divide)] += out;
}

}  // namespace gpuplan::memory
