#include <algorithm>

#include "core/catalog/ownership.hpp"
#include "core/catalog/profile.hpp"
#include "core/json/text.hpp"
#include "core/scenario/described_machine.hpp"
#include "core/scenario/machine_counts.hpp"
#include "core/scenario/resolve.hpp"

namespace gpuplan {
namespace {

using namespace literals;

/// Nodes that join for one job need RDMA at this speed at least: slower ones (eRDMA of small instances) are networks for services.
constexpr BytesPerSecond slowest_cluster_network = 100_Gbps;

bool same_word(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return false;
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), [&](char x, char y) { return lower(x) == lower(y); });
}

const char* class_name(ProviderClass c) {
  switch (c) {
    case ProviderClass::hyperscaler: return "hyperscaler";
    case ProviderClass::gpu_cloud: return "gpu-cloud";
    case ProviderClass::marketplace: return "marketplace";
    case ProviderClass::owned: return "owned";
  }
  return "gpu-cloud";
}

/// The provider's key is the part of the id before ':'.
std::string provider_key(const Instance& i) { return i.id.substr(0, i.id.find(':')); }

bool listed(const std::vector<std::string>& wanted, const std::string& a, const std::string& b) {
  if (wanted.empty()) return true;
  return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& w) { return same_word(w, a) || same_word(w, b); });
}

/// Regions: "china", "global", or the name of a region or its beginning ("us-", "eu-west").
bool in_regions(const std::vector<std::string>& wanted, const Instance& i) {
  if (wanted.empty()) return true;
  return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& w) {
    if (same_word(w, "china")) return i.in_china;
    if (same_word(w, "global")) return !i.in_china;
    return i.region.size() >= w.size() && same_word(i.region.substr(0, w.size()), w);
  });
}

bool price_fresh(const Instance& i, const Policy& p, const std::string& now) {
  if (i.price_date.empty()) return p.undated_prices && !p.max_price_age_days;
  if (!p.max_price_age_days) return true;
  const auto age = days_between(i.price_date, now);
  return !age || static_cast<double>(*age) <= *p.max_price_age_days;
}

bool allowed(const Instance& i, const Policy& p, const std::string& now) {
  return listed(p.providers, provider_key(i), i.provider) && in_regions(p.regions, i) && listed(p.provider_classes, class_name(i.provider_class), "") &&
         price_fresh(i, p, now);
}

Machine machine_of(const Knowledge& k, const Instance& i) {
  Machine m;
  m.gpu = &k.catalog.gpus[static_cast<std::size_t>(i.gpu)];
  m.gpus_per_node = i.gpus;
  m.memory_usable = m.gpu->memory_usable;
  m.host_memory = i.host_memory;
  m.scale_up = i.scale_up;
  m.scale_up_domain = i.scale_up_domain;
  m.scale_up_each_way = i.scale_up_each_way;
  m.pcie_each_way = i.pcie_each_way;
  m.scale_out = i.scale_out;
  m.scale_out_per_node_each_way = i.scale_out_per_node_each_way;
  m.nics_per_node = i.nics_per_node;
  m.rdma = i.rdma;
  return m;
}

Offer offer_of(const Knowledge& k, int index, const Policy& policy) {
  const Instance& i = k.catalog.instances[static_cast<std::size_t>(index)];
  Offer o;
  o.instance = index;
  o.machine = machine_of(k, i);
  o.usd_per_hour = usd_per_hour(k, i, policy);
  o.price_date = i.price_date;
  o.can_cluster = i.rdma && i.scale_out_per_node_each_way >= slowest_cluster_network;
  return o;
}

/// The probe's process had a context of its own, which the memory model charges as a part: it is added back, never beyond the total.
Bytes measured_memory(const Knowledge& k, const MeasuredGpu& gpu) {
  return min(gpu.memory_total, gpu.memory_usable + Bytes{k.calibration.value("reserve.context_bytes")});
}

