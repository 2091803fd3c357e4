#include <nlohmann/json.hpp>
#include <set>

#include "core/catalog/figures.hpp"
#include "core/catalog/load.hpp"
#include "core/catalog/table.hpp"
#include "core/catalog/words.hpp"

namespace gpuplan {

using nlohmann::json;

namespace {

constexpr double bytes_per_gib_over_gb = 1073741824.0 / 1e9;

/// "9.0" and "12.1" are NVIDIA's compute capabilities; other vendors' names ("gfx942") are not numbers.
void read_compute_capability(const std::string& text, Gpu& gpu) {
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos || dot == 0 || dot > 2 || text.size() != dot + 2) return;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at != dot && (text[at] < '0' || text[at] > '9')) return;
  }
  for (std::size_t at = 0; at < dot; ++at) gpu.compute_capability_major = gpu.compute_capability_major * 10 + (text[at] - '0');
  gpu.compute_capability_minor = text[dot + 1] - '0';
}

/// What the columns of figures cannot say alone.
void check(const Gpu& gpu, std::size_t row, std::set<std::string>& ids, CatalogTable& table) {
  if (gpu.id.empty() || !ids.insert(gpu.id).second) table.refuse("id", row, ProblemCode::conflict, "must be unique and not empty");
  if (gpu.memory_usable.value > gpu.memory_advertised.value * bytes_per_gib_over_gb) {
    table.refuse("memory_usable_bytes", row, ProblemCode::conflict, "is more than the advertised size (" + gpu.id + ")");
  }
  if (gpu.kinds.size() != gpu_figures().size()) table.refuse("kinds", row, ProblemCode::wrong_type, "needs one letter per figure");
}

/// Which source stands behind derived, measured and assumed figures.
std::optional<Problem> load_kind_sources(const json& document, Catalog& catalog) {
  const auto kinds = document.find("source_of_kind");
  if (kinds == document.end() || !kinds->is_object()) {
    return Problem{"/gpus/source_of_kind", ProblemCode::missing_field, "gpus needs an object \"source_of_kind\"", {}};
  }
  for (const auto& [kind, figures] : kinds->items()) {
    if (!figures.is_object()) return Problem{"/gpus/source_of_kind/" + kind, ProblemCode::wrong_type, kind + " must be an object", {}};
    for (const auto& [figure, source] : figures.items()) {
      if (!source.is_string()) return Problem{"/gpus/source_of_kind/" + kind, ProblemCode::wrong_type, figure + " must name a source", {}};
      const char letter = kind == "derived" ? 'r' : kind.empty() ? '-' : kind[0];
      catalog.kind_sources.push_back({letter, figure == "*" ? "" : figure, source.get<std::string>()});
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Problem> load_gpus(const json& document, Catalog& catalog) {
  CatalogTable table(document, "gpus", "id");
  std::vector<Gpu> gpus(table.rows());
  const auto text = [&](const char* column, std::string Gpu::*member) {
    std::vector<std::string> values = table.texts(column);
    for (std::size_t row = 0; row < gpus.size() && row < values.size(); ++row) gpus[row].*member = std::move(values[row]);
  };
  text("id", &Gpu::id);
  text("name", &Gpu::name);
  text("vendor", &Gpu::vendor);
  text("architecture", &Gpu::architecture);
  text("form_factor", &Gpu::form_factor);
  text("memory_type", &Gpu::memory_type);
  text("compute_capability", &Gpu::compute_capability);
  text("scale_up_technology", &Gpu::scale_up_technology);
  text("sources", &Gpu::sources);
  text("card", &Gpu::card);
  text("kinds", &Gpu::kinds);
  const auto statuses = table.texts("status"), links = table.texts("scale_up");
  const auto aliases = table.lists("aliases");
  const auto unified = table.flags("unified_memory"), serves_only = table.flags("serves_only");
  const auto years = table.numbers("year", 2000, 2100, true), shares = table.numbers("share", 0.01, 1, true);
  for (const FigureColumn<Gpu>& figure : gpu_figures()) {
    const std::vector<double> values = table.numbers(figure.key, figure.low, figure.high, figure.required);
    for (std::size_t row = 0; row < gpus.size(); ++row) figure.set(gpus[row], values[row]);
  }
  std::set<std::string> ids;
  for (std::size_t row = 0; row < gpus.size() && !table.problem(); ++row) {
    Gpu& gpu = gpus[row];
    gpu.aliases = aliases[row];
    gpu.unified_memory = unified[row];
    gpu.serves_only = serves_only[row];
    gpu.year = static_cast<int>(years[row]);
    gpu.share = shares[row];
    gpu.announced_only = statuses[row] == "announced";
    read_compute_capability(gpu.compute_capability, gpu);
    if (!read_word(links[row], gpu.scale_up)) table.refuse("scale_up", row, ProblemCode::unknown_id, "is no kind of link: " + links[row]);
    gpu.memory_usable_measured = gpu.kinds.size() > 1 && gpu.kinds[1] == 'm';
    check(gpu, row, ids, table);
  }
  if (table.problem()) return table.problem();
  catalog.gpus = std::move(gpus);
  if (const auto problem = load_kind_sources(document, catalog)) return problem;
  return load_dates(document, "gpus", catalog);
}

}  // namespace gpuplan
