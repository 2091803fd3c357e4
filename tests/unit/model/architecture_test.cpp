#include <nlohmann/json.hpp>

#include "core/model/architecture_json.hpp"
#include "models_fixture.hpp"

using namespace gpuplan;
using nlohmann::json;

namespace {

json small() {
  return json::parse(R"({"hidden": 64, "vocab": 100, "kinds": [{"mixer": {"heads": 4, "kv_heads": 2, "head_dim": 16}, "mlp": {"intermediate": 128}}],
                         "order": [[0, 2]]})");
}

Problem problem_of(const json& architecture) {
  const Result<Architecture> read = read_architecture(architecture, "/model/architecture");
  return read ? Problem{"", ProblemCode::internal, "accepted", {}} : read.problem();
}

}  // namespace

TEST_CASE("every architecture of the catalog survives writing and reading") {
  for (const Architecture& a : model_catalog().all) {
    const json written = write_architecture(a);
    const Result<Architecture> read = read_architecture(written, "");
    REQUIRE(read);
    CHECK(write_architecture(*read) == written);
    CHECK(count_parameters(*read).total == count_parameters(a).total);
  }
}

TEST_CASE("the catalog's file spells each architecture as the writer does, with where it was read") {
  const json catalog = json::parse(file_text("assets/models.json"));
  REQUIRE(catalog["models"].size() >= 354);
  for (json entry : catalog["models"]) {
    INFO(entry["id"]);
    CHECK_FALSE(entry["source"].get<std::string>().empty());
    for (const char* provenance : {"source", "kind", "date", "note", "aliases"}) entry.erase(provenance);
    const Result<Architecture> read = read_architecture(entry, "");
    REQUIRE(read);
    CHECK(write_architecture(*read) == entry);
  }
}

TEST_CASE("values are as wide as keys, and every head has its own key, unless the architecture says otherwise") {
  json plain = small();
  plain["kinds"][0]["mixer"].erase("kv_heads");
  const Result<Architecture> read = read_architecture(plain, "");
  REQUIRE(read);
  CHECK(read->kinds[0].mixer.kv_heads == 4);
  CHECK(read->kinds[0].mixer.v_head_dim == 16);
}

TEST_CASE("an architecture's mistakes are named at their pointer") {
  json a = small();
  a["kinds"][0]["mixer"]["haeds"] = 4;
  CHECK(problem_of(a).pointer == "/model/architecture/kinds/0/mixer/haeds");
  CHECK(problem_of(a).code == ProblemCode::unknown_field);
  a = small();
  a["hidden"] = "64";
  CHECK(problem_of(a).code == ProblemCode::wrong_type);
  a = small();
  a["vocab"] = 9223372036854775807;
  CHECK(problem_of(a).code == ProblemCode::out_of_range);
  a = small();
  a["hidden"] = -1;
  CHECK(problem_of(a).code == ProblemCode::out_of_range);
}

TEST_CASE("contradictions of an architecture are refused") {
  const auto with = [](const char* pointer, const json& value) {
    json a = small();
    a[json::json_pointer(pointer)] = value;
    return problem_of(a).code;
  };
  CHECK(with("/order", json::parse("[[1, 2]]")) == ProblemCode::conflict);
  CHECK(with("/order", json::parse("[[0, 9999], [0, 9999]]")) == ProblemCode::conflict);
  CHECK(with("/order", json::array()) == ProblemCode::conflict);
  CHECK(with("/kinds/0/mixer/kv_heads", 3) == ProblemCode::conflict);
  CHECK(with("/kinds/0/mixer/heads", 0) == ProblemCode::conflict);
  CHECK(with("/kinds/0/mixer/kind", "mla") == ProblemCode::conflict);
  CHECK(with("/kinds/0/mlp/kind", "moe") == ProblemCode::conflict);
  CHECK(with("/kinds", json::array()) == ProblemCode::conflict);
}
