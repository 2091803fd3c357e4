#include "core/catalog/table.hpp"

#include <nlohmann/json.hpp>

#include "core/json/text.hpp"

namespace gpuplan {

using nlohmann::json;

namespace {

/// The texts of a dictionary column, nullptr where it is not one.
const json* dictionary_of(const json& column) {
  const auto of = column.find("of");
  return of != column.end() && of->is_array() ? &*of : nullptr;
}

const json* values_of(const json& column) {
  if (column.is_array()) return &column;
  if (!column.is_object() || dictionary_of(column) == nullptr) return nullptr;
  const auto at = column.find("at");
  return at != column.end() && at->is_array() ? &*at : nullptr;
}

const json* text_at(const json& column, const json& value) {
  if (column.is_array()) return &value;
  const json& words = *dictionary_of(column);
  if (!value.is_number_unsigned() || value.get<std::size_t>() >= words.size()) return nullptr;
  return &words[value.get<std::size_t>()];
}

}  // namespace

CatalogTable::CatalogTable(const json& document, std::string asset, const char* key_column) : base_("/" + asset + "/columns") {
  const auto columns = document.is_object() ? document.find("columns") : document.end();
  if (!document.is_object() || columns == document.end() || !columns->is_object()) {
    problem_ = Problem{base_, ProblemCode::missing_field, asset + " needs an object \"columns\": make it with tools/pack_assets", {}};
    return;
  }
  columns_ = &*columns;
  const auto key = columns_->find(key_column);
  const json* values = key == columns_->end() ? nullptr : values_of(*key);
  if (values == nullptr) refuse_column(key_column, ProblemCode::missing_field, "is required");
  rows_ = values == nullptr ? 0 : values->size();
}

void CatalogTable::refuse_column(const char* name, ProblemCode code, const std::string& message) {
  if (!problem_) problem_ = Problem{base_ + "/" + name, code, std::string("column ") + name + " " + message, {}};
}

void CatalogTable::refuse(const char* name, std::size_t row, ProblemCode code, const std::string& message) {
  if (problem_) return;
  problem_ = Problem{base_ + "/" + name + "/" + std::to_string(row), code, std::string(name) + " of row " + std::to_string(row) + " " + message, {}};
}

const json* CatalogTable::column(const char* name, bool dictionary) {
  if (problem_) return nullptr;
  const auto found = columns_->find(name);
  if (found == columns_->end()) {
    refuse_column(name, ProblemCode::missing_field, "is required");
    return nullptr;
  }
  const json* values = values_of(*found);
  if (values == nullptr || values->size() != rows_ || (!dictionary && !found->is_array())) {
    refuse_column(name, ProblemCode::wrong_type, "must hold one value for each of the " + std::to_string(rows_) + " rows");
    return nullptr;
  }
  return &*found;
}

std::vector<std::string> CatalogTable::texts(const char* name) {
  std::vector<std::string> read(rows_);
  const json* whole = column(name, true);
  if (whole == nullptr) return read;
  const json& values = *values_of(*whole);
  for (std::size_t row = 0; row < rows_; ++row) {
    const json* text = text_at(*whole, values[row]);
    if (text == nullptr || !text->is_string()) {
      refuse(name, row, ProblemCode::wrong_type, "must be a text");
      return read;
    }
    read[row] = text->get<std::string>();
  }
  return read;
}

std::vector<double> CatalogTable::numbers(const char* name, double low, double high, bool required) {
  std::vector<double> read(rows_, 0.0);
  const json* whole = column(name, false);
  if (whole == nullptr) return read;
  for (std::size_t row = 0; row < rows_; ++row) {
    const json& value = (*whole)[row];
    if (value.is_null() && !required) continue;
    if (!value.is_number()) {
      refuse(name, row, ProblemCode::wrong_type, "must be a number");
      return read;
    }
    read[row] = value.get<double>();
    if (!(read[row] >= low && read[row] <= high)) {
      refuse(name, row, ProblemCode::out_of_range, "is outside what can be true");
      return read;
    }
  }
  return read;
}

std::vector<bool> CatalogTable::flags(const char* name) {
  const std::vector<double> values = numbers(name, 0.0, 1.0, true);
  std::vector<bool> read(rows_);
  for (std::size_t row = 0; row < rows_; ++row) read[row] = values[row] != 0.0;
  return read;
}

std::vector<std::vector<std::string>> CatalogTable::lists(const char* name) {
  std::vector<std::vector<std::string>> read(rows_);
  const json* whole = column(name, false);
  if (whole == nullptr) return read;
  for (std::size_t row = 0; row < rows_; ++row) {
    const json& list = (*whole)[row];
    if (!list.is_array()) {
      refuse(name, row, ProblemCode::wrong_type, "must be a list of texts");
      return read;
    }
    for (const json& item : list) {
      if (!item.is_string()) {
        refuse(name, row, ProblemCode::wrong_type, "must be a list of texts");
        return read;
      }
      read[row].push_back(item.get<std::string>());
    }
  }
  return read;
}

Result<json> parse_asset(std::string_view text, const std::string& asset) {
  Result<json> document = parse_json(text, asset);
  if (!document) return Problem{"/" + asset, document.problem().code, document.problem().message, {}};
  return document;
}

}  // namespace gpuplan