/// What the person says of the machine wins over the catalog.
void apply_overrides(const Knowledge& k, const Hardware& h, Machine& m) {
  if (h.gpus_per_node) m.gpus_per_node = Gpus{*h.gpus_per_node};
  if (m.scale_up_domain < m.gpus_per_node && m.scale_up != ScaleUp::bridge) m.scale_up_domain = m.gpus_per_node;
  if (h.memory_gib) m.memory_usable = *h.memory_gib * 1_GiB;
  if (h.host_memory_gib) m.host_memory = *h.host_memory_gib * 1_GiB;
  if (h.scale_up_GBps) m.scale_up_each_way = *h.scale_up_GBps * 1_GBps;
  if (h.scale_out_gbps_per_node) {
    m.scale_out_per_node_each_way = *h.scale_out_gbps_per_node * 1_Gbps;
    if (m.scale_out == ScaleOut::none) m.scale_out = ScaleOut::infiniband;
    m.rdma = m.rdma || *h.scale_out_gbps_per_node >= 100.0;
  }
  if (h.profile) {
    m.profile = h.profile.get();
    if (!h.memory_gib) m.memory_usable = measured_memory(k, h.profile->gpu);
  }
}

/// What a node costs its owner by what the policy says of it; 0 when it says nothing.
double owner_rate(const Policy& p, const Gpu& gpu, Gpus gpus) {
  const Ownership own{p.purchase_usd, p.years, p.power_kw, p.usd_per_kwh};
  return own.any() ? usd_per_hour(own, gpu, gpus) : 0.0;
}

/// A machine without a price of its own costs what the cheapest offer of that GPU costs per GPU-hour.
void borrow_price(const Knowledge& k, const Policy& policy, Offer& o) {
  double best = 0.0;
  for (std::size_t i = 0; i < k.catalog.instances.size(); ++i) {
    const Instance& instance = k.catalog.instances[i];
    if (o.held || &k.catalog.gpus[static_cast<std::size_t>(instance.gpu)] != o.machine.gpu) continue;
    const double per_gpu = usd_per_hour(k, instance, policy) / static_cast<double>(instance.gpus.n);
    if (per_gpu <= 0.0 || (best > 0.0 && per_gpu >= best)) continue;
    best = per_gpu;
    o.price_of_instance = static_cast<int>(i);
    o.price_date = instance.price_date;
  }
  o.usd_per_hour = best * static_cast<double>(o.machine.gpus_per_node.n);
}

/// A profile of another generation of GPU than the scenario names would give that GPU rates that it cannot have.
std::optional<Problem> foreign_profile(const Hardware& h, const Gpu& gpu) {
  if (!h.profile || h.gpu_spec || gpu.compute_capability_major == 0) return std::nullopt;
  const MeasuredGpu& m = h.profile->gpu;
  if (m.compute_capability_major == gpu.compute_capability_major && m.compute_capability_minor == gpu.compute_capability_minor) return std::nullopt;
  return Problem{"/hardware/profile", ProblemCode::conflict,
                 "/hardware/profile was measured on " + m.name + ", but the scenario names " + gpu.name + "; leave out one of the two.", {}};
}

Result<std::vector<Offer>> named_offer(const Knowledge& k, const Scenario& s) {
  Offer o;
  Hardware hardware = s.hardware;
  if (s.hardware.instance) {
    auto index = find_instance(k.catalog, *s.hardware.instance, "/hardware/instance");
    if (!index) return index.problem();
    o = offer_of(k, *index, s.policy);
  } else {
    if (hardware.gpus.empty()) hardware = with_counts(hardware, s.layout);
    auto described = describe_machine(k.catalog, hardware);
    if (!described) return described.problem();
    o.held = described->held;
    o.devices = described->devices;
    o.machine = described->machine;
  }
  o.can_cluster = true;
  if (auto problem = foreign_profile(s.hardware, *o.machine.gpu)) return *problem;
  apply_overrides(k, hardware, o.machine);
  if (s.policy.pricing == Pricing::owned && o.usd_per_hour <= 0.0) o.usd_per_hour = owner_rate(s.policy, *o.machine.gpu, o.machine.gpus_per_node);
  else if (o.instance < 0 && !o.devices) borrow_price(k, s.policy, o);
  return std::vector<Offer>{o};
}

/// Whoever asks for a kind of price that no offer has is not answered with another kind.
bool lacks_rate(const Policy& p, const std::vector<Offer>& offers) {
  if (p.pricing != Pricing::owned && p.pricing != Pricing::reserved) return false;
  return std::none_of(offers.begin(), offers.end(), [](const Offer& o) { return o.usd_per_hour > 0.0; });
}

