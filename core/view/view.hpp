#pragma once
/// The view model: what the page, the desktop app and the command line draw, ready as text, fractions and links. One place for it.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/explain.hpp"

namespace gpuplan {

/// One choice of a control; `value` is what goes into the scenario.
struct ControlOption {
  std::string value, label;
};

enum class ControlKind { choice, multiple, number, toggle };

/// One field of the scenario that a person can change.
struct Control {
  std::string id;       ///< "task", also the string key "control.<id>"
  std::string pointer;  ///< JSON pointer in the scenario, "/workload/context"
  std::string label, help, unit;
  ControlKind kind = ControlKind::choice;
  std::string value;                 ///< current value as text; multiple: comma-separated; toggle: "true" or "false"
  std::string default_value;
  std::vector<ControlOption> options;
  double minimum = 0.0, maximum = 0.0, step = 0.0;  ///< numbers
  bool integer = false;
  bool in_line = true;               ///< on the control line, or behind "more"
};

/// A piece of a bar: `fraction` of the whole bar's length, `id` picks the colour (same hue for the same thing everywhere).
struct BarPart {
  std::string id, label, text;
  double fraction = 0.0;
};

/// One cell: a main text with its unit, a quiet second line, and optionally a bar or a range.
struct Cell {
  std::string text, unit, sub;
  bool strong = false;               ///< the number that decides the row
  bool weak = false;                 ///< thin evidence, old price: drawn grey
  std::vector<BarPart> bar;          ///< memory: parts of usable memory, the rest is free
  std::optional<double> range_low, range_high;  ///< as factors of the value, 0.85 and 1.15
};

struct Column {
  std::string id, label, help;
  bool number = false;               ///< align to the end
};

struct Row {
  std::string link;                  ///< "#v1?…": the fully laid-out scenario of this row
  std::string key;                   ///< stable id of the row for selection, for example "aws:g6.xlarge|1|bf16|tp1"
  bool pareto = false;
  std::vector<Cell> cells;           ///< one per column
};

struct Table {
  std::string id, title, subtitle, summary;  ///< summary: "smallest that fits: 1 × L4 24 GB"
  bool chosen = false;               ///< of the model that the person named, not of a typical one
  std::string empty;                 ///< why there is no row, "" when there are rows
  std::vector<Column> columns;
  std::vector<Row> rows;
};

/// The first screen.
struct View {
  std::string link;                  ///< of the scenario itself
  std::vector<Control> controls;
  std::vector<Table> tables;
  std::vector<Note> notes;           ///< text already in the asked language
  std::string data_line;             ///< "161 GPUs · 822 offers · prices seen 2024-10 to 2026-11"
};

/// One labelled figure of a detail pane.
struct Figure {
  std::string id, label, text, unit, range;
};

struct ExplainLine {
  std::string term, label, formula, value, source, section;
  std::vector<Figure> inputs;
};

/// Where a rank sits: drawn as nodes × GPUs.
struct RankCell {
  std::int32_t node = 0, gpu = 0, tp = 0, pp = 0, dp = 0, cp = 0;
};

/// Everything behind one row.
struct Detail {
  std::string link, title, subtitle, verdict;
  bool fits = false;
  std::vector<Figure> figures;
  std::vector<BarPart> memory;       ///< parts of usable memory on the worst GPU, then "free"
  std::string memory_text, memory_where;
  std::vector<BarPart> time;         ///< parts of the step
  std::string time_text;
  Table messages;                    ///< which collective crosses which link
  std::int32_t nodes = 0, gpus_per_node = 0;
  std::vector<RankCell> ranks;       ///< at most 256; `ranks_left_out` more
  std::int64_t ranks_left_out = 0;
  std::vector<ExplainLine> explain;
  std::vector<Note> notes;
};

}  // namespace gpuplan
