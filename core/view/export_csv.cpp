#include "core/json/text.hpp"
#include "core/plan/technique.hpp"
#include "core/scenario/link.hpp"
#include "core/view/export.hpp"

namespace gpuplan {
namespace {

constexpr double gib_bytes = 1073741824.0, seconds_per_hour = 3600.0;

std::string field(const std::string& text) {
  const bool formula = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
  const std::string safe = formula ? "'" + text : text;
  if (safe.find_first_of(",\"\n\r") == std::string::npos) return safe;
  std::string out = "\"";
  for (const char c : safe) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string words(const std::vector<std::string>& all) {
  std::string out;
  for (const std::string& w : all) out += (out.empty() ? "" : " ") + w;
  return out;
}

/// The columns in order: name and how a row fills it.
struct CsvRow {
  const Knowledge& k;
  const TierTable& t;
  const Option& o;
  const Offer& offer;
  const Instance* instance;
  int rank;
};
struct CsvColumn {
  const char* name;
  std::string (*value)(const CsvRow&);
};

std::string known(bool is_known, double v) { return is_known ? number_text(v) : ""; }

constexpr CsvColumn csv_columns[] = {
    {"tier", [](const CsvRow& r) { return r.t.tier->id; }},
    {"model", [](const CsvRow& r) { return r.o.candidate->job.model->id; }},
    {"rank", [](const CsvRow& r) { return std::to_string(r.rank); }},
    {"provider", [](const CsvRow& r) { return r.instance ? r.instance->provider : std::string(); }},
    {"instance", [](const CsvRow& r) { return r.instance ? r.instance->type : std::string(); }},
    {"region", [](const CsvRow& r) { return r.instance ? r.instance->region : std::string(); }},
    {"gpu", [](const CsvRow& r) { return r.o.machine.gpu->id; }},
    {"gpus_per_node", [](const CsvRow& r) { return std::to_string(r.o.machine.gpus_per_node.n); }},
    {"nodes", [](const CsvRow& r) { return std::to_string(r.o.machine.nodes.n); }},
    {"software", [](const CsvRow& r) { return r.o.candidate->job.software->id; }},
    {"technique", [](const CsvRow& r) { return words(technique(r.o.candidate->job, r.o.layout)); }},
    {"memory_used_gib", [](const CsvRow& r) { return number_text(r.o.memory.used.value / gib_bytes); }},
    {"memory_usable_gib", [](const CsvRow& r) { return number_text(r.o.memory.usable.value / gib_bytes); }},
    {"tokens_per_s", [](const CsvRow& r) { return number_text(r.o.time.tokens_per_s.value); }},
    {"tokens_per_s_low", [](const CsvRow& r) { return number_text(r.o.time.tokens_low.value); }},
    {"tokens_per_s_high", [](const CsvRow& r) { return number_text(r.o.time.tokens_high.value); }},
    {"ttft_s", [](const CsvRow& r) { return known(!is_training(r.o.candidate->job.task), r.o.time.ttft.value); }},
    {"tpot_s", [](const CsvRow& r) { return known(!is_training(r.o.candidate->job.task), r.o.time.tpot.value); }},
    {"run_hours", [](const CsvRow& r) { return known(is_training(r.o.candidate->job.task), r.o.time.total.value / seconds_per_hour); }},
    {"usd_per_hour", [](const CsvRow& r) { return known(r.o.cost.known, r.o.cost.usd_per_hour); }},
    {"usd_per_million_tokens", [](const CsvRow& r) { return known(r.o.cost.known, r.o.cost.usd_per_million_tokens); }},
    {"run_usd", [](const CsvRow& r) { return known(r.o.cost.known && is_training(r.o.candidate->job.task), r.o.cost.total_usd); }},
    {"price_date", [](const CsvRow& r) { return r.o.cost.known ? r.offer.price_date : std::string(); }},
    {"link", [](const CsvRow& r) { return encode_link(filled(r.k, r.t.scenario, *r.t.search, r.o)); }},
};

}  // namespace

std::string tables_as_csv(const Knowledge& k, const std::vector<TierTable>& tables) {
  std::string out;
  for (const CsvColumn& c : csv_columns) out += (out.empty() ? "" : ",") + std::string(c.name);
  out += "\r\n";
  for (const TierTable& t : tables) {
    int rank = 0;
    for (const Option* o : t.rows) {
      const Offer& offer = t.search->offers[static_cast<std::size_t>(o->offer)];
      const Instance* instance = offer.instance < 0 ? nullptr : &k.catalog.instances[static_cast<std::size_t>(offer.instance)];
      const CsvRow row{k, t, *o, offer, instance, ++rank};
      std::string line;
      for (const CsvColumn& c : csv_columns) line += (line.empty() ? "" : ",") + field(c.value(row));
      out += line + "\r\n";
    }
  }
  return out;
}

}  // namespace gpuplan
