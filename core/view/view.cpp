#include <algorithm>

#include "core/scenario/link.hpp"
#include "core/view/format.hpp"
#include "core/view/make.hpp"

namespace gpuplan {
namespace {

/// "161 GPUs · 822 offers · prices from 2024-10 to 2026-11".
std::string data_line(const Knowledge& k, const Strings& s) {
  std::string first, last;
  for (const Instance& i : k.catalog.instances) {
    if (i.price_date.size() < 7) continue;
    const std::string month = i.price_date.substr(0, 7);
    if (first.empty() || month < first) first = month;
    last = std::max(last, month);
  }
  return s.text("data.line", {{"gpus", std::to_string(k.catalog.gpus.size())},
                              {"offers", std::to_string(k.catalog.instances.size())},
                              {"models", std::to_string(k.models.all.size())},
                              {"first", first},
                              {"last", last}});
}

}  // namespace

Result<View> make_view(const Knowledge& k, const Scenario& scenario, const ViewSettings& v) {
  auto tables = tier_tables(k, scenario, v.now);
  if (!tables) return tables.problem();
  View out;
  out.link = encode_link(scenario);
  out.controls = make_controls(k, scenario, v.strings);
  for (const TierTable& t : *tables) out.tables.push_back(make_table(k, t, v));
  // Who named a model looks for that one first; the other sizes are for comparison.
  std::stable_partition(out.tables.begin(), out.tables.end(), [](const Table& t) { return t.chosen; });
  out.data_line = data_line(k, v.strings);
  return out;
}

}  // namespace gpuplan
