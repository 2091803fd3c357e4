#include <algorithm>

#include "core/scenario/link.hpp"
#include "core/view/format.hpp"
#include "core/view/make.hpp"

namespace gpuplan {
namespace {

constexpr std::int64_t most_ranks_drawn = 256;

class DetailMaker {
 public:
  DetailMaker(const Knowledge& k, const Estimate& e, const ViewSettings& v) : k_(k), e_(e), o_(e.option), s_(v.strings), v_(v), training_(is_training(o_.candidate->job.task)) {}

  Detail make() const {
    Detail d;
    d.link = encode_link(e_.resolved);
    d.title = title();
    d.subtitle = machine_text(o_.machine, s_) + " · " + technique_text(o_.candidate->job, o_.layout, s_);
    d.fits = o_.memory.fits;
    d.verdict = verdict();
    d.figures = figures();
    d.memory = memory_bar(o_.memory, s_);
    d.memory_text = s_.text("detail.memory", {{"used", gib(o_.memory.used)}, {"usable", gib(o_.memory.usable)}});
    if (o_.layout.pp > 1) d.memory_where = s_.text("detail.worst_stage", {{"n", std::to_string(o_.memory.worst_stage + 1)}, {"of", std::to_string(o_.layout.pp)}});
    d.time = time_bar(o_.time.parts, s_);
    d.time_text = s_.text(training_ ? "detail.step" : "detail.decode_step", {{"time", duration_text(o_.time.parts.total(), s_).joined()}});
    d.messages = messages();
    put_ranks(d);
    d.explain = explanation();
    d.notes = notes();
    return d;
  }

 private:
  const Offer& offer() const { return e_.search->offers[static_cast<std::size_t>(o_.offer)]; }

  std::string title() const {
    const std::string model = o_.candidate->job.model->name;
    if (offer().instance < 0) return model;
    const Instance& i = k_.catalog.instances[static_cast<std::size_t>(offer().instance)];
    return model + " · " + i.provider + " " + i.type;
  }

  std::string verdict() const {
    if (o_.memory.fits) return s_.text("verdict.fits", {{"free", percent(1.0 - o_.memory.used / o_.memory.usable)}});
    if (o_.memory.host_short) return s_.text("verdict.host", {{"needed", gib(o_.memory.host)}});
    return s_.text("verdict.short", {{"short", bytes_text(o_.memory.used - o_.memory.usable).joined()}});
  }

  Figure figure(const char* id, const Text& t, const std::string& range = "") const { return {id, s_.text(std::string("figure.") + id), t.text, t.unit, range}; }

  std::string range(double low, double value, double high, double scale = 1.0) const {
    return value > 0.0 && high > low ? significant(low * scale) + " – " + significant(high * scale) : "";
  }

  std::vector<Figure> figures() const {
    const Time& t = o_.time;
    std::vector<Figure> f;
    f.push_back(figure("throughput", {significant(t.tokens_per_s.value), "tok/s"}, range(t.tokens_low.value, t.tokens_per_s.value, t.tokens_high.value)));
    if (training_) put_training(f);
    else put_serving(f);
    if (o_.cost.known) put_cost(f);
    return f;
  }

  void put_serving(std::vector<Figure>& f) const {
    const Time& t = o_.time;
    f.push_back(figure("ttft", duration_text(t.ttft, s_)));
    f.push_back(figure("tpot", duration_text(t.tpot, s_)));
    f.push_back(figure("per_user", {significant(t.tpot.value > 0.0 ? 1.0 / t.tpot.value : 0.0), "tok/s"}));
    f.push_back(figure("prefill", {significant(t.prefill_tokens_per_s.value), "tok/s"}));
    f.push_back(figure("kv_tokens", {fixed(o_.memory.kv.tokens.value, 0), s_.text("unit.tokens")}));
    f.push_back(figure("max_concurrency", {fixed(o_.memory.kv.max_concurrency, 1), ""}));
  }

  void put_training(std::vector<Figure>& f) const {
    const Time& t = o_.time;
    const Text step = duration_text(t.step, s_);
    f.push_back(figure("step", step, range(t.step_low.value, t.step.value, t.step_high.value)));
    f.push_back(figure("per_gpu", {significant(t.tokens_per_s.value / static_cast<double>(o_.machine.gpus().n)), "tok/s"}));
    f.push_back(figure("mfu", {percent(t.mfu), ""}));
    f.push_back(figure("run", duration_text(t.total, s_)));
    if (t.goodput < 1.0) f.push_back(figure("goodput", {percent(t.goodput), ""}));
    f.push_back(figure("gpu_hours", {significant(o_.cost.gpu_hours), s_.text("unit.gpu_hours")}));
  }

