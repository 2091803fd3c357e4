#pragma once
/// Tables as text: for terminals, spreadsheets and documents.
#include <string>
#include <vector>

#include "core/plan/tiers.hpp"
#include "core/view/view.hpp"

namespace gpuplan {

/// Aligned columns for a terminal; the same texts as the page's cells.
std::string tables_as_text(const View&);
/// GitHub tables with the same texts.
std::string tables_as_markdown(const View&);
/// One line per row with raw figures under fixed English names (units in the names), for a spreadsheet. RFC 4180; a cell that a spreadsheet
/// would take for a formula is quoted as text.
std::string tables_as_csv(const Knowledge&, const std::vector<TierTable>&);

}  // namespace gpuplan
