#include "core/scenario/catalog_overlay.hpp"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "core/catalog/figures.hpp"
#include "core/catalog/ownership.hpp"
#include "core/catalog/words.hpp"
#include "core/json/text.hpp"
#include "core/scenario/described_machine.hpp"
#include "core/scenario/resolve.hpp"

namespace gpuplan {
namespace {

using nlohmann::json;
using namespace literals;

constexpr std::size_t most_machines = 500, most_prices = 2000, longest_text = 200;
constexpr double highest_price = 1e6;
constexpr const char* own_source = "own-catalog";

/// One object of the overlay: takes members out by name; the first problem is kept, what nobody took is refused at the end.
class Entry {
 public:
  Entry(const json& object, std::string pointer, std::optional<Problem>& problem) : object_(object), pointer_(std::move(pointer)), problem_(problem) {
    if (!object_.is_object()) refuse("", ProblemCode::wrong_type, "must be an object, not " + type_name(object_) + ".");
  }

  std::string text(const char* key, bool required = false) {
    const json* v = take(key, required, "a text");
    if (!v) return "";
    if (!v->is_string()) return refuse(key, ProblemCode::wrong_type, "must be text, not " + type_name(*v) + "."), "";
    const std::string out = v->get<std::string>();
    const bool plain = std::all_of(out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) >= 32 && c != 127; });
    if (out.size() > longest_text || !plain || (required && out.empty())) refuse(key, ProblemCode::out_of_range, "must be 1 to 200 bytes of text without control characters.");
    return out;
  }

  double number(const char* key, double low, double high, double fallback) { return maybe(key, low, high).value_or(fallback); }

  std::optional<double> maybe(const char* key, double low, double high) {
    const json* v = take(key, false, "a number");
    if (!v) return std::nullopt;
    if (v->is_number() && v->get<double>() >= low && v->get<double>() <= high) return v->get<double>();
    refuse(key, ProblemCode::out_of_range, "must be a number from " + number_text(low) + " to " + number_text(high) + ".");
    return std::nullopt;
  }

  std::int64_t whole(const char* key, double low, double high, std::int64_t fallback) {
    const double v = number(key, low, high, static_cast<double>(fallback));
    const auto n = static_cast<std::int64_t>(v);
    if (static_cast<double>(n) != v) refuse(key, ProblemCode::out_of_range, "must be a whole number.");
    return n;
  }

  bool flag(const char* key) {
    const json* v = take(key, false, "true or false");
    if (v && !v->is_boolean()) refuse(key, ProblemCode::wrong_type, "must be true or false, not " + type_name(*v) + ".");
    return v && v->is_boolean() && v->get<bool>();
  }

  std::string date(const char* key, const std::string& fallback) {
    const std::string out = text(key);
    if (!out.empty() && !days_between(out, out)) refuse(key, ProblemCode::out_of_range, "must be a date such as 2026-12-01.");
    return out.empty() ? fallback : out;
  }

  template <class Word>
  void word(const char* key, Word& value, const char* allowed) {
    const std::string given = text(key);
    if (!given.empty() && !read_word(given, value)) refuse(key, ProblemCode::unknown_id, std::string("must be one of ") + allowed + ".");
  }

  /// The members of a list, each as an Entry.
  template <class Each>
  void list(const char* key, std::size_t most, Each each) {
    const json* v = take(key, false, "a list");
    if (!v) return;
    if (!v->is_array() || v->size() > most) return refuse(key, ProblemCode::out_of_range, "must be a list of at most " + std::to_string(most) + " entries.");
    for (std::size_t i = 0; i < v->size() && !problem_; ++i) {
      Entry item((*v)[i], child(child(pointer_, key), std::to_string(i)), problem_);
      each(item);
      item.finish();
    }
  }

  void finish() {
    if (problem_) return;
    for (const auto& [key, value] : object_.items()) {
      if (taken_.count(key) == 0) return refuse(excerpt(key), ProblemCode::unknown_field, "is not a field of an own catalog.");
    }
  }

