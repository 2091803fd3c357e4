#include <algorithm>

#include "core/model/tensors.hpp"
#include "core/plan/rank.hpp"
#include "core/scenario/link.hpp"
#include "core/view/format.hpp"
#include "core/view/make.hpp"

namespace gpuplan {
namespace {

// Prices older than this are drawn grey: markets move faster than a quarter of a year.
constexpr long old_price_days = 90;

Column column(const char* id, bool number, const Strings& strings, const std::string& variant = "") {
  const std::string key = std::string("column.") + id + variant;
  const std::string help = key + ".help";
  return {id, strings.text(key), strings.has(help) ? strings.text(help) : "", number};
}

std::vector<Column> columns(bool training, const Strings& s) {
  std::vector<Column> out{column("instance", false, s), column("gpus", false, s), column("how", false, s), column("memory", false, s), column("speed", true, s)};
  if (training) out.push_back(column("time", true, s));
  out.push_back(column("price", true, s));
  out.push_back(column("cost", true, s, training ? ".run" : ".tokens"));
  out.push_back(column("age", true, s));
  return out;
}

std::string gib_of(const Bytes b) { return gib(b); }

/// One row's cells; everything that they need, once.
class RowMaker {
 public:
  RowMaker(const Knowledge& k, const TierTable& t, const Option& o, const ViewSettings& v)
      : k_(k), t_(t), o_(o), v_(v), offer_(t.search->offers[static_cast<std::size_t>(o.offer)]), training_(is_training(o.candidate->job.task)) {
    if (offer_.instance >= 0) instance_ = &k.catalog.instances[static_cast<std::size_t>(offer_.instance)];
  }

  Row make() const {
    Row r;
    r.link = encode_link(filled(k_, t_.scenario, *t_.search, o_));
    r.key = (instance_ ? instance_->id : o_.machine.gpu->id) + "|" + std::to_string(o_.machine.nodes.n);
    r.pareto = o_.pareto;
    r.cells = {instance_cell(), gpus_cell(), how_cell(), memory_cell(), speed_cell()};
    if (training_) r.cells.push_back(time_cell());
    r.cells.push_back(price_cell());
    r.cells.push_back(cost_cell());
    r.cells.push_back(age_cell());
    return r;
  }

 private:
  Cell instance_cell() const {
    Cell c;
    if (!instance_) {
      c.text = v_.strings.text("machine.own");
      return c;
    }
    c.text = instance_->provider + " " + instance_->type;
    c.sub = instance_->region;
    if (instance_->provider_class == ProviderClass::marketplace) c.sub = v_.strings.text("offer.marketplace");
    if (instance_->gpu_inferred) c.sub += (c.sub.empty() ? "" : " · ") + v_.strings.text("offer.gpu_inferred");
    return c;
  }

  Cell gpus_cell() const {
    Cell c;
    c.text = machine_text(o_.machine, v_.strings);
    if (o_.machine.nodes.n > 1) c.sub = v_.strings.text("machine.total", {{"n", std::to_string(o_.machine.gpus().n)}});
    return c;
  }

  Cell how_cell() const {
    Cell c;
    c.text = technique_text(o_.candidate->job, o_.layout, v_.strings);
    c.sub = o_.candidate->job.software->name;
    return c;
  }

  Cell memory_cell() const {
    Cell c;
    c.text = gib_of(o_.memory.used) + " / " + gib_of(o_.memory.usable);
    c.unit = "GiB";
    c.bar = memory_bar(o_.memory, v_.strings);
    return c;
  }

  Cell speed_cell() const {
    Cell c;
    c.text = significant(o_.time.tokens_per_s.value);
    c.unit = "tok/s";
    if (o_.time.tokens_per_s.value > 0.0 && o_.time.tokens_high > o_.time.tokens_low) {
      c.range_low = o_.time.tokens_low / o_.time.tokens_per_s;
      c.range_high = o_.time.tokens_high / o_.time.tokens_per_s;
    }
    const Strings& s = v_.strings;
    if (training_) {
      c.sub = s.text("speed.mfu", {{"mfu", percent(o_.time.mfu)}});
    } else {
      const double each = o_.time.tpot.value > 0.0 ? 1.0 / o_.time.tpot.value : 0.0;
      c.sub = s.text("speed.user", {{"each", significant(each, 2)}, {"ttft", duration_text(o_.time.ttft, s).joined()}});
    }
    return c;
  }

