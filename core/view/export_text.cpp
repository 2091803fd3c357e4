#include <algorithm>

#include "core/view/export.hpp"

namespace gpuplan {
namespace {

/// Width on a terminal: East Asian characters take two cells (ranges of Unicode's "wide" class that our texts use).
std::size_t width(const std::string& text) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c & 0xC0) == 0x80) continue;
    out += c >= 0xE3 && c <= 0xEF ? 2 : 1;
  }
  return out;
}

std::string cell_text(const Cell& c) {
  std::string out = c.text;
  if (!c.unit.empty()) out += (c.unit.front() == '/' ? "" : " ") + c.unit;
  if (c.range_low && c.range_high) {
    const double spread = std::max(1.0 - *c.range_low, *c.range_high - 1.0);
    out += " ±" + std::to_string(static_cast<int>(spread * 100.0 + 0.5)) + "%";
  }
  return out;
}

using Grid = std::vector<std::vector<std::string>>;

Grid grid_of(const Table& t) {
  Grid out(1);
  for (const Column& c : t.columns) out[0].push_back(c.label);
  for (const Row& r : t.rows) {
    out.emplace_back();
    for (const Cell& c : r.cells) out.back().push_back(cell_text(c));
  }
  return out;
}

std::vector<std::size_t> widths_of(const Grid& grid) {
  std::vector<std::size_t> out(grid[0].size(), 0);
  for (const auto& row : grid) {
    for (std::size_t i = 0; i < row.size(); ++i) out[i] = std::max(out[i], width(row[i]));
  }
  return out;
}

std::string padded(const std::string& text, std::size_t to, bool number) {
  const std::string space(to > width(text) ? to - width(text) : 0, ' ');
  return number ? space + text : text + space;
}

std::string heading(const Table& t) { return t.title + "  " + t.subtitle + (t.summary.empty() ? "" : "  ·  " + t.summary); }

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

}  // namespace

std::string tables_as_text(const View& view) {
  std::string out;
  for (const Table& t : view.tables) {
    out += heading(t) + "\n";
    if (t.rows.empty()) {
      out += "  " + t.empty + "\n\n";
      continue;
    }
    const Grid grid = grid_of(t);
    const auto widths = widths_of(grid);
    for (const auto& row : grid) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i) line += "  " + padded(row[i], widths[i], t.columns[i].number);
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    out += "\n";
  }
  return out + view.data_line + "\n";
}

std::string tables_as_markdown(const View& view) {
  std::string out;
  for (const Table& t : view.tables) {
    out += "### " + t.title + "\n\n" + t.subtitle + (t.summary.empty() ? "" : " · " + t.summary) + "\n\n";
    if (t.rows.empty()) {
      out += t.empty + "\n\n";
      continue;
    }
    const Grid grid = grid_of(t);
    for (std::size_t r = 0; r < grid.size(); ++r) {
      for (const std::string& text : grid[r]) out += "| " + escaped(text) + " ";
      out += "|\n";
      if (r > 0) continue;
      for (const Column& c : t.columns) out += c.number ? "| ---: " : "| --- ";
      out += "|\n";
    }
    out += "\n";
  }
  return out + view.data_line + "\n";
}

}  // namespace gpuplan
