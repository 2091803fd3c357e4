#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/catalog/figures.hpp"
#include "core/catalog/load.hpp"
#include "core/catalog/table.hpp"
#include "core/catalog/words.hpp"

namespace gpuplan {

using nlohmann::json;

namespace {

constexpr double highest_price = 1e6;
const char* const reference_provider = "reference";

/// The text `field` of an object, "" where it is not one.
std::string text_of(const json& entry, const char* field) {
  const auto found = entry.is_object() ? entry.find(field) : entry.end();
  return entry.is_object() && found != entry.end() && found->is_string() ? found->get<std::string>() : "";
}

std::optional<Problem> load_providers(const json& document, Catalog& catalog) {
  const auto providers = document.find("providers");
  if (providers == document.end() || !providers->is_object()) {
    return Problem{"/instances/providers", ProblemCode::missing_field, "instances needs an object \"providers\"", {}};
  }
  for (const auto& [key, entry] : providers->items()) {
    const auto text = [&fields = entry](const char* field) { return text_of(fields, field); };
    ProviderClass provider_class = ProviderClass::gpu_cloud;
    if (text("name").empty() || !read_word(text("class"), provider_class)) {
      return Problem{"/instances/providers/" + key, ProblemCode::wrong_type, "provider " + key + " needs a name and a known class", {}};
    }
    const bool in_china = entry.contains("in_china") && entry["in_china"].is_boolean() && entry["in_china"].get<bool>();
    catalog.providers.push_back({key, text("name"), text("name_zh"), provider_class, in_china});
  }
  return std::nullopt;
}

std::optional<Problem> load_rates(const json& document, Catalog& catalog) {
  const auto rates = document.find("exchange_rates");
  if (rates == document.end() || !rates->is_array()) {
    return Problem{"/instances/exchange_rates", ProblemCode::missing_field, "instances needs a list \"exchange_rates\"", {}};
  }
  for (std::size_t at = 0; at < rates->size(); ++at) {
    const json& entry = (*rates)[at];
    const auto text = [&entry](const char* field) { return text_of(entry, field); };
    const bool numeric = entry.is_object() && entry.contains("usd_per_unit") && entry["usd_per_unit"].is_number();
    const double rate = numeric ? entry["usd_per_unit"].get<double>() : 0.0;
    if (text("currency").size() != 3 || !(rate > 0.0 && rate < 100.0)) {
      return Problem{"/instances/exchange_rates/" + std::to_string(at), ProblemCode::out_of_range, "an exchange rate needs a currency and USD per unit above 0", {}};
    }
    catalog.rates.push_back({text("currency"), rate, text("date"), text("source")});
  }
  return std::nullopt;
}

/// Reads the texts of every offer; the provider is still its key.
void read_texts(CatalogTable& table, std::vector<Instance>& offers) {
  const auto text = [&](const char* column, std::string Instance::*member) {
    std::vector<std::string> values = table.texts(column);
    for (std::size_t row = 0; row < offers.size(); ++row) offers[row].*member = std::move(values[row]);
  };
  text("provider", &Instance::provider);
  text("type", &Instance::type);
  text("region", &Instance::region);
  text("currency", &Instance::currency);
  text("price_date", &Instance::price_date);
  text("price_source", &Instance::price_source);
  text("machine_source", &Instance::machine_source);
  text("machine_kinds", &Instance::kinds);
  text("notes", &Instance::notes);
}

void read_numbers(CatalogTable& table, std::vector<Instance>& offers) {
  for (const FigureColumn<Instance>& figure : instance_figures()) {
    const std::vector<double> values = table.numbers(figure.key, figure.low, figure.high, figure.required);
    for (std::size_t row = 0; row < offers.size(); ++row) figure.set(offers[row], values[row]);
  }
  const auto price = [&](const char* column, double Instance::*member) {
    const std::vector<double> values = table.numbers(column, 0.001, highest_price);
    for (std::size_t row = 0; row < offers.size(); ++row) offers[row].*member = values[row];
  };
  price("on_demand_per_hour", &Instance::on_demand_per_hour);
  price("spot_per_hour", &Instance::spot_per_hour);
  price("reserved_per_hour", &Instance::reserved_per_hour);
  price("lowest_region_per_hour", &Instance::lowest_region_per_hour);
  price("highest_region_per_hour", &Instance::highest_region_per_hour);
  const std::vector<bool> rdma = table.flags("rdma");
  for (std::size_t row = 0; row < offers.size(); ++row) offers[row].rdma = rdma[row];
}

/// Words that refer to something else: provider, GPU, links, currency.
class References {
 public:
  explicit References(const Catalog& catalog) : catalog_(catalog) {
    for (std::size_t at = 0; at < catalog.gpus.size(); ++at) gpu_.emplace(catalog.gpus[at].id, static_cast<int>(at));
    for (const Provider& provider : catalog.providers) provider_.emplace(provider.key, &provider);
  }

