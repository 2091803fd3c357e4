#include "core/view/write_view.hpp"

#include <nlohmann/json.hpp>

namespace gpuplan {
namespace {

using nlohmann::json;

template <class List, class Write>
json list(const List& all, Write write) {
  json out = json::array();
  for (const auto& one : all) out.push_back(write(one));
  return out;
}

const char* kind_name(ControlKind k) {
  switch (k) {
    case ControlKind::choice: return "choice";
    case ControlKind::multiple: return "multiple";
    case ControlKind::number: return "number";
    case ControlKind::toggle: return "toggle";
  }
  return "choice";
}

json write_control(const Control& c) {
  json out = {{"id", c.id}, {"pointer", c.pointer}, {"label", c.label}, {"help", c.help}, {"unit", c.unit}, {"kind", kind_name(c.kind)}, {"value", c.value}, {"default_value", c.default_value},
              {"in_line", c.in_line}};
  if (c.kind == ControlKind::number) {
    out["minimum"] = c.minimum;
    out["maximum"] = c.maximum;
    out["step"] = c.step;
    out["integer"] = c.integer;
  } else {
    out["options"] = list(c.options, [](const ControlOption& o) { return json{{"value", o.value}, {"label", o.label}}; });
  }
  return out;
}

json write_bar_part(const BarPart& p) { return {{"id", p.id}, {"label", p.label}, {"text", p.text}, {"fraction", p.fraction}}; }

json write_cell(const Cell& c) {
  json out = {{"text", c.text}};
  if (!c.unit.empty()) out["unit"] = c.unit;
  if (!c.sub.empty()) out["sub"] = c.sub;
  if (c.strong) out["strong"] = true;
  if (c.weak) out["weak"] = true;
  if (!c.bar.empty()) out["bar"] = list(c.bar, write_bar_part);
  if (c.range_low && c.range_high) out["range"] = {*c.range_low, *c.range_high};
  return out;
}

json write_row(const Row& r) { return {{"link", r.link}, {"key", r.key}, {"pareto", r.pareto}, {"cells", list(r.cells, write_cell)}}; }

json write_figure(const Figure& f) { return {{"id", f.id}, {"label", f.label}, {"text", f.text}, {"unit", f.unit}, {"range", f.range}}; }

json write_note(const Note& n) {
  const char* severity = n.severity == Severity::problem ? "problem" : n.severity == Severity::warning ? "warning" : "info";
  return {{"code", n.code}, {"severity", severity}, {"text", n.text}};
}

json write_line(const ExplainLine& l) {
  return {{"term", l.term}, {"label", l.label}, {"formula", l.formula}, {"value", l.value}, {"source", l.source}, {"section", l.section}, {"inputs", list(l.inputs, write_figure)}};
}

json write_rank(const RankCell& r) { return {{"node", r.node}, {"gpu", r.gpu}, {"tp", r.tp}, {"pp", r.pp}, {"dp", r.dp}, {"cp", r.cp}}; }

}  // namespace

json write_view_table(const Table& t) {
  json out = {{"id", t.id}, {"title", t.title}, {"subtitle", t.subtitle}, {"summary", t.summary}, {"empty", t.empty},
              {"columns", list(t.columns, [](const Column& c) { return json{{"id", c.id}, {"label", c.label}, {"help", c.help}, {"number", c.number}}; })},
              {"rows", list(t.rows, write_row)}};
  if (t.chosen) out["chosen"] = true;
  return out;
}

json write_view(const View& v) {
  return {{"link", v.link}, {"controls", list(v.controls, write_control)}, {"tables", list(v.tables, write_view_table)}, {"notes", list(v.notes, write_note)}, {"data_line", v.data_line}};
}

json write_detail(const Detail& d) {
  return {{"link", d.link}, {"title", d.title}, {"subtitle", d.subtitle}, {"verdict", d.verdict}, {"fits", d.fits}, {"figures", list(d.figures, write_figure)},
          {"memory", list(d.memory, write_bar_part)}, {"memory_text", d.memory_text}, {"memory_where", d.memory_where}, {"time", list(d.time, write_bar_part)},
          {"time_text", d.time_text}, {"messages", write_view_table(d.messages)}, {"nodes", d.nodes}, {"gpus_per_node", d.gpus_per_node}, {"ranks", list(d.ranks, write_rank)},
          {"ranks_left_out", d.ranks_left_out}, {"explain", list(d.explain, write_line)}, {"notes", list(d.notes, write_note)}};
}

}  // namespace gpuplan
