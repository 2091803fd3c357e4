// What core.wasm has in place of the readers of models and profiles that a person brings, and of the operations that no first screen asks for:
// it stays small enough for a first load, and the page asks core-full.wasm instead (web/open.ts). Linked before gpuplan_core, so that the readers are not taken from there.
#include <nlohmann/json.hpp>

#include "core/api/operations.hpp"
#include "core/catalog/profile.hpp"
#include "core/compute/serving_explain.hpp"
#include "core/compute/training_explain.hpp"
#include "core/memory/explain_memory.hpp"
#include "core/model/described_model.hpp"
#include "core/scenario/catalog_overlay.hpp"

namespace gpuplan {
namespace {

Problem elsewhere(std::string_view pointer, const char* what) {
  return {std::string(pointer), ProblemCode::elsewhere, std::string("This small core has no ") + what + "; the full one does.", {}};
}

}  // namespace

Result<DescribedModel> read_described_model(std::string_view, const nlohmann::json&, std::string_view pointer) {
  return elsewhere(pointer, "described models");
}

Result<Profile> read_profile(const nlohmann::json&, const std::string& pointer) { return elsewhere(pointer, "measured profiles"); }

Result<Catalog> lay_over(const Catalog&, const nlohmann::json&) { return elsewhere("/catalog_overlay", "own catalogs"); }

Answer inspect_op(const Context&, const nlohmann::json&) { return elsewhere("", "files"); }
Answer inspect_view_op(const Context&, const nlohmann::json&) { return elsewhere("", "files"); }
Answer detail_op(const Context&, const nlohmann::json&) { return elsewhere("/op", "details of a row"); }
Answer estimate_op(const Context&, const nlohmann::json&) { return elsewhere("/op", "single estimates"); }
Answer plan_op(const Context&, const nlohmann::json&) { return elsewhere("/op", "ranked options"); }
Answer tiers_op(const Context&, const nlohmann::json&) { return elsewhere("/op", "tables as data"); }
Answer export_op(const Context&, const nlohmann::json&) { return elsewhere("/op", "files of tables"); }
Answer advise_op(const Context&, const nlohmann::json&) { return elsewhere("/op", "advice"); }
Answer fit_op(const Context&, const nlohmann::json&) { return elsewhere("/op", "lists of what fits"); }
Answer compare_op(const Context&, const nlohmann::json&) { return elsewhere("/op", "comparisons"); }
Answer presets_op(const Context&, const nlohmann::json&) { return elsewhere("/op", "presets"); }
Answer sensitivity_op(const Context&, const nlohmann::json&) { return elsewhere("/op", "sensitivity"); }
Answer collective_op(const Context&, const nlohmann::json&) { return elsewhere("/op", "single collectives"); }
Answer catalog_op(const Context&, const nlohmann::json&) { return elsewhere("/op", "lists of the catalog"); }

// Nothing is explained where no detail is asked for.
void explain_serving(Explanation&, const Job&, const PassPlace&, const Time&, const PassTime&) {}
void explain_training(const Job&, const PreparedTraining&, const Layout&, const TrainingPlace&, const StageWork&, const StepShape&, const Time&, Explanation&) {}
namespace memory {
void explain_memory(Explanation&, const Job&, const PreparedMemory&, const Machine&, const Layout&, const Memory&) {}
}  // namespace memory

}  // namespace gpuplan
