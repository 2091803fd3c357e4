#include "core/view/view.hpp"

#include <nlohmann/json.hpp>

#include "core/scenario/read.hpp"
#include "core/view/make.hpp"
#include "tests/unit/plan/knowledge_fixture.hpp"

using namespace gpuplan;

namespace {

View view_of(const Scenario& scenario) {
  const Context& c = shipped_context();
  auto view = make_view(c.knowledge, scenario, {c.strings(Language::en), "2026-12-01"});
  REQUIRE(view);
  return *std::move(view);
}

Scenario serving(const char* model) {
  Scenario scenario;
  REQUIRE_FALSE(set_value("/model", model, scenario));
  return scenario;
}

}  // namespace

TEST_CASE("the table of a named model stands first and says whose it is, the typical ones follow by size") {
  const View typical = view_of({});
  CHECK(typical.tables.front().title == "≤ 7B");
  for (const Table& t : typical.tables) CHECK_FALSE(t.chosen);

  const View named = view_of(serving("Qwen/Qwen2.5-72B"));
  REQUIRE(named.tables.size() == typical.tables.size());
  CHECK(named.tables[0].chosen);
  CHECK(named.tables[0].title == "13B – 70B");
  CHECK(named.tables[0].subtitle == "your model: Qwen2.5-72B");
  CHECK(named.tables[1].title == "≤ 7B");
  CHECK_FALSE(named.tables[1].chosen);
}

TEST_CASE("a named model is the person's own also where it is the typical one, by whatever name") {
  const View named = view_of(serving("qwen2.5-7b"));
  CHECK(named.tables[0].chosen);
  CHECK(named.tables[0].subtitle == "your model: Qwen2.5-7B");
}
