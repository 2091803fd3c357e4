#pragma once
/// The figures of GPUs and offers, once: key in the assets, unit, range that can be true, and where the value lives. Loader, describer and
/// the letters of `kinds` all follow this order.
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"

namespace gpuplan {

template <class Row>
struct FigureColumn {
  const char* key;   ///< as in assets/*.json: unit, scope and direction are in the name
  const char* unit;  ///< "B", "B/s", "flop/s", "ops/s", "GPUs", "W", "" for a pure count; "/h" is per hour in the offer's currency
  double low, high;  ///< outside of it the catalog is wrong
  bool required;
  double (*get)(const Row&);
  void (*set)(Row&, double);
};

const std::vector<FigureColumn<Gpu>>& gpu_figures();
const std::vector<FigureColumn<Instance>>& instance_figures();

/// "datasheet", "measured", "derived" or "assumed" for a letter of `kinds`; "" for '-'.
const char* kind_name(char letter);
/// Source keys behind figure `key` of kind `letter` in a row with `row_sources`.
std::string source_of(const Catalog&, char letter, const std::string& key, const std::string& row_sources);
/// ISO date of the newest of the source keys in `sources`, "" when none is known.
std::string date_of(const Catalog&, const std::string& sources);

}  // namespace gpuplan
