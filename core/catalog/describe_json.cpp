#include "core/catalog/describe.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/catalog/figures.hpp"
#include "core/catalog/names.hpp"
#include "core/catalog/table.hpp"
#include "core/catalog/words.hpp"

namespace gpuplan {

using nlohmann::json;

namespace {

/// Writes figures and remembers which sources they cite.
class Describer {
 public:
  explicit Describer(const Catalog& catalog) : catalog_(catalog) {}

  json figure(json value, const std::string& unit, char kind, const std::string& sources, const std::string& date) {
    for (const std::string& word : words_of(sources)) cited_.insert(word);
    return {{"value", std::move(value)}, {"unit", unit}, {"kind", kind_name(kind)}, {"source", sources}, {"date", date}};
  }

  template <class Row>
  void figures(const std::vector<FigureColumn<Row>>& columns, const Row& row, const std::string& kinds, const std::string& row_sources, json& into) {
    for (std::size_t at = 0; at < columns.size() && at < kinds.size(); ++at) {
      if (kinds[at] == '-') continue;
      const std::string sources = source_of(catalog_, kinds[at], columns[at].key, row_sources);
      into[columns[at].key] = figure(plain_number(columns[at].get(row)), columns[at].unit, kinds[at], sources, date_of(catalog_, sources));
    }
  }

  /// The answer: entries, and the texts of the cited sources where the asset is at hand.
  Result<json> answer(const char* what, json entries, std::string_view sources_json) const {
    json made = {{what, std::move(entries)}};
    if (sources_json.empty()) return made;
    const Result<json> texts = parse_asset(sources_json, "sources");
    if (!texts) return texts.problem();
    made["sources"] = json::object();
    for (const std::string& key : cited_) {
      if (texts->is_object() && texts->contains(key)) made["sources"][key] = (*texts)[key];
    }
    return made;
  }

  const Catalog& catalog() const { return catalog_; }

 private:
  /// Whole numbers without a fraction: 80000000000, not 80000000000.0.
  static json plain_number(double value) {
    constexpr double exact = 9007199254740992.0;
    if (value >= 0.0 && value < exact && value == static_cast<double>(static_cast<std::int64_t>(value))) return static_cast<std::int64_t>(value);
    return value;
  }