  void put_cost(std::vector<Figure>& f) const {
    const Policy& p = e_.resolved.policy;
    f.push_back(figure("price", {money_text(k_, p, o_.cost.usd_per_hour), s_.text("unit.per_hour")}, age_text(offer().price_date, v_)));
    f.push_back(figure("per_million", {money_text(k_, p, o_.cost.usd_per_million_tokens), ""}));
    if (training_) f.push_back(figure("run_cost", {money_text(k_, p, o_.cost.total_usd), ""}));
  }

  Table messages() const {
    Table t;
    t.id = "messages";
    for (const char* id : {"kind", "group", "ranks", "bytes", "count", "link", "time", "exposed"}) {
      const bool number = std::string_view(id) != "kind" && std::string_view(id) != "group" && std::string_view(id) != "link";
      t.columns.push_back({id, s_.text(std::string("message.") + id), "", number});
    }
    for (const Message& m : o_.time.messages) t.rows.push_back(message_row(m));
    if (t.rows.empty()) t.empty = s_.text("message.none");
    return t;
  }

  Row message_row(const Message& m) const {
    const auto cell = [](const Text& t) {
      Cell c;
      c.text = t.text;
      c.unit = t.unit;
      return c;
    };
    Row r;
    r.key = std::string(name(m.kind)) + "|" + name(m.group);
    r.cells = {cell({name(m.kind), ""}), cell({name(m.group), ""}), cell({std::to_string(m.ranks), ""}), cell(bytes_text(m.bytes)), cell({significant(m.count), ""}),
               cell({s_.text(std::string("link.") + name(m.link)), ""}), cell(duration_text(m.time, s_)), cell(duration_text(m.exposed, s_))};
    return r;
  }

  /// Ranks are numbered tp innermost, then cp, dp, pp outermost (METHOD.md M-comm).
  void put_ranks(Detail& d) const {
    d.nodes = static_cast<std::int32_t>(o_.machine.nodes.n);
    d.gpus_per_node = static_cast<std::int32_t>(o_.machine.gpus_per_node.n);
    const Layout& l = o_.layout;
    const std::int64_t total = o_.machine.gpus().n;
    for (std::int64_t r = 0; r < std::min(total, most_ranks_drawn); ++r) {
      RankCell c;
      c.node = static_cast<std::int32_t>(r / d.gpus_per_node);
      c.gpu = static_cast<std::int32_t>(r % d.gpus_per_node);
      c.tp = static_cast<std::int32_t>(r % l.tp);
      c.cp = static_cast<std::int32_t>(r / l.tp % l.cp);
      c.dp = static_cast<std::int32_t>(r / l.tp / l.cp % l.dp);
      c.pp = static_cast<std::int32_t>(r / l.tp / l.cp / l.dp);
      d.ranks.push_back(c);
    }
    d.ranks_left_out = std::max<std::int64_t>(0, total - most_ranks_drawn);
  }

  std::vector<ExplainLine> explanation() const {
    std::vector<ExplainLine> out;
    for (const Term& t : e_.why.terms) {
      ExplainLine line;
      line.term = t.term;
      line.label = s_.has("term." + t.term) ? s_.text("term." + t.term) : t.term;
      line.formula = t.formula;
      line.value = value_text(t.value, t.unit, s_).joined();
      line.source = t.source;
      for (const Input& i : t.inputs) {
        const Text v = value_text(i.value, i.unit, s_);
        line.inputs.push_back({i.name, i.name, v.text, v.unit, ""});
      }
      out.push_back(std::move(line));
    }
    return out;
  }

  std::vector<Note> notes() const {
    std::vector<Note> out = e_.why.notes;
    for (Note& n : out) n.text = note_text(n, s_);
    return out;
  }

  const Knowledge& k_;
  const Estimate& e_;
  const Option& o_;
  const Strings& s_;
  const ViewSettings& v_;
  bool training_;
};

}  // namespace

Result<Detail> make_detail(const Knowledge& k, const Scenario& scenario, const ViewSettings& v) {
  auto e = estimate(k, scenario, v.now);
  if (!e) return e.problem();
  return DetailMaker(k, *e, v).make();
}

}  // namespace gpuplan