  void refuse(std::string_view key, ProblemCode code, const std::string& sentence) {
    const std::string at = key.empty() ? pointer_ : child(pointer_, key);
    if (!problem_) problem_ = Problem{at, code, at + " " + sentence, {}};
  }
  void refuse(Problem p) {
    if (!problem_) problem_ = std::move(p);
  }
  std::string at(const char* key) const { return child(pointer_, key); }
  bool good() const { return !problem_; }

 private:
  const json* take(const char* key, bool required, const char* what) {
    taken_.insert(key);
    if (problem_) return nullptr;
    const auto found = object_.find(key);
    if (found != object_.end() && !found->is_null()) return &*found;
    if (required) refuse(key, ProblemCode::missing_field, std::string("is required: ") + what + ".");
    return nullptr;
  }

  const json& object_;
  std::string pointer_;
  std::optional<Problem>& problem_;
  std::set<std::string> taken_;
};

void read_prices(Entry& e, const Catalog& catalog, const std::string& date, Instance& i) {
  i.on_demand_per_hour = e.number("on_demand_per_hour", 0.0001, highest_price, i.on_demand_per_hour);
  i.spot_per_hour = e.number("spot_per_hour", 0.0001, highest_price, i.spot_per_hour);
  i.reserved_per_hour = e.number("reserved_per_hour", 0.0001, highest_price, i.reserved_per_hour);
  const std::string currency = e.text("currency"), region = e.text("region");
  if (!currency.empty()) i.currency = currency;
  if (i.currency.empty()) i.currency = "USD";
  if (!region.empty()) i.region = region;
  if (e.good() && usd_per_unit(catalog, i.currency) <= 0.0) e.refuse("currency", ProblemCode::unknown_id, "has no exchange rate in the catalog; give the price in USD.");
  i.price_date = e.date("price_date", date);
  i.price_source = own_source;
  i.price_recalled = false;
  i.lowest_region_per_hour = i.highest_region_per_hour = 0.0;
}

/// An owned machine costs what its purchase and its electricity cost per hour, whatever kind of price is asked for.
void read_ownership(Entry& e, const Catalog& catalog, Instance& i) {
  Ownership o;
  o.purchase_usd = e.maybe("purchase_usd", 1, 1e9);
  o.years = e.maybe("years", 0.1, 50);
  o.power_kw = e.maybe("power_kw", 0.001, 1e5);
  o.usd_per_kwh = e.maybe("usd_per_kwh", 0, 100);
  if (!e.good() || !o.any()) return;
  if (i.on_demand_per_hour > 0.0) return e.refuse("purchase_usd", ProblemCode::conflict, "and a price per hour exclude each other: an owned machine has no rent.");
  if (i.currency != "USD") return e.refuse("currency", ProblemCode::conflict, "must be USD for an owned machine.");
  i.on_demand_per_hour = usd_per_hour(o, catalog.gpus[static_cast<std::size_t>(i.gpu)], i.gpus);
  i.provider_class = ProviderClass::owned;
}

/// Wired as the usual machine of its GPU, except for what the person says.
void wire(Entry& e, const Catalog& catalog, const std::string& gpu, Instance& i) {
  Hardware usual;
  usual.gpu = gpu;
  usual.gpus_per_node = i.gpus.n;
  const auto described = describe_machine(catalog, usual);
  if (!described) return e.refuse(described.problem());
  const Machine& m = described->machine;
  i.scale_up = i.gpus.n > 1 ? m.scale_up : ScaleUp::none;
  i.scale_up_domain = i.gpus.n > 1 ? m.scale_up_domain : Gpus{1};
  i.scale_up_each_way = m.scale_up_each_way;
  i.pcie_each_way = m.pcie_each_way;
  e.word("scale_up", i.scale_up, "none, pcie, pcie_p2p, bridge, mesh, switched, all_to_all");
  if (const auto v = e.maybe("scale_up_GBps", 0.001, 1e6)) i.scale_up_each_way = *v * 1_GBps;
  if (const auto v = e.maybe("pcie_GBps", 0.001, 1e4)) i.pcie_each_way = *v * 1_GBps;
  const auto network = e.maybe("network_gbps_per_node", 0.001, 1e7);
  if (network) i.scale_out_per_node_each_way = *network * 1_Gbps;
  i.scale_out = !network ? ScaleOut::none : *network >= 100.0 ? ScaleOut::infiniband : ScaleOut::tcp;
  e.word("network", i.scale_out, "none, tcp, efa, roce, infiniband, gpudirect_tcpx, ici");
  i.rdma = network && i.scale_out != ScaleOut::none && i.scale_out != ScaleOut::tcp;
  i.nics_per_node = network ? 1 : 0;
}

