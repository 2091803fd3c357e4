#pragma once
/// Strict reading of packed tables (tools/catalog/pack.py): whole columns at a time, the first problem kept with its pointer.
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gpuplan {

/// A packed table: {"columns": {name: [value per row] or {"of": [texts], "at": [index per row]}}}. After the first problem all reads give
/// empty values, so that a reader checks `problem()` once at its end.
class CatalogTable {
 public:
  /// `asset` starts the pointers; `key_column` says how many rows there are.
  CatalogTable(const nlohmann::json& document, std::string asset, const char* key_column);

  std::size_t rows() const { return rows_; }
  const std::optional<Problem>& problem() const { return problem_; }

  std::vector<std::string> texts(const char* column);
  /// Numbers in [low, high]; null gives 0 unless `required`.
  std::vector<double> numbers(const char* column, double low, double high, bool required = false);
  std::vector<bool> flags(const char* column);
  std::vector<std::vector<std::string>> lists(const char* column);

  /// Keeps the first problem: what is wrong with a row's value in a column.
  void refuse(const char* column, std::size_t row, ProblemCode code, const std::string& message);

 private:
  const nlohmann::json* column(const char* name, bool dictionary);
  void refuse_column(const char* name, ProblemCode code, const std::string& message);

  const nlohmann::json* columns_ = nullptr;
  std::string base_;
  std::size_t rows_ = 0;
  std::optional<Problem> problem_;
};

/// The JSON of an asset, or the problem that it is not JSON.
Result<nlohmann::json> parse_asset(std::string_view text, const std::string& asset);

}  // namespace gpuplan