  Cell time_cell() const {
    Cell c;
    const Text t = duration_text(o_.time.total, v_.strings);
    c.text = t.text;
    c.unit = t.unit;
    return c;
  }

  Cell price_cell() const {
    Cell c;
    if (!o_.cost.known) return weak("price.none");
    c.text = money_text(k_, t_.scenario.policy, o_.cost.usd_per_hour);
    c.unit = v_.strings.text("unit.per_hour");
    return c;
  }

  Cell cost_cell() const {
    Cell c;
    if (!o_.cost.known) return weak("cost.none");
    c.text = money_text(k_, t_.scenario.policy, training_ ? o_.cost.total_usd : o_.cost.usd_per_million_tokens);
    c.strong = t_.scenario.policy.objective == Objective::cost;
    return c;
  }

  Cell age_cell() const {
    Cell c;
    if (!o_.cost.known) return c;
    long days = -1;
    c.text = age_text(offer_.price_date, v_, &days);
    c.weak = days < 0 || days > old_price_days;
    return c;
  }

  Cell weak(const char* key) const {
    Cell c;
    c.text = v_.strings.text(key);
    c.weak = true;
    return c;
  }

  const Knowledge& k_;
  const TierTable& t_;
  const Option& o_;
  const ViewSettings& v_;
  const Offer& offer_;
  const Instance* instance_ = nullptr;
  bool training_;
};

/// Why a table is empty: what came closest and what it broke.
std::string empty_text(const TierTable& t, const ViewSettings& v) {
  const Strings& s = v.strings;
  if (t.search->near_misses.empty()) return problem_text(nothing_possible(t.scenario, *t.search), s);
  const Option& o = t.search->near_misses.front();
  const std::string machine = machine_text(o.machine, s);
  const BrokenLimit b = broken_limit(o, t.scenario.policy);
  if (o.memory.fits && b) return s.text("empty.limit", {{"limit", s.text(std::string("limit.") + b.limit)}, {"machine", machine}});
  return s.text("empty.memory", {{"machine", machine}, {"used", gib_of(o.memory.used)}, {"usable", gib_of(o.memory.usable)}, {"headroom", percent(t.scenario.policy.headroom)}});
}

std::string short_name(const std::string& id) {
  const std::size_t slash = id.find('/');
  return slash == std::string::npos ? id : id.substr(slash + 1);
}

/// Whose model a table is about: the tier's typical one, or the person's, which may have no name.
std::string subtitle(const TierTable& t, const Strings& s) {
  if (!t.chosen) return s.text("table.typical", {{"model", short_name(t.model)}});
  if (!t.model.empty() || !t.search) return s.text("table.chosen", {{"model", short_name(t.model)}});
  const Architecture& a = *t.search->candidates.model.architecture;
  return a.name.empty() ? s.text("table.chosen_unnamed", {{"size", count_text(count_parameters(a).total).joined()}}) : s.text("table.chosen", {{"model", a.name}});
}

}  // namespace

Table make_table(const Knowledge& k, const TierTable& t, const ViewSettings& v) {
  const Strings& s = v.strings;
  Table out;
  out.id = t.tier->id;
  out.title = s.text(t.tier->label_key);
  out.subtitle = subtitle(t, s);
  out.chosen = t.chosen;
  out.columns = columns(is_training(t.scenario.task), s);
  for (const Option* o : t.rows) out.rows.push_back(RowMaker(k, t, *o, v).make());
  if (t.smallest) out.summary = s.text("table.smallest", {{"machine", machine_text(t.smallest->machine, s)}});
  if (out.rows.empty()) out.empty = empty_text(t, v);
  return out;
}

}  // namespace gpuplan