Instance read_machine(Entry& e, const Catalog& catalog, const std::string& date) {
  Instance i;
  const std::string id = e.text("id", true), gpu = e.text("gpu", true);
  const std::size_t colon = id.find(':');
  const std::string key = colon == std::string::npos ? "own" : id.substr(0, colon);
  i.type = colon == std::string::npos ? id : id.substr(colon + 1);
  i.id = key + ":" + i.type;
  if (e.good() && (key.empty() || i.type.empty())) e.refuse("id", ProblemCode::out_of_range, "must be a name, or provider:name, for example \"lab:rack-1\".");
  for (const Provider& p : catalog.providers) {
    if (p.key != key) continue;
    i.provider = p.name;
    i.provider_class = p.provider_class;
    i.in_china = p.in_china;
  }
  const std::string provider = e.text("provider");
  i.provider = !provider.empty() ? provider : i.provider.empty() ? key : i.provider;
  i.gpus = Gpus{e.whole("gpus", 1, 1024, 1)};
  i.vcpus = static_cast<int>(e.whole("vcpus", 1, 4096, 0));
  i.host_memory = e.number("host_memory_gib", 0.1, 1e6, 0) * 1_GiB;
  i.in_china = e.flag("in_china") || i.in_china;
  i.machine_source = own_source;
  i.kinds = std::string(instance_figures().size(), '-');
  i.notes = e.text("notes");
  if (!e.good()) return i;
  auto index = find_gpu(catalog, gpu, e.at("gpu"));
  if (!index) return e.refuse(index.problem()), i;
  i.gpu = *index;
  read_prices(e, catalog, date, i);
  read_ownership(e, catalog, i);
  e.word("class", i.provider_class, "hyperscaler, gpu-cloud, marketplace, owned");
  wire(e, catalog, gpu, i);
  return i;
}

bool has_price(const Instance& i) { return i.on_demand_per_hour + i.spot_per_hour + i.reserved_per_hour > 0.0; }

}  // namespace

Result<Catalog> lay_over(const Catalog& shipped, const json& overlay) {
  std::optional<Problem> problem;
  Catalog out = shipped;
  std::vector<Instance> named;
  Entry top(overlay, "/catalog_overlay", problem);
  if (top.whole("version", 1, 1, 1) != 1 || problem) return problem.value_or(Problem{});
  const std::string date = top.date("date", "");
  top.text("source");
  const bool only = top.flag("only");
  top.list("prices", most_prices, [&](Entry& e) {
    auto index = find_instance(shipped, e.text("instance", true), e.at("instance"));
    if (!e.good()) return;
    if (!index) return e.refuse(index.problem());
    Instance& i = out.instances[static_cast<std::size_t>(*index)];
    // Shipped prices of other kinds have another date and maybe another currency: they go.
    i.on_demand_per_hour = i.spot_per_hour = i.reserved_per_hour = 0.0;
    read_prices(e, shipped, date, i);
    if (e.good() && !has_price(i)) e.refuse("", ProblemCode::missing_field, "names no price: give on_demand_per_hour, spot_per_hour or reserved_per_hour.");
    named.push_back(i);
  });
  if (only) out.instances = named;
  top.list("machines", most_machines, [&](Entry& e) {
    Instance i = read_machine(e, shipped, date);
    const bool twice = std::any_of(out.instances.begin(), out.instances.end(), [&](const Instance& other) { return other.id == i.id; });
    if (e.good() && twice) e.refuse("id", ProblemCode::conflict, "\"" + excerpt(i.id) + "\" is there already; change its price under /catalog_overlay/prices.");
    out.instances.push_back(std::move(i));
  });
  top.finish();
  if (problem) return *problem;
  if (out.instances.empty()) return Problem{"/catalog_overlay", ProblemCode::missing_field, "/catalog_overlay with \"only\" needs at least one machine or price.", {}};
  return out;
}

}  // namespace gpuplan
