#pragma once
/// All accelerators, offers and software, read strictly from the packed assets, with lookup by id, alias and nearest name.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/catalog/gpu.hpp"
#include "core/catalog/instance.hpp"
#include "core/catalog/software.hpp"
#include "core/result.hpp"

namespace gpuplan {

/// A dated exchange rate: how many USD one unit of the currency buys.
struct ExchangeRate {
  std::string currency;
  double usd_per_unit = 0.0;
  std::string date, source;
};

/// Who sells. `key` starts the ids of its offers ("aws").
struct Provider {
  std::string key, name, name_zh;
  ProviderClass provider_class = ProviderClass::gpu_cloud;
  bool in_china = false;
};

/// Which source key stands behind figures of one kind; `figure` "" means any figure of that kind.
struct KindSource {
  char kind = 'd';
  std::string figure, source;
};

struct Catalog {
  std::vector<Gpu> gpus;
  std::vector<Instance> instances;         ///< what is sold; no reference machines
  std::vector<Software> software;
  std::vector<ExchangeRate> rates;
  std::vector<Instance> reference_nodes;   ///< the usual machine around a GPU, without provider or price
  std::vector<Provider> providers;
  std::vector<KindSource> kind_sources;
  std::vector<std::pair<std::string, std::string>> source_dates;  ///< source key, ISO date
};

/// Reads the packed catalog (embedded_asset "gpus", "instances", "software"). Fails with the pointer of the first bad figure.
Result<Catalog> load_catalog(std::string_view gpus_json, std::string_view instances_json, std::string_view software_json);

/// Index of the GPU whose id, id without vendor prefix, or alias is `name` (case-insensitive); `pointer` names the field in the error.
Result<int> find_gpu(const Catalog&, std::string_view name, std::string_view pointer);
/// Index of the instance with id "provider:type" (case-insensitive).
Result<int> find_instance(const Catalog&, std::string_view id, std::string_view pointer);
Result<int> find_software(const Catalog&, std::string_view id, std::string_view pointer);

/// The usual machine with GPU `gpu` (index), nullptr where the catalog has none: what "8 × H100" means when no offer is named.
const Instance* reference_node(const Catalog&, int gpu);

/// The provider key of an offer: the part of its id before the colon.
std::string_view provider_of(const Instance&);

/// Up to `count` ids nearest to `name` by edit distance and shared prefix, best first. Bounded work for any input length.
std::vector<std::string> nearest_ids(std::string_view name, const std::vector<std::string_view>& known, int count = 3);

/// USD per unit of `currency`; 0 when the currency is unknown.
double usd_per_unit(const Catalog&, std::string_view currency);

}  // namespace gpuplan
