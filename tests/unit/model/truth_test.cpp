/// The published counts and sizes of tests/truth hold for the catalog: what tools/score prints, kept by the test suite.
#include <algorithm>
#include <cmath>
#include <map>

#include "models_fixture.hpp"

using namespace gpuplan;

namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    else if (c == ',' && !quoted) out.emplace_back();
    else out.back() += c;
  }
  return out;
}

std::vector<Row> rows_of(const std::string& path) {
  const std::string text = file_text(path);
  std::vector<std::string> head;
  std::vector<Row> rows;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::vector<std::string> line = cells(text.substr(at, end - at));
    at = end + 1;
    if (head.empty()) {
      head = line;
      continue;
    }
    Row row;
    for (std::size_t i = 0; i < head.size() && i < line.size(); ++i) row[head[i]] = line[i];
    rows.push_back(row);
  }
  return rows;
}

double number(const Row& row, const std::string& key) { return row.at(key).empty() ? 0.0 : std::stod(row.at(key)); }

double size_in_unit(const Row& row) {
  const Architecture& a = model(row.at("model"));
  const WeightFormat format = *parse_weight_format(row.at("weights"));
  const bool plain_file = format == WeightFormat::fp16 || format == WeightFormat::bf16;
  const double bytes = plain_file ? 2.0 * count_parameters(a).text : checkpoint_bytes(a, format);
  if (row.at("unit") == "bits") return 8.0 * bytes / count_parameters(a).text;
  return bytes / (row.at("unit") == "GB" ? 1e9 : 1073741824.0);
}

}  // namespace

TEST_CASE("computed parameters agree with the published counts") {
  double checked = 0.0, close = 0.0;
  for (const Row& row : rows_of("tests/truth/parameters.csv")) {
    if (!row.at("excluded").empty()) continue;
    const ParameterCount count = count_parameters(model(row.at("id")));
    const double published = number(row, "published_elements") - number(row, "extra_elements");
    const double error = std::fabs((row.at("counts") == "text" ? count.text : count.total) / published - 1.0);
    INFO(row.at("id") << " off by " << error);
    CHECK((error <= 0.005 || !row.at("note").empty()));
    checked += 1.0;
    close += error <= 0.001 ? 1.0 : 0.0;
  }
  CHECK(checked >= 300.0);
  CHECK(close / checked >= 0.95);
}

TEST_CASE("sizes of published quantised checkpoints follow from the architecture: median 0.5 %, worst 2 %") {
  std::vector<double> errors;
  for (const Row& row : rows_of("tests/truth/checkpoint_sizes.csv")) {
    if (!row.at("excluded").empty()) continue;
    errors.push_back(std::fabs(size_in_unit(row) / number(row, "value") - 1.0));
    INFO(row.at("id") << " " << row.at("model") << " " << row.at("weights"));
    CHECK(errors.back() <= 0.02);
  }
  REQUIRE(errors.size() >= 60);
  std::sort(errors.begin(), errors.end());
  CHECK(errors[errors.size() / 2] <= 0.005);
}
