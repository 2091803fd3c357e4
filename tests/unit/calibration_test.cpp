#include <catch2/catch.hpp>

#include "core/assets.hpp"
#include "core/calibration.hpp"

using namespace gpuplan;

TEST_CASE("coefficients are found by name, and a name that is not there is not a number") {
  const Result<Calibration> read = load_calibration(R"({"b": {"value": 2, "unit": "s"}, "a": {"value": 0.5, "unit": ""}})");
  REQUIRE(read);
  CHECK(read->value("a") == 0.5);
  CHECK(read->find("b")->unit == "s");
  CHECK(read->value("c") != read->value("c"));
}

TEST_CASE("an overlay's coefficients win") {
  const Calibration base({{"a", 1.0, "s"}, {"b", 2.0, "s"}}), over({{"b", 3.0, "s"}, {"c", 4.0, "s"}});
  const Calibration both = overlay(base, over);
  CHECK(both.all().size() == 3);
  CHECK(both.value("a") == 1.0);
  CHECK(both.value("b") == 3.0);
}

TEST_CASE("a coefficient without value or unit is refused with its pointer") {
  CHECK(load_calibration("[").problem().code == ProblemCode::syntax);
  CHECK(load_calibration("[]").problem().code == ProblemCode::syntax);
  CHECK(load_calibration(R"({"x": 1})").problem().pointer == "/calibration/x");
  CHECK(load_calibration(R"({"x": {"unit": ""}})").problem().message.find("value") != std::string::npos);
  CHECK(load_calibration(R"({"x": {"value": 1}})").problem().message.find("unit") != std::string::npos);
}

TEST_CASE("the shipped coefficients load") {
  const Result<Calibration> shipped = load_calibration(embedded_asset("calibration"));
  if (!shipped) FAIL(shipped.problem().message);
}
