#include "core/catalog/catalog.hpp"

namespace gpuplan {

double usd_per_unit(const Catalog& catalog, std::string_view currency) {
  for (const ExchangeRate& rate : catalog.rates) {
    if (rate.currency == currency) return rate.usd_per_unit;
  }
  return 0.0;
}

const Instance* reference_node(const Catalog& catalog, int gpu) {
  for (const Instance& node : catalog.reference_nodes) {
    if (node.gpu == gpu) return &node;
  }
  return nullptr;
}

std::string_view provider_of(const Instance& offer) { return std::string_view(offer.id).substr(0, offer.id.find(':')); }

}  // namespace gpuplan