  const Catalog& catalog_;
  std::set<std::string> cited_;
};

json described(const Gpu& gpu, Describer& describer) {
  json made = {{"id", gpu.id}, {"name", gpu.name}, {"vendor", gpu.vendor}, {"aliases", gpu.aliases}, {"architecture", gpu.architecture},
               {"form_factor", gpu.form_factor}, {"memory_type", gpu.memory_type}, {"compute_capability", gpu.compute_capability}, {"year", gpu.year},
               {"status", gpu.announced_only ? "announced" : "available"}, {"unified_memory", gpu.unified_memory}, {"serves_only", gpu.serves_only},
               {"scale_up", name(gpu.scale_up)}, {"scale_up_technology", gpu.scale_up_technology}};
  if (!gpu.card.empty()) {
    made["card"] = gpu.card;
    made["share"] = gpu.share;
  }
  describer.figures(gpu_figures(), gpu, gpu.kinds, gpu.sources, made);
  return made;
}

void describe_prices(const Instance& offer, Describer& describer, json& into) {
  const auto put = [&](const char* key, double price) {
    if (price <= 0.0) return;
    into[std::string(key) + "_per_hour"] = describer.figure(price, offer.currency + "/h", 'd', offer.price_source, offer.price_date);
    if (offer.currency == "USD") return;
    const auto rate = std::find_if(describer.catalog().rates.begin(), describer.catalog().rates.end(),
                                   [&](const ExchangeRate& each) { return each.currency == offer.currency; });
    if (rate == describer.catalog().rates.end()) return;
    into[std::string(key) + "_usd_per_hour"] = describer.figure(price * rate->usd_per_unit, "USD/h", 'r', rate->source, rate->date);
  };
  put("on_demand", offer.on_demand_per_hour);
  put("spot", offer.spot_per_hour);
  put("reserved", offer.reserved_per_hour);
  put("lowest_region", offer.lowest_region_per_hour);
  put("highest_region", offer.highest_region_per_hour);
  if (offer.on_demand_per_hour + offer.spot_per_hour + offer.reserved_per_hour <= 0.0) into["unpriced"] = true;
}

json described(const Instance& offer, Describer& describer) {
  json made = {{"id", offer.id}, {"provider", offer.provider}, {"type", offer.type}, {"gpu", describer.catalog().gpus[static_cast<std::size_t>(offer.gpu)].id},
               {"gpu_inferred", offer.gpu_inferred}, {"provider_class", name(offer.provider_class)}, {"in_china", offer.in_china},
               {"region", offer.region}, {"scale_up", name(offer.scale_up)}, {"scale_out", name(offer.scale_out)}, {"rdma", offer.rdma}};
  if (!offer.notes.empty()) made["notes"] = offer.notes;
  describer.figures(instance_figures(), offer, offer.kinds, offer.machine_source, made);
  describe_prices(offer, describer, made);
  return made;
}

json described(const Software& software, Describer& describer) {
  const auto says = [&](json value) { return describer.figure(std::move(value), "", 'd', software.source, software.date); };
  json made = {{"id", software.id}, {"name", software.name}, {"serves", software.serves}, {"trains", software.trains}};
  made["tasks"] = says(software.tasks);
  made["versions"] = says(software.versions);
  made["vendors"] = says(software.vendors);
  made["weight_formats"] = says(software.weight_formats);
  made["kv_formats"] = says(software.kv_formats);
  made["optimizers"] = says(software.optimizers);
  made["formats"] = json::object();
  for (const FormatSupport& each : software.formats) {
    made["formats"][each.format] = describer.figure({{"vendors", each.vendors}, {"min_compute_capability", each.min_compute_capability}, {"computes_from", each.computes_from}},
                                                    "", each.source == "recalled" ? 'a' : 'd', each.source, date_of(describer.catalog(), each.source));
  }
  made["max_tp"] = says(software.max_tp);
  made["max_pp"] = says(software.max_pp);
  made["max_cp"] = says(software.max_cp);
  made["max_ep"] = says(software.max_ep);
  made["max_zero"] = says(software.max_zero);
  made["max_zero_pp"] = says(software.max_zero_pp);
  made["attention_dp"] = says(software.attention_dp);
  made["tensor_split"] = says(software.tensor_split);
  made["layer_split"] = says(software.layer_split);
  made["offload"] = says(software.offload);
  made["min_compute_capability"] = says(software.min_compute_capability);
  if (!software.notes.empty()) made["notes"] = software.notes;
  return made;
}

/// Describes one row (the one that `find` finds for `id`) or all.
template <class Row, class Find>
Result<json> describe(const char* what, const Catalog& catalog, const std::vector<Row>& rows, Find find, std::string_view id, std::string_view sources_json) {
  Describer describer(catalog);
  json entries = json::array();
  if (id.empty()) {
    for (const Row& row : rows) entries.push_back(described(row, describer));
  } else {
    const Result<int> found = find(catalog, id, "/id");
    if (!found) return found.problem();
    entries.push_back(described(rows[static_cast<std::size_t>(*found)], describer));
  }
  return describer.answer(what, std::move(entries), sources_json);
}

}  // namespace

Result<json> describe_gpus(const Catalog& catalog, std::string_view id, std::string_view sources_json) {
  return describe("gpus", catalog, catalog.gpus, find_gpu, id, sources_json);
}

Result<json> describe_instances(const Catalog& catalog, std::string_view id, std::string_view sources_json) {
  return describe("instances", catalog, catalog.instances, find_instance, id, sources_json);
}

Result<json> describe_software(const Catalog& catalog, std::string_view id, std::string_view sources_json) {
  return describe("software", catalog, catalog.software, find_software, id, sources_json);
}

}  // namespace gpuplan
