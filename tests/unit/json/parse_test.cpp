#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/json/text.hpp"

using namespace gpuplan;
using nlohmann::json;

namespace {
std::string refusal(const std::string& text) {
  const auto parsed = parse_json(text, "The request");
  return parsed ? "" : parsed.problem().message;
}
}  // namespace

TEST_CASE("what is read is what nlohmann/json reads") {
  const char* texts[] = {"null", "[]", "{}", "[[],{},[[1]]]", R"({"a":{"b":[1,2.5,-3,true,null,"x"],"c":{}},"d":"\u00e9\n"})", "1e300", "18446744073709551615", "-0.0",
                         R"([{"a":[{"b":[]}]},{"a":[]}])"};
  for (const char* text : texts) {
    INFO(text);
    const auto parsed = parse_json(text, "The request");
    REQUIRE(parsed);
    CHECK(*parsed == json::parse(text));
    CHECK(parse_own_json(text) == json::parse(text));
  }
}

TEST_CASE("a refusal says where the text stopped being JSON") {
  CHECK(refusal("{\"a\": 1,\n  b}") == "The request is not valid JSON: stopped at line 2, column 3.");
  CHECK(refusal("[1, 2") == "The request is not valid JSON: stopped at line 1, column 6.");
  CHECK(refusal("{} {}") == "The request is not valid JSON: stopped at line 1, column 4.");
  CHECK(parse_own_json("[1, 2").is_discarded());
}

TEST_CASE("a member named twice is refused: nobody can tell which was meant") {
  CHECK(refusal(R"({"a": 1, "b": {"c": 1, "c": 2}})") == "The request names \"c\" twice in one object; say it once.");
  CHECK(refusal(R"([{"a": 1}, {"a": 2}])").empty());
}

TEST_CASE("a number that no double holds is called so") { CHECK(refusal("[1e400]") == "The request holds a number that is too large to be read."); }

TEST_CASE("ten megabytes of brackets are refused without being parsed") {
  CHECK(refusal(std::string(10'000'000, '[')) == "The request is nested more than 64 levels deep.");
  CHECK(refusal(std::string(64, '[') + std::string(64, ']')).empty());
}

TEST_CASE("an empty text and a text over the limit are named") {
  CHECK(refusal(" \n") == "The request is empty; a JSON object is expected.");
  const auto parsed = parse_json("[1,2,3]", "The profile", 5);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.problem().code == ProblemCode::too_large);
}