  void resolve(CatalogTable& table, std::size_t row, const std::string& gpu, const std::string& link, const std::string& network, Instance& offer) {
    const auto provider = provider_.find(offer.provider);
    if (provider == provider_.end()) return table.refuse("provider", row, ProblemCode::unknown_id, "is no provider: " + offer.provider);
    const auto known = gpu_.find(gpu);
    if (known == gpu_.end()) return table.refuse("gpu", row, ProblemCode::unknown_id, "is no GPU of the catalog: " + gpu);
    if (!read_word(link, offer.scale_up)) return table.refuse("scale_up", row, ProblemCode::unknown_id, "is no kind of link: " + link);
    if (!read_word(network, offer.scale_out)) return table.refuse("scale_out", row, ProblemCode::unknown_id, "is no kind of network: " + network);
    offer.id = offer.provider + ":" + offer.type;
    if (!ids_.insert(offer.id).second) return table.refuse("type", row, ProblemCode::conflict, "is there twice: " + offer.id);
    if (priced(offer) && usd_per_unit(catalog_, offer.currency) <= 0.0) {
      return table.refuse("currency", row, ProblemCode::unknown_id, "has no exchange rate: " + offer.currency);
    }
    offer.provider = provider->second->name;
    offer.provider_class = provider->second->provider_class;
    offer.in_china = provider->second->in_china;
    offer.gpu = known->second;
  }

 private:
  static bool priced(const Instance& offer) { return offer.on_demand_per_hour + offer.spot_per_hour + offer.reserved_per_hour > 0.0; }

  const Catalog& catalog_;
  std::map<std::string, int> gpu_;
  std::map<std::string, const Provider*> provider_;
  std::set<std::string> ids_;
};

}  // namespace

std::optional<Problem> load_instances(const json& document, Catalog& catalog) {
  CatalogTable table(document, "instances", "type");
  if (table.problem()) return table.problem();
  if (const auto problem = load_providers(document, catalog)) return problem;
  if (const auto problem = load_rates(document, catalog)) return problem;
  std::vector<Instance> offers(table.rows());
  read_texts(table, offers);
  read_numbers(table, offers);
  const auto gpus = table.texts("gpu"), links = table.texts("scale_up"), networks = table.texts("scale_out"), confidence = table.texts("gpu_confidence");
  References references(catalog);
  for (std::size_t row = 0; row < offers.size() && !table.problem(); ++row) {
    Instance& offer = offers[row];
    const bool reference = offer.provider == reference_provider;
    if (offer.kinds.size() != instance_figures().size()) table.refuse("machine_kinds", row, ProblemCode::wrong_type, "needs one letter per figure");
    references.resolve(table, row, gpus[row], links[row], networks[row], offer);
    offer.gpu_inferred = confidence[row] != "exact";
    (reference ? catalog.reference_nodes : catalog.instances).push_back(std::move(offer));
  }
  if (table.problem()) return table.problem();
  return load_dates(document, "instances", catalog);
}

}  // namespace gpuplan