Problem unknown_entry(const char* list, std::size_t at, const std::string& word, const std::vector<std::string_view>& known) {
  Problem p{"/policy/" + std::string(list) + "/" + std::to_string(at), ProblemCode::unknown_id, "", nearest_ids(word, known)};
  p.message = p.pointer + " \"" + excerpt(word) + "\" is in no offer of the catalog." + nearest_sentence(p.nearest);
  return p;
}

/// A provider or region of the policy that no offer has: a slip of the pen, not a wish for an empty table.
std::optional<Problem> unknown_filter(const Knowledge& k, const Policy& p) {
  if (p.providers.empty() && p.regions.empty()) return std::nullopt;
  std::vector<std::string> keys;
  for (const Instance& i : k.catalog.instances) keys.push_back(provider_key(i));
  std::vector<std::string_view> providers(keys.begin(), keys.end()), regions{"china", "global"};
  std::sort(providers.begin(), providers.end());
  providers.erase(std::unique(providers.begin(), providers.end()), providers.end());
  for (const Instance& i : k.catalog.instances) regions.push_back(i.region);
  std::sort(regions.begin(), regions.end());
  regions.erase(std::unique(regions.begin(), regions.end()), regions.end());
  const auto any = [&](const auto& passes) { return std::any_of(k.catalog.instances.begin(), k.catalog.instances.end(), passes); };
  for (std::size_t n = 0; n < p.providers.size(); ++n) {
    if (!any([&](const Instance& i) { return listed({p.providers[n]}, provider_key(i), i.provider); })) return unknown_entry("providers", n, p.providers[n], providers);
  }
  for (std::size_t n = 0; n < p.regions.size(); ++n) {
    if (!any([&](const Instance& i) { return in_regions({p.regions[n]}, i); })) return unknown_entry("regions", n, p.regions[n], regions);
  }
  return std::nullopt;
}

}  // namespace

const char* missing_rate(Pricing pricing) {
  if (pricing == Pricing::owned) return "is \"owned\", but nothing says what the machine costs its owner: name it in /hardware and give /policy/purchase_usd (of one node; also years, power_kw, usd_per_kwh), or lay an own catalog over the shipped one.";
  if (pricing == Pricing::reserved) return "is \"reserved\", but there is no reserved price: give /policy/reserved_discount, the share that a commitment takes off the on-demand price.";
  return pricing == Pricing::spot ? "is \"spot\", but there is no spot price for this machine." : "is \"on-demand\", but there is no price for this machine.";
}

double usd_per_hour(const Knowledge& k, const Instance& i, const Policy& p) {
  const double rate = p.usd_per_cny && i.currency == "CNY" ? *p.usd_per_cny : usd_per_unit(k.catalog, i.currency);
  const double stated = i.price_per_hour(p.pricing) * rate;
  if (stated > 0.0) return stated;
  if (p.pricing == Pricing::reserved && p.reserved_discount) return i.price_per_hour(Pricing::on_demand) * rate * (1.0 - *p.reserved_discount);
  return 0.0;
}

Result<std::vector<Offer>> resolve_offers(const Knowledge& k, const Scenario& s, const std::string& now) {
  if (s.hardware.named()) return named_offer(k, s);
  if (auto problem = unknown_filter(k, s.policy)) return *problem;
  std::vector<Offer> out;
  bool any = false;
  for (std::size_t i = 0; i < k.catalog.instances.size(); ++i) {
    const Instance& instance = k.catalog.instances[i];
    if (instance.gpu < 0 || !allowed(instance, s.policy, now)) continue;
    any = true;
    const Offer offer = offer_of(k, static_cast<int>(i), s.policy);
    if (s.policy.pricing != Pricing::owned || offer.usd_per_hour > 0.0) out.push_back(offer);  // who asks for owned machines has those
  }
  if (any && lacks_rate(s.policy, out)) return Problem{"/policy/pricing", ProblemCode::conflict, std::string("/policy/pricing ") + missing_rate(s.policy.pricing), {}};
  return out;
}

}  // namespace gpuplan
